// Counts the calls that records describe, and those with a recording. Records with one call_id are the legs of one call.
import { type CallRecord, toRecordingNames } from "@call-media/client";

export interface CallTally {
  readonly add: (record: Tallied) => void;
  /** Undefined if there are too many to count. */
  readonly calls: () => number | undefined;
  readonly legs: () => number;
  /** Undefined if `calls` is. */
  readonly found: () => FoundCalls | undefined;
  /** Why calls have no recording, as far as their records tell; undefined if `calls` is. */
  readonly unrecorded: () => Unrecorded | undefined;
}

type Tallied = Pick<CallRecord, "call_id" | "recordings"> &
  Partial<Pick<CallRecord, "media" | "talk_time">>;

/** Calls without a recording, by the reason. */
export interface Unrecorded {
  /** Chats, e-mails and the like. */
  readonly written: number;
  /** Nobody talked. */
  readonly unanswered: number;
  /** They were not recorded, or their recordings are elsewhere. */
  readonly others: number;
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
  const sounds = new Map<unknown, Sound>();
  let legs = 0;
  const whole = <Value>(value: Value) => (sounds.size < MOST ? value : undefined);
  const count = (wanted: Sound) => [...sounds.values()].filter((sound) => sound === wanted).length;
  return {
    add(record) {
      legs++;
      // A record without an identifier counts as a separate call.
      const key = record.call_id || Symbol();
      if (sounds.size < MOST) sounds.set(key, Math.max(sounds.get(key) ?? 0, toSound(record)));
    },
    calls: () => whole(sounds.size),
    legs: () => legs,
    found: () => whole({ calls: sounds.size, unrecorded: sounds.size - count(Sound.recorded) }),
    unrecorded: () =>
      whole({
        written: count(Sound.written),
        unanswered: count(Sound.unanswered),
        others: count(Sound.talked),
      }),
  };
}

/** How much a record says about sound. A call has the highest value among its records. */
const Sound = { written: 0, unanswered: 1, talked: 2, recorded: 3 } as const;
type Sound = number;

const WRITTEN = /chat|mail|sms|text|messag|messenger|whatsapp|social/i;

function toSound({ recordings, media, talk_time }: Tallied): Sound {
  if (toRecordingNames(recordings).length > 0) return Sound.recorded;
  if ((talk_time ?? 0) > 0) return Sound.talked;
  return WRITTEN.test(media ?? "") ? Sound.written : Sound.unanswered;
}
