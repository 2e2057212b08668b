// The error message of an interrupted export: its cause, and the command to continue.
import { existsSync, readdirSync } from "node:fs";
import { isCallMediaError } from "@call-media/client";
import type { TargetFlags } from "../access/target.ts";
import { CommandFailure } from "../failures/command-failure.ts";
import { toSentence } from "../failures/failure.ts";
import { isMissing, toSystemReason } from "../failures/system-error.ts";
import { toCounted, UsageError } from "@call-media/terminal";
import { toResumeCommand } from "../terminal/shell-command.ts";
import { ORIGINAL } from "./files/mute-recording.ts";
import { type ExportFolder, FolderGone } from "./folder/export-folder.ts";

const FORBIDDEN: ReadonlySet<unknown> = new Set(["EACCES", "EPERM"]);

/** Describes an error of `node:fs` in the folder. */
export function toFolderReason(error: Error): string {
  const { code, path } = error as NodeJS.ErrnoException; // both are undefined in other errors
  if (code === "EEXIST") return `${path} is not a folder`;
  if (FORBIDDEN.has(code)) return "the folder may not be written in";
  return toSystemReason(error) ?? error.message;
}

/** Undefined for an error of the program itself. */
function toReason(error: unknown): string | undefined {
  if (error instanceof CommandFailure) return error.message;
  if (isCallMediaError(error)) return toSentence(error);
  return error instanceof Error && "syscall" in error ? toFolderReason(error) : undefined;
}

/** Reports unmuted originals in the folder. */
function toUnmuted({ parts }: ExportFolder): string {
  const names = existsSync(parts) ? readdirSync(parts) : [];
  const count = names.filter((name) => name.endsWith(ORIGINAL)).length;
  if (count === 0) return "";
  const verb = count === 1 ? "is" : "are";
  return `${toCounted(count, "recording")} that ${verb} to be muted ${verb} still in ${parts}, not muted; `;
}

interface Interrupted {
  readonly folder: ExportFolder;
  readonly signal: AbortSignal;
  /** Options that name the service. */
  readonly flags: TargetFlags;
}

/** Returns the error to show. The files stay, unless the folder is gone. */
export function toExportFailure(error: unknown, { folder, signal, flags }: Interrupted): unknown {
  const { path, named, plan } = folder;
  if (error instanceof FolderGone) return error;
  if (isMissing(error) && !existsSync(plan)) return new FolderGone(path, { cause: error });
  const next = `what was fetched is kept; ${toUnmuted(folder)}continue with ${toResumeCommand(named, flags)}`;
  const stopped: unknown = signal.aborted ? signal.reason : undefined;
  if (stopped instanceof UsageError)
    return new UsageError(`${stopped.message}: ${next}`, { cause: error });
  const reason = toReason(error);
  return reason === undefined ? error : new CommandFailure(`${reason}; ${next}`, { cause: error });
}
