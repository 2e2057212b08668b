// What went wrong with a command, as the operator is told it.
import { NotWritten } from "@call-media/store";
import { ImportError } from "@call-media/import";
import { ArchiveError } from "@call-media/store/sqlite";
import { UsageError } from "./command-line/usage-error.ts";
import { ListenError } from "./listen.ts";
import { TracingError } from "./observe/tracing-environment.ts";

const EXPECTED = [ArchiveError, ImportError, ListenError, NotWritten, TracingError, UsageError];

/** What the operator can do something about, in one line; undefined for what is a fault of this program. */
export function toMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (EXPECTED.some((kind) => error instanceof kind) || "syscall" in error) return error.message;
  const isOfDatabase = "code" in error && error.code === "ERR_SQLITE_ERROR";
  return isOfDatabase ? `the archive could not be read or written: ${error.message}` : undefined;
}
