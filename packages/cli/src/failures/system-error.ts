// Errors of the system: which they are and, in words, what to do about those that people meet.

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

/**
 * Of a file or folder that is there and cannot be read, such as one on a bad sector: the path is told by others.
 *
 * @throws what is no error of the system.
 */
export function toReadFault(error: unknown): string {
  if (!(error instanceof Error) || !("syscall" in error)) throw error;
  const [words] = error.message.split(", ");
  return `cannot be read: ${toSystemReason(error) ?? words}`;
}

const MISSING: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);

/** Whether there is no such file, nor can be one: what its path has for a folder may be a file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && MISSING.has(error.code);
}

/** For `catch`: what takes the place of a file that is not there. */
export const ifMissing =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (isMissing(error)) return value;
    throw error;
  };
