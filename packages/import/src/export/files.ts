// The files of an export's recordings: each content once, under a name that no file system and no shell trips over.
import { createHash } from "node:crypto";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isFault, type Media, type MediaStore, StoreFault } from "@call-media/store";
import { toExtension } from "@call-media/store/values";
import type { ExportedFile } from "./format.ts";
import { toWriteFault } from "./folder.ts";

/** A recording that is not in the export, and why. */
export interface MissingFile {
  readonly filename: string;
  readonly callId: string | null;
  readonly fault: string;
}

/** Copies recordings into the folder `to`, hashed on the way. */
export function createFileCopier(from: MediaStore, to: string) {
  const missing = new Map<string, MissingFile>();
  return {
    missing,
    /** Undefined for a recording that is missing or damaged. Throws when the export cannot be written. */
    take: async (
      media: Media,
      named: Pick<MissingFile, "filename" | "callId">,
    ): Promise<ExportedFile | undefined> => {
      const { sha256, bytes, type } = media;
      if (missing.has(sha256)) return undefined;
      const place = join("media", sha256.slice(0, 2), sha256) + toExtension(type);
      const path = join(to, place);
      if ((await stat(path).catch(() => undefined)) !== undefined)
        return { place, sha256, bytes, type };
      try {
        await copy(from, media, path);
        return { place, sha256, bytes, type };
      } catch (error) {
        if (!isFault(error, "damaged", "lost", "unavailable")) throw error;
        missing.set(sha256, { ...named, fault: error.message });
        return undefined;
      }
    },
  };
}

const CHUNK_BYTES = 512 * 1024;

/** Whole or not at all. */
async function copy(from: MediaStore, media: Media, path: string): Promise<void> {
  const temporary = `${path}.part`;
  const source = await from.open(media);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await using target = await open(temporary, "w", 0o600);
    const digest = createHash("sha256");
    const buffer = Buffer.allocUnsafeSlow(Math.min(media.bytes + 1, CHUNK_BYTES));
    for (let bytes; (bytes = await source.read(buffer)) > 0;) {
      digest.update(buffer.subarray(0, bytes));
      await target.writeFile(buffer.subarray(0, bytes)).catch(toWriteFault(dirname(dirname(path))));
    }
    if (digest.digest("hex") !== media.sha256)
      throw new StoreFault(
        "damaged",
        `the file of recording ${media.sha256} has another content than imported`,
      );
    await target.sync();
    await rename(temporary, path);
  } finally {
    await source.close();
    await rm(temporary, { force: true });
  }
}
