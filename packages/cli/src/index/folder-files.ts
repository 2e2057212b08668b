// The files that an index is built from: those of a finished export, or of an unpacked hand-over.
import { existsSync, statSync } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { EXPORT, MANIFEST, METADATA, SUPERSEDED } from "@call-media/handover";
import { ifMissing } from "../failures/system-error.ts";
import { UsageError } from "@call-media/terminal";
import { type ExportFolder, INDEX, toExportFolder } from "../export/folder/export-folder.ts";
import { isUnpacked } from "../export/proof/verify-hand-over.ts";

export interface FolderFiles {
  readonly folder: ExportFolder;
  readonly index: string;
  readonly metadata: string;
  readonly manifest: string;
  /** Earlier versions of edited records; missing if there are none. */
  readonly superseded: string;
}

/** @throws UsageError if the export is missing, packed or not finished, or its metadata is a table. */
export function findFiles(path: string): FolderFiles {
  if (!existsSync(path))
    throw new UsageError(`${path} does not exist: --in and index take the folder of an export`);
  if (!statSync(path).isDirectory())
    throw new UsageError(
      `${path} is a file: --in and index take the folder of an export; if it is a hand-over, unpack it first`,
    );
  const folder = toExportFolder(isUnpacked(path) ? join(path, EXPORT) : path);
  const [metadata, manifest] = [folder.toPath(METADATA.jsonl), folder.toPath(MANIFEST)];
  const table = [METADATA.csv, METADATA.xlsx].find((name) => existsSync(folder.toPath(name)));
  if (table !== undefined)
    throw new UsageError(
      `${path} has ${table}, and only ${METADATA.jsonl} can be searched: call-media export writes it unless you give --format`,
    );
  if (!existsSync(manifest) || !existsSync(metadata))
    throw new UsageError(
      `${path} has no ${MANIFEST} and ${METADATA.jsonl}: it is not an export, or not finished; to finish it: call-media export --resume ${folder.named}`,
    );
  const [index, superseded] = [folder.toPath(INDEX), folder.toPath(SUPERSEDED)];
  return { folder, index, metadata, manifest, superseded };
}

/** Lengths and modification times of the files, so that it differs after a change. */
export async function readStamp(files: FolderFiles): Promise<string> {
  return toStamp(await stat(files.metadata), await stat(files.manifest));
}

interface Stat {
  readonly size: number;
  readonly mtimeMs: number;
}

const toStamp = (...stats: readonly Stat[]) =>
  stats.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join(", ");

/** Opens the metadata that `stamp` describes, even if a sync replaces them later. Undefined if they were already replaced. */
export async function openMetadata(
  files: FolderFiles,
  stamp: string,
): Promise<FileHandle | undefined> {
  const file = await open(files.metadata, "r");
  const now = await stat(files.manifest).catch(ifMissing(undefined));
  if (now !== undefined && toStamp(await file.stat(), now) === stamp) return file;
  await file.close();
  return undefined;
}
