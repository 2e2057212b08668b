// Digests by which a source may say what the content of a recording has to be.

/** What they are called, also by node:crypto, and how many bytes each has. */
export const DIGEST_BYTES = {
  md5: 16,
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
} as const;

export type DigestKind = keyof typeof DIGEST_BYTES;

export const DIGEST_KINDS = Object.keys(DIGEST_BYTES) as readonly DigestKind[]; // the keys of the table

/** As lower-case hexadecimal digits; of several all count. */
export type Digests = Readonly<Partial<Record<DigestKind, string | undefined>>>;

/** Those of the kinds above among `from`. */
export function pickDigests(from: Digests): Digests {
  return Object.fromEntries(DIGEST_KINDS.map((kind) => [kind, from[kind]]));
}
