// The files in which a trace searches, in the directory of an archive or of its backups.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { MEDIA } from "../../media/media-path.ts";
import { DATABASE } from "../files/database.ts";
import { RESERVE } from "../files/reserve.ts";
import { isInUnfinished } from "./generations.ts";
import { openReadOnly } from "./open-archive.ts";

/**
 * All except recordings, which contain no text, and the reserve of purges, which contains random bytes. Adds directories that cannot be
 * read to `unread`.
 */
export async function listFiles(directory: string, unread: string[]): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => {
    unread.push(directory);
    return [];
  });
  const lists = entries.map(async (entry) => {
    const path = join(directory, entry.name);
    if (entry.isFile()) return entry.name === RESERVE ? [] : [path];
    return entry.isDirectory() && entry.name !== MEDIA ? await listFiles(path, unread) : [];
  });
  return (await Promise.all(lists)).flat();
}

const PART = ".part";

/** True for the records of an archive, also under the temporary name of a copy. */
export function isRecords(path: string): boolean {
  const name = basename(path);
  return name === DATABASE || (name.startsWith(`${DATABASE}.`) && name.endsWith(PART));
}

/** Throws SQLite's error for a file that it cannot read, and an error for the copy that another process may be writing. */
export function openToSearch(file: string): DatabaseSync {
  if (!file.endsWith(PART) && !isInUnfinished(file)) return openReadOnly(file);
  if (["-journal", "-wal"].some((end) => existsSync(file + end)))
    throw new Error(`${file} is not written to its end`);
  // Other ways of opening may create files next to it, and a directory in which something changes is not removed.
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true });
}
