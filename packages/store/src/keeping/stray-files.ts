// What lies in the media folder and is named by no record.
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isUnfinished, MEDIA } from "../media/media-path.ts";
import type { ListedMedia } from "./referenced-media.ts";

export interface StrayFiles {
  /** Whole files. An import that is under way has some, which get their records with the next batch. */
  readonly unreferenced: readonly string[];
  /** Files that were never finished: an import or a backup was cut off. Nothing ever reads them. */
  readonly leftovers: readonly string[];
}

// A file that is still being written was written to within the hour.
const LEFT_AFTER_MS = 3_600_000;

/**
 * Paths below the archive's folder. An unfinished file that was written to within `leftAfterMs`, default an hour, may be
 * somebody's work. Throws the file system's error when a folder cannot be read.
 */
export async function findStrayFiles(
  directory: string,
  referenced: Pick<ListedMedia, "has">,
  leftAfterMs = LEFT_AFTER_MS,
): Promise<StrayFiles> {
  const unreferenced: string[] = [];
  const leftovers: string[] = [];
  const look = async (folder: string, entry: Dirent): Promise<void> => {
    const path = join(folder, entry.name);
    if (!isUnfinished(entry.name)) {
      if (!referenced.has(entry.name)) unreferenced.push(path);
    } else if (await isLeft(join(directory, path), leftAfterMs)) leftovers.push(path);
  };

  for (const entry of await listFolder(directory, MEDIA)) {
    if (!entry.isDirectory()) await look(MEDIA, entry);
    else
      for (const file of await listFolder(directory, join(MEDIA, entry.name)))
        await look(join(MEDIA, entry.name), file);
  }
  return { unreferenced, leftovers };
}

// In a folder that is not there, or no longer, nothing lies.
async function listFolder(directory: string, folder: string): Promise<Dirent[]> {
  return await readdir(join(directory, folder), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
}

/** Whether nobody writes to an unfinished file any more. */
export async function isLeft(path: string, leftAfterMs = LEFT_AFTER_MS): Promise<boolean> {
  const found = await stat(path).catch(() => undefined); // finished meanwhile
  return found !== undefined && found.mtimeMs <= Date.now() - leftAfterMs;
}
