// Whose recordings a place has. Erasing deletes what no record names, which would be everything of another archive.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError } from "../port/faults.ts";
import type { MediaStore } from "../port/media.ts";
import { makeFolder } from "./files.ts";
import { NOTE_PREFIX } from "./notes.ts";

/** Beside the recordings, with the id of their archive in it. */
export const OWNER = `${NOTE_PREFIX}archive`;

/** The same place, which is claimed before its first recording comes. */
export function claiming(media: MediaStore, readArchiveId: () => string): MediaStore {
  if (media.claim === undefined) return media;
  let claimed: Promise<void> | undefined;
  return {
    ...media,
    put: async (source) => {
      claimed ??= media.claim?.(readArchiveId());
      await claimed?.catch((error: unknown) => {
        claimed = undefined;
        throw error;
      });
      return await media.put(source);
    },
  };
}

/** Throws `ArchiveError` when `owner`, who is noted in the place, is another archive. */
export function checkOwner(place: string, owner: string, archiveId: string): void {
  if (owner.trim() === archiveId) return;
  throw new ArchiveError(
    `${place} has the recordings of another archive: give each archive a place of its own, or, if that archive is gone, delete ${OWNER} there`,
  );
}

/** `MediaStore.claim` of a folder. */
export function createFolderClaim(directory: string): (archiveId: string) => Promise<void> {
  const file = join(directory, OWNER);
  return async (archiveId) => {
    await makeFolder(directory);
    try {
      await writeFile(file, archiveId, { flag: "wx", mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      checkOwner(directory, await readFile(file, "utf8"), archiveId);
    }
  };
}
