// A correct command that failed.

/** The user sees only the message: the reason, and what may help. The exit code is 1. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}
