// Whether a file still holds what was imported. Its state in the file system answers that by one system call; a state that
// is not known yet (another disk, a restored copy, a change of any kind) is answered by hashing the file once.
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { type FileHandle, stat } from "node:fs/promises";
import { type Media, type OnRead, StoreFault } from "../port/index.ts";
import { createProofs } from "./proofs.ts";

// Larger pieces hash no quicker.
const CHUNK_BYTES = 512 * 1024;

/**
 * A file whose fingerprint is unchanged was not written to: the time of its last change (ctime) cannot be set by a
 * program, the one of its last modification can. Copying makes another file, so a copy has to be hashed.
 */
function toFingerprint({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size}-${mtimeNs}-${ctimeNs}-${ino}`;
}

/** As it is now. Throws what the system says. */
export async function readFingerprint(path: string): Promise<string> {
  return toFingerprint(await stat(path, { bigint: true }));
}

/** What a file is compared with. */
export type Imported = Pick<Media, "sha256" | "bytes" | "version">;

/**
 * Reads the whole file and gives the fingerprint it had before, for the next time. The file stays open. Throws
 * `StoreFault` when length or content are not what was imported.
 */
export async function proveContent(
  file: FileHandle,
  imported: Imported,
  onRead: OnRead = () => {},
): Promise<string> {
  const { sha256, bytes } = imported;
  const fingerprint = await readState(file, imported);
  const found = await hashFile(file, bytes, onRead).catch((error: unknown) => {
    throw new StoreFault("damaged", `the file of recording ${sha256} cannot be read`, {
      cause: error,
    });
  });
  if (found !== sha256)
    throw new StoreFault(
      "damaged",
      `the file of recording ${sha256} has another content than imported`,
    );
  return fingerprint;
}

/**
 * Gives the fingerprint, or throws `StoreFault`. Reads a file once for each state of it, also when many ask at a time, and
 * keeps the outcome.
 */
export function createIntegrityCheck(): (file: FileHandle, media: Imported) => Promise<string> {
  const findProof = createProofs();
  return async (file, media) => {
    const fingerprint = await readState(file, media);
    if (fingerprint === media.version) return fingerprint;
    return await findProof(`${media.sha256} ${fingerprint}`, () => proveContent(file, media));
  };
}

async function readState(file: FileHandle, { sha256, bytes }: Imported): Promise<string> {
  const stats = await file.stat({ bigint: true });
  if (!stats.isFile())
    throw new StoreFault("damaged", `the file of recording ${sha256} is no file any more`);
  if (stats.size === BigInt(bytes)) return toFingerprint(stats);
  throw new StoreFault(
    "damaged",
    `the file of recording ${sha256} has ${stats.size} bytes, ${bytes} were imported`,
  );
}

async function hashFile(file: FileHandle, bytes: number, onRead: OnRead): Promise<string> {
  const digest = createHash("sha256");
  const options = { start: 0, end: bytes - 1, autoClose: false, highWaterMark: CHUNK_BYTES };
  for await (const chunk of file.createReadStream(options)) {
    digest.update(chunk);
    onRead(chunk);
  }
  return digest.digest("hex");
}
