// The faults of an archive. Only adapters know the error codes of a database engine or of the system.

/** The reason why the store could not do what was requested. */
export type FaultReason =
  /** It cannot be reached, read or written now. */
  | "unavailable"
  /** The data read differs from the data written. */
  | "damaged"
  /** Too much is asked of it at once. The message says what to do, and the caller may see it. */
  | "busy"
  /** Too much is asked of it in one question, whatever else goes on. The message says what to do, and the caller may see it. */
  | "broad"
  /** There is no room left for what was to be written. */
  | "full"
  /** Data that was there is missing. */
  | "lost";

/** A failure of the store itself. Nothing of the intended write was kept. The message is for operators, except for `busy` and `broad`. */
export class StoreFault extends Error {
  override readonly name: string = "StoreFault";
  readonly reason: FaultReason;

  constructor(reason: FaultReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Places without a usable archive, or a setting that does not fit the archive. The message is one line, for people. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** A source that is not a usable recording, or not the declared one. */
export class MediaRejected extends Error {
  override readonly name = "MediaRejected";
}

export function isFault(error: unknown, ...reasons: readonly FaultReason[]): error is StoreFault {
  return error instanceof StoreFault && reasons.includes(error.reason);
}
