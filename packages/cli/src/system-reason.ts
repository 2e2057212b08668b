// What the system says of files, in words: of what people meet, what to do about it.

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full: make room",
  EDQUOT: "the disk quota is used up: make room",
  EROFS: "the disk is read-only",
  EMFILE: "too many files are open: see ulimit -n",
};

/** Of an error of `node:fs`; undefined where its own words are as good. */
export function toSystemReason(error: Error): string | undefined {
  return "code" in error ? REASONS[String(error.code)] : undefined;
}
