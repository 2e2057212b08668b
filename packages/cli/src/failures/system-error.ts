// Describes errors of the operating system, with advice for the common ones.

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full: make room",
  EDQUOT: "the disk quota is used up: make room",
  EROFS: "the disk is read-only",
  EMFILE: "too many files are open: see ulimit -n",
};

/** Describes an error of `node:fs`; undefined if its own message is clear enough. */
export function toSystemReason(error: Error): string | undefined {
  return "code" in error ? REASONS[String(error.code)] : undefined;
}

/**
 * Describes why an existing file or folder cannot be read, for example because of a bad sector. The caller names the path.
 *
 * @throws the error itself if it is not a system error.
 */
export function toReadFault(error: unknown): string {
  if (!(error instanceof Error) || !("syscall" in error)) throw error;
  const [words] = error.message.split(", ");
  return `cannot be read: ${toSystemReason(error) ?? words}`;
}

const MISSING: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);

/** True if the file does not exist, or if its path leads through a file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && MISSING.has(error.code);
}

/** For `catch`: returns `value` instead of a missing file. */
export const ifMissing =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (isMissing(error)) return value;
    throw error;
  };
