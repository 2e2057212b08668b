// Reads a file once for its SHA-256, piece by piece, and what it has inside if it is a hand-over.
import { openHandOver, type OpenedHandOver } from "@call-media/handover";
import { sha256 } from "@noble/hashes/sha2.js";

export interface Checked {
  /** Hexadecimal digits. */
  readonly sha256: string;
  /** Undefined if the file is not a hand-over. */
  readonly handOver: OpenedHandOver | undefined;
}

/** @throws DOMException if the file cannot be read. */
export async function checkFile(file: Blob, onRead: (bytes: number) => void): Promise<Checked> {
  const digest = sha256.create();
  let read = 0;
  for await (const chunk of file.stream()) {
    digest.update(chunk);
    read += chunk.length;
    onRead(read);
  }
  const hex = [...digest.digest()].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { sha256: hex, handOver: await openHandOver(file) };
}

/** The 64 digits of a pasted text, such as a sentence with the seal in groups; undefined without exactly one seal. */
export function toDigits(given: string): string | undefined {
  const found = given.match(/(?<![\da-z])(?:[\da-f]{4}\s*){16}(?![\da-z])/gi) ?? [];
  const seals = new Set(found.map((one) => one.replaceAll(/\s/g, "").toLowerCase()));
  return seals.size === 1 ? [...seals][0] : undefined;
}
