// A command that cannot be carried out as given.

/** The message says what is wrong and how to do it right; the operator sees nothing else. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Throws `UsageError`: archives in this place do not support the command. */
export function unable(what: string): never {
  throw new UsageError(`an archive in these places cannot ${what}`);
}
