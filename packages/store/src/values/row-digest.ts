// A digest that is stored with each row: SQLite keeps no checksums, so a byte that the disk has changed would stay
// unnoticed.
import { hash } from "node:crypto";

export const ROW_DIGEST_BYTES = 16;

export function toTextDigest(text: string): Uint8Array {
  return hash("sha256", text, "buffer").subarray(0, ROW_DIGEST_BYTES);
}

/** The digest of an identifier, hexadecimal. It is taken of JSON, which can express every UTF-16 text. */
export const toNameDigest = (name: string): string =>
  Buffer.from(toTextDigest(JSON.stringify(name))).toString("hex");

/** The digest of `values`, as JSON, and of a text that may be long. */
export function toRowDigest(values: readonly unknown[], text = ""): Uint8Array {
  return toTextDigest(JSON.stringify(values) + text);
}

/** The same, hexadecimal: faster to compute, and to compare with a database's text. */
export const toRowHex = (values: readonly unknown[], text: string): string =>
  hash("sha256", JSON.stringify(values) + text, "hex").slice(0, 2 * ROW_DIGEST_BYTES);

/** `stored`: a value that a disk may have changed. */
export const isEqual = (stored: unknown, digest: Uint8Array) =>
  stored instanceof Uint8Array && Buffer.compare(stored, digest) === 0;
