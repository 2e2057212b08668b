// A command that was right, but in vain.

/** The message says why, and what may help; it is all that the user sees, and the program ends with 1. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}
