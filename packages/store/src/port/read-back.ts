// Reading all of an archive back, a little at a time while it is served, so that damage is found while there is a backup without it.

/** How far it is; kept in the archive, and shared by all servers of it. */
export interface ReadBackStatus {
  /** ms since 1970: since then every record and every recording has been read. Undefined before the first step. */
  readonly oldestMs: number | undefined;
  /** Records and recordings that the walk under way has found damaged or missing; if these are fewer, those of the last one. */
  readonly damaged: number;
}

export interface ReadBackStep {
  /** What is not what was imported, by its identifiers, for an operator. */
  readonly damaged: readonly string[];
  /** ms since 1970: when the next step is due. */
  readonly nextMs: number;
}

export interface ReadBack {
  /**
   * Reads the next part, if it is due. Throws `StoreFault` when the archive cannot be read now, and the reason of `signal` when
   * that ends it: the part is read again.
   */
  step(signal?: AbortSignal): Promise<ReadBackStep>;
  status(): Promise<ReadBackStatus>;
}
