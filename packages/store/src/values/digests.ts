// The digests by which a source may state the content of a recording.
import type { DigestKind, Digests } from "../port/media.ts";

export type { DigestKind, Digests };

/** Their names, also for node:crypto, and their lengths in bytes. */
export const DIGEST_BYTES = {
  md5: 16,
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
} as const satisfies Record<DigestKind, number>;

export const DIGEST_KINDS = Object.keys(DIGEST_BYTES) as readonly DigestKind[]; // the keys of the table

/** The digests of `from` of the kinds above. */
export function pickDigests(from: Digests): Digests {
  return Object.fromEntries(DIGEST_KINDS.map((kind) => [kind, from[kind]]));
}
