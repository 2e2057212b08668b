// The layout of an export folder.
import { dirname, join } from "node:path";
import { CommandFailure } from "../../failures/command-failure.ts";
import { toShellWord } from "@call-media/terminal";

/** Everything that `--resume` and `sync` need. The files to hand over are next to it. */
export const STATE = ".call-media";

/** The index that `call-media index` creates. It is not part of the export, and can be rebuilt. */
export const INDEX = "words.db";

export interface ExportFolder {
  /** As typed by the user. */
  readonly path: string;
  /** The option that names it: "--out march". */
  readonly named: string;
  readonly plan: string;
  readonly lock: string;
  /** Folder with a journal for each window and round. */
  readonly journals: string;
  /** Folder of incomplete files. */
  readonly parts: string;
  /** Converts a path of the manifest, which uses `/` on every system. */
  readonly toPath: (file: string) => string;
}

/** The folder next to a hand-over that contains its export until the zip is complete. */
export const toFolderOf = (zip: string): string => `${zip}.export`;

export const toHandOverFolder = (zip: string): ExportFolder =>
  toExportFolder(toFolderOf(zip), `--hand-over ${toShellWord(zip)}`);

export function toExportFolder(path: string, named = `--out ${toShellWord(path)}`): ExportFolder {
  const state = join(path, STATE);
  return {
    path,
    named,
    plan: join(state, "plan.json"),
    lock: join(state, "lock"),
    journals: join(state, "days"),
    parts: join(state, "parts"),
    toPath: (file) => join(path, ...file.split("/")),
  };
}

/** The parent of plan, lock and journals. */
export const toStateFolder = ({ plan }: Pick<ExportFolder, "plan">): string => dirname(plan);

/** The folder was moved or removed while an export worked in it. */
export class FolderGone extends CommandFailure {
  constructor(path: string, options?: ErrorOptions) {
    super(
      `${path} was moved or removed while the export worked in it; if it was moved, call-media export --resume continues at its new place`,
      options,
    );
  }
}
