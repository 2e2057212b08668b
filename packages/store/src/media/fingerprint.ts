// Tells whether a file still has its imported content. One system call suffices while its fingerprint (its state in the file system)
// is known. If not (another disk, a restored copy, any change), the file is hashed once.
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { type FileHandle, stat } from "node:fs/promises";
import { type Media, type OnRead, StoreFault } from "../port/index.ts";
import { createProofs } from "./proofs.ts";

// Larger chunks do not hash faster.
const CHUNK_BYTES = 512 * 1024;

/**
 * A file whose fingerprint is unchanged was not written to. A program can set the modification time, but not the time of the last
 * change (ctime). A copy is another file and has to be hashed.
 */
function toFingerprint({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size}-${mtimeNs}-${ctimeNs}-${ino}`;
}

/** The current fingerprint. Throws the system's error. */
export async function readFingerprint(path: string): Promise<string> {
  return toFingerprint(await stat(path, { bigint: true }));
}

/** The facts that a file is compared with. */
export type Imported = Pick<Media, "sha256" | "bytes" | "version">;

/**
 * Reads the whole file and returns the fingerprint from before the read, to be kept for the next check. The file stays open. Throws
 * `StoreFault` if its length or content differs from the import.
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
 * Returns the fingerprint, or throws `StoreFault`. Reads each state of a file only once, even for parallel callers, and keeps the
 * result.
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
