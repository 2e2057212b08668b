// Reads the bytes of a file as numbers and names.

export const toView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Shorter if bytes are missing. */
export const textAt = (bytes: Uint8Array, at: number, length = 4): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/** A number of `count` bits, at most 16, from bit `at` on; the most significant bit comes first. */
export function bitsAt(bytes: Uint8Array, at: number, count: number): number {
  const byte = at >> 3;
  const word = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0);
  return (word >> (24 - count - (at & 7))) & ((1 << count) - 1);
}

/** Four letters, such as "data". */
export const isChunkName = (name: string): boolean => /^[\x20-\x7e]{4}$/.test(name);
