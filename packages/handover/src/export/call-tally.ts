// Counts the calls that records describe, and those with a recording. Records with one call_id are the legs of one call.
import { type CallRecord, toRecordingNames } from "@call-media/client";

export interface CallTally {
  readonly add: (record: Pick<CallRecord, "call_id" | "recordings">) => void;
  /** Undefined if there are too many to count. */
  readonly calls: () => number | undefined;
  readonly legs: () => number;
  /** Undefined if `calls` is. */
  readonly found: () => FoundCalls | undefined;
}

/** In the form of a report. */
export interface FoundCalls {
  readonly calls: number;
  /** Calls without a recording in any of their records. */
  readonly unrecorded: number;
}

/** The maximum number of remembered identifiers. */
const MOST = 1_000_000;

export function createCallTally(): CallTally {
  const recorded = new Map<unknown, boolean>();
  let legs = 0;
  const whole = <Value>(value: Value) => (recorded.size < MOST ? value : undefined);
  return {
    add({ call_id, recordings }) {
      legs++;
      // A record without an identifier counts as a separate call.
      const key = call_id || Symbol();
      if (recorded.size < MOST)
        recorded.set(key, recorded.get(key) === true || toRecordingNames(recordings).length > 0);
    },
    calls: () => whole(recorded.size),
    legs: () => legs,
    found() {
      const unrecorded = [...recorded.values()].filter((isRecorded) => !isRecorded).length;
      return whole({ calls: recorded.size, unrecorded });
    },
  };
}
