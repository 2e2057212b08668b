// Reads all of an archive back, in small steps while it is served, so that damage is found while there is still an undamaged backup.

/** The progress; stored in the archive, and shared by all its servers. */
export interface ReadBackStatus {
  /** Every record and every recording has been read since this time, in ms since 1970. Undefined before the first step. */
  readonly oldestMs: number | undefined;
  /** Damaged or missing records and recordings: those of the current walk, or of the last one if these are more. */
  readonly damaged: number;
}

export interface ReadBackStep {
  /** Identifiers, for an operator, of what differs from the import. */
  readonly damaged: readonly string[];
  /** When the next step is due, in ms since 1970. */
  readonly nextMs: number;
}

export interface ReadBack {
  /**
   * Reads the next part, if it is due. Throws `StoreFault` if the archive cannot be read now, and the reason of `signal` if
   * that ends it. The part is then read again.
   */
  step(signal?: AbortSignal): Promise<ReadBackStep>;
  status(): Promise<ReadBackStatus>;
}
