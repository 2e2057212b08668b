// Opens an archive in a directory: archive.db (SQLite) for the records, access.db for credentials and the access log,
// media/ for the recordings, unless they are stored elsewhere.
import { existsSync, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CallStore, MediaStore } from "../port/index.ts";
import { createMediaFolder } from "../media/media-folder.ts";
import { MEDIA } from "../media/media-path.ts";
import { tryCatchUp } from "./maintenance/catch-up.ts";
import {
  type ArchiveOptions,
  checkTimeZone,
  type NewArchiveOptions,
  openArchive,
  settleTimeZone,
} from "./archive.ts";
import {
  ACCESS_DATABASE,
  ArchiveError,
  checkNotLost,
  DATABASE,
  hasArchive,
  openDatabase,
} from "./files/database.ts";
import { checkOwnDisk } from "./files/network-disk.ts";
import { makeFolder } from "../media/files.ts";

export type { ArchiveOptions, NewArchiveOptions } from "./archive.ts";
export type { OnCopied } from "./files/copy-pages.ts";
export { ArchiveError } from "./files/database.ts";
export { openScratchCopy } from "./scratch-copy.ts";

/** True if the directory has an archive, or the remains of one. */
export function isArchive(directory: string): boolean {
  return [DATABASE, ACCESS_DATABASE].some((name) => existsSync(join(directory, name)));
}

/** Opens an existing archive. Throws `ArchiveError` if the directory has none, has lost it, or has an unreadable one. */
export async function openStore(options: ArchiveOptions): Promise<CallStore> {
  const { directory } = options;
  checkOwnDisk(directory);
  checkNotLost(directory);
  if (!existsSync(join(directory, DATABASE)))
    throw new ArchiveError(`there is no archive in ${directory}: make one with "import" or "demo"`);
  if (!hasArchive(directory))
    throw new ArchiveError(`${join(directory, DATABASE)} is empty: restore it from a backup`);
  if (options.toInspect !== true && options.toMigrate !== true) {
    const media = options.media ?? createMediaFolder(join(directory, MEDIA));
    await tryCatchUp({ directory, media }, options.onBehind);
  }
  return openArchive(options);
}

/**
 * Opens the archive of the directory, or creates an empty one there. The time zone of a new archive is `timeZone`, default
 * UTC, and stays (D03). Throws `ArchiveError` for a time zone that does not exist, and if only the credentials of an archive
 * are left.
 */
export async function createStore(options: NewArchiveOptions): Promise<CallStore> {
  const { directory, timeZone, media } = options;
  checkTimeZone(timeZone);
  checkOwnDisk(directory);
  await makeFolders(directory, media);
  using database = openDatabase(directory);
  settleTimeZone(database, timeZone);
  return openStore(options);
}

async function makeFolders(directory: string, media: MediaStore | undefined): Promise<void> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new ArchiveError(`${directory} is no folder, which an archive is`);
  if (media !== undefined) return await makeFolder(directory);
  const folder = join(directory, MEDIA);
  // A link to a disk that is not mounted is not a directory, and no directory can be created in its place.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() && !existsSync(folder))
    throw new ArchiveError(
      `${folder} is a link to what cannot be reached: mount the disk that it lies on`,
    );
  await makeFolder(folder);
}
