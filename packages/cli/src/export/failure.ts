// What the user is told of an export that ended before its end: why, and how it goes on.
import { existsSync } from "node:fs";
import { isCallMediaError } from "@call-media/client";
import { CommandFailure } from "../failures/command-failure.ts";
import { toSentence } from "../failures/failure.ts";
import { isMissing, toSystemReason } from "../failures/system-error.ts";
import { UsageError } from "../failures/usage-error.ts";
import type { TargetFlags } from "../access/target.ts";
import { toResumeCommand } from "../terminal/shell-command.ts";
import type { ExportFolder } from "./folder/files.ts";
import { FolderGone } from "./folder/folder-gone.ts";

const FORBIDDEN: ReadonlySet<unknown> = new Set(["EACCES", "EPERM"]);

/** Of what `node:fs` refused in the folder. */
export function toFolderReason(error: Error): string {
  const { code, path } = error as NodeJS.ErrnoException; // both undefined in any other
  if (code === "EEXIST") return `${path} is no folder`;
  if (FORBIDDEN.has(code)) return "the folder may not be written in";
  return toSystemReason(error) ?? error.message;
}

/** What ended an export, where somebody expected that it might. */
function toReason(error: unknown): string | undefined {
  if (error instanceof CommandFailure) return error.message;
  if (isCallMediaError(error)) return toSentence(error);
  return error instanceof Error && "syscall" in error ? toFolderReason(error) : undefined;
}

/** An export that ended before its end. */
interface Ended {
  readonly folder: ExportFolder;
  readonly signal: AbortSignal;
  /** The service, as the user named it. */
  readonly flags: TargetFlags;
}

/** Nothing of what came is lost by any of them, unless the folder is. */
export function toExportFailure(error: unknown, { folder, signal, flags }: Ended): unknown {
  const { path, named, plan } = folder;
  if (error instanceof FolderGone) return error;
  if (isMissing(error) && !existsSync(plan)) return new FolderGone(path, { cause: error });
  const goOn = `what came is kept; go on with ${toResumeCommand(named, flags)}`;
  const stopped: unknown = signal.aborted ? signal.reason : undefined;
  if (stopped instanceof UsageError)
    return new UsageError(`${stopped.message}: ${goOn}`, { cause: error });
  const reason = toReason(error);
  return reason === undefined ? error : new CommandFailure(`${reason}; ${goOn}`, { cause: error });
}
