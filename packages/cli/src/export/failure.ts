// What the user is told of an export that ended before its end: why, and how it goes on.
import { isCallMediaError } from "@call-media/client";
import { CommandFailure } from "../command-failure.ts";
import { toSentence } from "../failure.ts";
import { toShellWord } from "../shell-word.ts";
import { toSystemReason } from "../system-error.ts";
import { UsageError } from "../usage-error.ts";
import type { ExportFolder } from "./files.ts";

const FORBIDDEN: ReadonlySet<unknown> = new Set(["EACCES", "EPERM"]);

/** Of what `node:fs` refused in the folder. */
export function toFolderReason(error: Error): string {
  const { code, path } = error as NodeJS.ErrnoException; // both undefined in any other
  if (code === "EEXIST") return `${path} is no folder`;
  if (FORBIDDEN.has(code)) return "the folder may not be written in";
  return toSystemReason(error) ?? error.message;
}

/** Nothing of what came is lost by any of them. */
export function toExportFailure(
  error: unknown,
  { path }: ExportFolder,
  signal: AbortSignal,
): unknown {
  const goOn = `what came is kept; go on with call-media export --resume --out ${toShellWord(path)}`;
  const stopped: unknown = signal.aborted ? signal.reason : undefined;
  if (stopped instanceof UsageError)
    return new UsageError(`${stopped.message}: ${goOn}`, { cause: error });
  if (error instanceof CommandFailure)
    return new CommandFailure(`${error.message}; ${goOn}`, { cause: error });
  if (isCallMediaError(error))
    return new CommandFailure(`${toSentence(error)}; ${goOn}`, { cause: error });
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  return new CommandFailure(`${toFolderReason(error)}; ${goOn}`, { cause: error });
}
