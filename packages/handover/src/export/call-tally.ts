// How many calls records describe, and how many of these have a recording: records with one call_id are the legs of one call.
import { type CallRecord, toRecordingNames } from "@call-media/client";

export interface CallTally {
  readonly add: (record: Pick<CallRecord, "call_id" | "recordings">) => void;
  /** Undefined where there are too many to tell. */
  readonly calls: () => number | undefined;
  readonly legs: () => number;
  /** Undefined where `calls` is. */
  readonly found: () => FoundCalls | undefined;
}

/** As a report has it. */
export interface FoundCalls {
  readonly calls: number;
  /** Calls of which no record names a recording. */
  readonly unrecorded: number;
}

/** Identifiers that are remembered. */
const MOST = 1_000_000;

export function createCallTally(): CallTally {
  const recorded = new Map<unknown, boolean>();
  let legs = 0;
  const whole = <Value>(value: Value) => (recorded.size < MOST ? value : undefined);
  return {
    add({ call_id, recordings }) {
      legs++;
      // Without an identifier it is a call of its own.
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
