// A mistake in a command.

/** The user sees only the message: the mistake, and the correction. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
