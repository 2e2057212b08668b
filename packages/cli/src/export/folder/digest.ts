// SHA-256 of files, and whether a recording has the bytes that the service announced.
import type { Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { DamagedRecording } from "@call-media/handover";

/** Reads a file into the hash, and shows each piece to `visit`. How many bytes it has. */
export async function hashFile(
  path: string,
  hash: Hash,
  visit: (piece: Uint8Array) => void = () => {},
): Promise<number> {
  let bytes = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece);
    visit(piece);
    bytes += piece.length;
  }
  return bytes;
}

/**
 * The SHA-256 of what came.
 *
 * @throws DamagedRecording where another one was announced; the file is gone then.
 */
export async function checkDigest(
  part: string,
  hash: Hash,
  announced: string | undefined,
): Promise<string> {
  const sha256 = hash.digest("hex");
  if ((announced ?? sha256) === sha256) return sha256;
  await rm(part, { force: true });
  throw DamagedRecording.of(sha256, announced ?? "");
}
