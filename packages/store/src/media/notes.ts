// `MediaStore.notes` of a directory: files whose names begin like the owner note.
import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { StoreFault } from "../port/faults.ts";
import type { MediaNotes } from "../port/media.ts";
import { READ_AT_ONCE, syncFolder } from "./files.ts";

/** The prefix of all file names that are not recordings. */
export const NOTE_PREFIX = ".call-media-";

export function createFolderNotes(directory: string): MediaNotes {
  const toPath = (name: string) => join(directory, NOTE_PREFIX + name);
  return {
    read: async (name) => {
      try {
        return await readFile(toPath(name), { encoding: "utf8", flag: READ_AT_ONCE });
      } catch (cause) {
        if (hasCode(cause, "ENOENT")) return undefined;
        throw new StoreFault("unavailable", `${toPath(name)} cannot be read`, { cause });
      }
    },
    write: async (name, text) => {
      const path = toPath(name);
      try {
        await replace(path, text);
        await syncFolder(directory);
      } catch (cause) {
        throw new StoreFault("unavailable", `${path} cannot be written`, { cause });
      }
    },
  };
}

// A directory may be shared by machines whose processes have the same process id.
async function replace(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    {
      await using file = await open(temporary, "wx", 0o600);
      await file.writeFile(text);
      await file.sync();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && "code" in error && error.code === code;
