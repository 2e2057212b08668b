// Whether a file still holds what was imported. Its state in the file system answers that by one system call; a state that
// is not known yet (another disk, a restored copy, a change of any kind) is answered by hashing the file once.
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { type Media, MediaDamaged } from "../call-store.ts";

// Above this many the oldest judgement is forgotten: about 2 MB of memory.
const JUDGED_FILES = 10_000;

// Larger pieces hash no quicker.
const CHUNK_BYTES = 512 * 1024;

/**
 * A file whose fingerprint is unchanged was not written to: the time of its last change (ctime) cannot be set by a
 * program, the one of its last modification can. Copying makes another file, so a copy has to be hashed.
 */
export function toFingerprint({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size}-${mtimeNs}-${ctimeNs}-${ino}`;
}

/** SHA-256 of the first `bytes` bytes of the file, hexadecimal. The file stays open. */
export async function hashFile(
  file: FileHandle,
  bytes: number,
  onRead: (bytes: number) => void = () => {},
): Promise<string> {
  const digest = createHash("sha256");
  const options = { start: 0, end: bytes - 1, autoClose: false, highWaterMark: CHUNK_BYTES };
  for await (const chunk of file.createReadStream(options)) {
    digest.update(chunk);
    onRead(chunk.length);
  }
  return digest.digest("hex");
}

/** Throws `MediaDamaged`. Remembers what it has hashed, good or bad, and hashes once for many who ask at a time. */
export function createIntegrityCheck(): (file: FileHandle, media: Media) => Promise<void> {
  const judged = new Map<string, Promise<boolean>>();

  const judge = (file: FileHandle, { sha256, bytes }: Media, key: string): Promise<boolean> => {
    const judgement = hashFile(file, bytes).then(
      (found) => found === sha256,
      (error: unknown) => {
        throw new MediaDamaged(`the file of recording ${sha256} cannot be read`, { cause: error });
      },
    );
    judged.set(key, judgement);
    judgement.catch(() => judged.delete(key));
    const [oldest] = judged.keys();
    if (judged.size > JUDGED_FILES && oldest !== undefined) judged.delete(oldest);
    return judgement;
  };

  return async (file, media) => {
    const stats = await file.stat({ bigint: true });
    const { sha256, bytes } = media;
    if (stats.size !== BigInt(bytes))
      throw new MediaDamaged(
        `the file of recording ${sha256} has ${stats.size} bytes, ${bytes} were imported`,
      );
    const fingerprint = toFingerprint(stats);
    if (fingerprint === media.fingerprint) return;
    const key = `${sha256} ${fingerprint}`;
    if (!(await (judged.get(key) ?? judge(file, media, key))))
      throw new MediaDamaged(`the file of recording ${sha256} has another content than imported`);
  };
}
