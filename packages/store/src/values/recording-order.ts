// The order of recordings (D17): the first, second and so on of a call, a reference or a record.

import type { FoundRecording, Recording, RecordingOwner } from "../port/index.ts";

interface Timed {
  /** ms since 1970. */
  readonly startMs?: number | undefined;
}

interface TimedCall<One extends Timed> {
  /** The instant of its datetime; undefined without one. */
  readonly instantMs?: number | undefined;
  /** In the given order. */
  readonly recordings: readonly One[];
}

/**
 * Sorted by their own start, else by the datetime of their record, unknown ones last. If equal: the oldest record first, then
 * the order of import. `calls` are in the order of D09, in which equal instants are in the order of import.
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

/** The call with its recordings as search results: each names its owner (D38). */
export function toFound({
  record: { call_id, ref_id, datetime },
  ...call
}: TimedCall<Recording> & { readonly record: RecordingOwner }): TimedCall<FoundRecording> {
  const owner = { call_id, ref_id, datetime };
  return { ...call, recordings: call.recordings.map((one) => ({ ...one, owner })) };
}

const compare = (a = Infinity, b = Infinity): number => (a === b ? 0 : a - b);
