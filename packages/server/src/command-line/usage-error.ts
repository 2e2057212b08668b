// A command that cannot be carried out as it was given.

/** The message says what is wrong and what would be right; it is all that the operator sees. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Throws `UsageError`: where the archive lies there is nothing that does what the command is for. */
export function unable(what: string): never {
  throw new UsageError(`an archive in these places cannot ${what}`);
}
