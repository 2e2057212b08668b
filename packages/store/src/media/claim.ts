// Notes which archive owns the recordings in a place. An erasure deletes what no record names: in another archive's place, everything.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError } from "../port/faults.ts";
import type { MediaStore } from "../port/media.ts";
import { makeFolder } from "./files.ts";
import { NOTE_PREFIX } from "./notes.ts";

/** The note with the id of the owning archive, stored next to the recordings. */
export const OWNER = `${NOTE_PREFIX}archive`;

/** The same media store, but it claims the place before it stores the first recording. */
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

/** Throws `ArchiveError` if `owner`, as noted in the place, is another archive. */
export function checkOwner(place: string, owner: string, archiveId: string): void {
  if (owner.trim() === archiveId) return;
  throw new ArchiveError(
    `${place} has the recordings of another archive: give each archive a place of its own, or, if that archive is gone, delete ${OWNER} there`,
  );
}

/** `MediaStore.claim` of a directory. */
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
