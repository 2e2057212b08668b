// The order of recordings (D17): which one a call, a reference or a record gives as its first, second and so on.

interface Timed {
  /** ms since 1970. */
  readonly startMs?: number | undefined;
}

interface TimedCall<One extends Timed> {
  /** Of its datetime; undefined without one. */
  readonly instantMs?: number | undefined;
  /** As they were given. */
  readonly recordings: readonly One[];
}

/**
 * By their own start, else by the datetime of their record, unknown ones last. Equal ones: the oldest record first, then in
 * the order of import. `calls` are in that of D09, whose equal instants are in the order of import.
 */
export function toRecordingOrder<One extends Timed>(calls: readonly TimedCall<One>[]): One[] {
  return calls
    .toSorted((a, b) => compare(a.instantMs, b.instantMs))
    .flatMap(({ instantMs, recordings }) =>
      recordings.map((one) => ({ one, atMs: one.startMs ?? instantMs })),
    )
    .toSorted((a, b) => compare(a.atMs, b.atMs))
    .map(({ one }) => one);
}

const compare = (a = Infinity, b = Infinity): number => (a === b ? 0 : a - b);
