// The files of an export's recordings: each content once, under a name that no file system and no shell trips over.
import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { MediaRejected } from "../call-store.ts";
import { toExtension } from "../values/extensions.ts";
import { MEDIA, toMediaFile, toMediaPath } from "../media/media-path.ts";
import { takeIn } from "../media/take-in.ts";
import { makeFolder } from "../sqlite/files/make-folder.ts";
import type { StoredFile } from "../sqlite/export-rows.ts";

export interface ExportedFile {
  /** Where it lies in the export: `media/ab/abcd….wav`. */
  readonly place: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly type: string;
}

/** A recording that is not in the export, and why. */
export interface MissingFile {
  readonly filename: string;
  readonly callId: string | null;
  readonly fault: string;
}

/** Copies files of the archive in `from` into the folder `to`, hashed on the way. */
export function createFileCopier(from: string, to: string) {
  const missing = new Map<string, MissingFile>();

  const copy = async (stored: StoredFile, place: string): Promise<boolean> => {
    const { sha256, filename, callId } = stored;
    const path = toMediaFile(join(from, MEDIA), stored);
    try {
      await takeIn(join(to, MEDIA), { path, sha256 });
      await rename(toMediaPath(join(to, MEDIA), sha256), join(to, place));
      return true;
    } catch (error) {
      if (!(error instanceof MediaRejected)) throw error;
      missing.set(sha256, { filename, callId, fault: error.message });
      return false;
    }
  };

  return {
    missing,
    /** To be called before the first file. */
    begin: () => makeFolder(join(to, MEDIA)),
    /** Undefined for a file that is missing or damaged. Throws when the export cannot be written. */
    take: async (stored: StoredFile): Promise<ExportedFile | undefined> => {
      const { sha256, bytes, type } = stored;
      if (missing.has(sha256)) return undefined;
      const place = toMediaPath(MEDIA, sha256) + toExtension(type);
      const isThere = (await stat(join(to, place)).catch(() => undefined)) !== undefined;
      return isThere || (await copy(stored, place)) ? { place, sha256, bytes, type } : undefined;
    },
  };
}
