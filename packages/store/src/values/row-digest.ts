// A digest of what a row has, which is kept beside it: SQLite keeps no checksums, so that a byte that a disk has changed would
// go unseen.
import { hash } from "node:crypto";

export const ROW_DIGEST_BYTES = 16;

export function toTextDigest(text: string): Uint8Array {
  return hash("sha256", text, "buffer").subarray(0, ROW_DIGEST_BYTES);
}

/** Of `values`, which are JSON, and a text that may be long. */
export function toRowDigest(values: readonly unknown[], text = ""): Uint8Array {
  return toTextDigest(JSON.stringify(values) + text);
}
