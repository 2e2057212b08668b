// What went wrong with a command, as the operator is told it.
import { ArchiveError, StoreFault } from "@call-media/store";
import { ImportError } from "@call-media/import";
import { UsageError } from "./command-line/usage-error.ts";
import { ListenError } from "./listen.ts";
import { TracingError } from "./observe/tracing-environment.ts";

const EXPECTED = [ArchiveError, ImportError, ListenError, StoreFault, TracingError, UsageError];

/** What the operator can do something about, in one line; undefined for what is a fault of this program. */
export function toMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const isExpected = EXPECTED.some((kind) => error instanceof kind) || "syscall" in error;
  return isExpected ? error.message : undefined;
}
