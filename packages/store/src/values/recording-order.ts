// The order of recordings (D17): which one a call, a reference or a record gives as its first, second and so on.

import type { FoundRecording, Recording, RecordingOwner } from "../port/index.ts";

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

/** The call with its recordings as they are found: each says whose it is (D38). */
export function toFound({
  record: { call_id, ref_id, datetime },
  ...call
}: TimedCall<Recording> & { readonly record: RecordingOwner }): TimedCall<FoundRecording> {
  const owner = { call_id, ref_id, datetime };
  return { ...call, recordings: call.recordings.map((one) => ({ ...one, owner })) };
}

const compare = (a = Infinity, b = Infinity): number => (a === b ? 0 : a - b);
