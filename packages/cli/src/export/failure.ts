// What the user is told of an export that ended before its end: why, and how it goes on.
import { isCallMediaError } from "@call-media/client";
import { CommandFailure } from "../command-failure.ts";
import { toSentence } from "../failure.ts";
import { UsageError } from "../usage-error.ts";
import type { ExportFolder } from "./files.ts";

/** Of what the system says, what people meet. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full: make room",
  EDQUOT: "the disk quota is used up: make room",
  EROFS: "the disk is read-only",
  EACCES: "the folder may not be written in",
  EPERM: "the folder may not be written in",
  EMFILE: "too many files are open: see ulimit -n",
};

/** Nothing of what came is lost by any of them. */
export function toExportFailure(
  error: unknown,
  { path }: ExportFolder,
  signal: AbortSignal,
): unknown {
  const goOn = `what came is kept; go on with call-media export --resume --out ${quote(path)}`;
  const stopped: unknown = signal.aborted ? signal.reason : undefined;
  if (stopped instanceof UsageError)
    return new UsageError(`${stopped.message}: ${goOn}`, { cause: error });
  if (error instanceof CommandFailure)
    return new CommandFailure(`${error.message}; ${goOn}`, { cause: error });
  if (isCallMediaError(error))
    return new CommandFailure(`${toSentence(error)}; ${goOn}`, { cause: error });
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  return new CommandFailure(`${REASONS[code] ?? error.message}; ${goOn}`, { cause: error });
}

/** As a shell takes it. */
const quote = (path: string) =>
  /^[\w./:@%+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
