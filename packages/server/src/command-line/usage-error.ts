// A command that cannot be carried out as it was given.

/** The message says what is wrong and what would be right; it is all that the operator sees. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
