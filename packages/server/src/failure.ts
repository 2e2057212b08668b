// The error of a command as shown to the operator.
import { ArchiveError, StoreFault } from "@call-media/store";
import { ImportError } from "@call-media/import/errors";
import { UsageError } from "@call-media/terminal";
import { ListenError } from "./listen.ts";
import { TracingError } from "./observe/tracing-environment.ts";

const EXPECTED = [ArchiveError, ImportError, ListenError, StoreFault, TracingError, UsageError];

/** One line for an error that the operator can fix; undefined for a fault of this program. */
export function toMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const isExpected = EXPECTED.some((kind) => error instanceof kind) || "syscall" in error;
  return isExpected ? error.message : undefined;
}
