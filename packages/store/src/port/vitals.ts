// Figures of an archive that an operator wants to be alerted on.

/** The commands whose last success an archive remembers. `retention`: `retention apply`, or `plan`, which says what is due. */
export type NotedCommand = "import" | "backup" | "verify" | "retention";

export interface Noted {
  /** When it ended, in ms since 1970. */
  readonly atMs: number;
  /** Damaged contents that `verify` found, or records that are due; 0 of the others. */
  readonly count: number;
}

export interface Vitals {
  /** Free bytes on the disk of the records; undefined if they are not in a directory. */
  readonly freeBytes: number | undefined;
  /** Calls and references that purges have named while holds kept them. */
  readonly owed: number;
  readonly noted: Readonly<Partial<Record<NotedCommand, Noted>>>;
}
