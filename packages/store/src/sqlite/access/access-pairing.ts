// Which access.db belongs to which archive.db: both have one id, so that an access log that was lost, or exchanged, is never
// made anew in silence.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  ACCESS_DATABASE,
  ArchiveError,
  DATABASE,
  namingFile,
  openAccessDatabase,
  toSize,
} from "../files/database.ts";
import { findSetting } from "../settings.ts";

/**
 * Opens the access.db of the archive, or makes it for an archive that never had one. Throws `ArchiveError` when the one it
 * had is lost, and when another lies there.
 */
export function openAccessOf(archive: DatabaseSync, directory: string): DatabaseSync {
  const known = namingFile(join(directory, DATABASE), () => readPairedId(archive));
  const file = join(directory, ACCESS_DATABASE);
  if (known !== undefined && !isThere(file)) throw new ArchiveError(toLost(file));
  const access = openAccessDatabase(directory);
  try {
    const id = namingFile(file, () => readOwnId(access));
    if (known === undefined) pair(archive, id);
    if (known === undefined || known === id) return access;
    throw new ArchiveError(`${file} ${OF_ANOTHER}`);
  } catch (error) {
    access.close();
    throw error;
  }
}

/** What of the two does not fit, to stand behind the name of the file; undefined when nothing is wrong. */
export function findPairingFault(
  archive: DatabaseSync,
  access: DatabaseSync | undefined,
): string | undefined {
  const known = readPairedId(archive);
  if (known === undefined) return undefined;
  if (access === undefined) return LOST;
  return readOwnId(access) === known ? undefined : OF_ANOTHER;
}

/**
 * Makes an access.db for an archive that has lost its own, with the row as the first of its log. Throws `ArchiveError` when
 * nothing is lost, and when any other access.db lies there.
 */
export function replaceLostAccess(
  archive: DatabaseSync,
  directory: string,
  fill: (access: DatabaseSync) => void,
): void {
  const file = join(directory, ACCESS_DATABASE);
  if (readPairedId(archive) === undefined || isThere(file))
    throw new ArchiveError(
      `nothing was done: ${isThere(file) ? `${file} is there; move it away if it is another archive's` : "this archive never had an access log"}`,
    );
  using access = openAccessDatabase(directory);
  fill(access);
  pair(archive, readOwnId(access));
}

const LOST = "is lost, and with it the credentials and the access log of this archive";
const OF_ANOTHER =
  "belongs to another archive: put this archive's own back, or move it away to see what to do without";

const toLost = (file: string) =>
  `${file} ${LOST}: put it back from a backup ("restore"), or begin a new one with "audit begin-anew"`;

// SQLite takes an empty file for an empty database.
function isThere(file: string): boolean {
  return toSize(file) > 0;
}

function readPairedId(archive: DatabaseSync): string | undefined {
  return findSetting(archive, "access_id");
}

function readOwnId(access: DatabaseSync): string {
  return String(access.prepare("SELECT id FROM identity").get()?.["id"]);
}

function pair(archive: DatabaseSync, id: string): void {
  archive.prepare("INSERT OR REPLACE INTO setting (name, value) VALUES ('access_id', ?)").run(id);
}
