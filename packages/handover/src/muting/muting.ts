// Masks the words spoken in a muted span, and noted card numbers: otherwise they would remain as text next to the
// silence.
import { type CallRecord, toRecordingNames } from "@call-media/client";
import type { Message } from "../fetching/chat.ts";
import { MASK } from "../masking/mask.ts";
import { findCardNumbers } from "./card-numbers.ts";
import type { CallSpan } from "./spans.ts";
import { toMoment, toTimes } from "./times.ts";

export interface Muting {
  readonly spansOf: (call_id: string | null) => readonly CallSpan[];
  /** A transcript without times is masked completely, and so is a note with a card number. */
  readonly muteRecord: (record: CallRecord) => CallRecord;
}

export function createMuting(spans: readonly CallSpan[] = []): Muting {
  const byCall = Map.groupBy(spans, ({ call_id }) => call_id);
  const spansOf = (call_id: string | null) => byCall.get(call_id ?? "") ?? [];
  return {
    spansOf,
    muteRecord: (record) =>
      spansOf(record.call_id).length > 0 ? { ...record, ...muteTexts(record) } : record,
  };
}

const NOTES = ["notes", "disposition_notes"] as const;

/** Agents note what was said. Identifiers may have as many digits as a card, and are not masked. */
function muteTexts(record: CallRecord): Partial<CallRecord> {
  const noted = NOTES.filter((field) => findCardNumbers([record[field] ?? ""]).length > 0);
  const masked = [...noted, ...(typeof record.transcript === "string" ? ["transcript"] : [])];
  return Object.fromEntries(masked.map((field) => [field, MASK]));
}

/**
 * Masks each message that may have been spoken within a span, and each one with a card number, whenever it was spoken. `legs`: all
 * records of the call, because a span belongs to one of their recordings.
 */
export function muteMessages(
  messages: readonly Message[],
  legs: readonly CallRecord[],
  spans: readonly CallSpan[],
): readonly Message[] {
  if (spans.length === 0) return messages;
  const isSaid = createComparison(messages, legs, spans);
  const cards = findCardNumbers(messages.map(({ transcript }) => transcript ?? ""));
  const hasCard = (at: number) => cards.some(({ first, last }) => first <= at && at <= last);
  return messages.map((message, at) =>
    isSaid(at) || hasCard(at) ? { ...message, transcript: MASK } : message,
  );
}

/** Always true if the time of the messages within a recording with a span is unknown. */
function createComparison(
  messages: readonly Message[],
  legs: readonly CallRecord[],
  spans: readonly CallSpan[],
): (at: number) => boolean {
  const like = legs[0]?.datetime ?? null;
  const heard = legs.map((leg) => toHeard(leg, like));
  const times = toTimes(messages, like);
  const isUntimed = [...heard, ...times].some(({ from }) => Number.isNaN(from));
  if (legs.length === 0 || isUntimed) return () => true;
  const toStarts = createStarts(heard);
  const places = spans.map((span) => ({ ...span, starts: toStarts(span.part) }));
  return (at) =>
    places.some(
      ({ from, to, starts }) =>
        starts === undefined ||
        starts.some(
          (start) => (times[at]?.from ?? 0) < start + to && start + from < (times[at]?.to ?? 0),
        ),
    );
}

interface Heard {
  /** The start of the record and of its first recording, as `toMoment` returns it. */
  readonly from: number;
  /** The number of its recordings. */
  readonly count: number;
}

const toHeard = ({ datetime, recordings }: CallRecord, like: string | null): Heard => ({
  from: toMoment(datetime, like),
  count: toRecordingNames(recordings).length,
});

/**
 * Returns the possible starts of a recording of the call, by its number (D17): one if its record is known, otherwise those of all
 * records. Undefined if it may be a record's second recording, whose start is unknown.
 */
function createStarts(legs: readonly Heard[]): (part: number) => readonly number[] | undefined {
  const recorded = legs
    .filter(({ count }) => count > 0)
    // A longer list goes first: its recordings may precede those of a record with the same start.
    .toSorted((one, other) => one.from - other.from || other.count - one.count);
  const several = recorded.findIndex(({ count }) => count > 1);
  const known = several < 0 ? recorded : recorded.slice(0, several);
  const all = several < 0 ? legs.map(({ from }) => from) : undefined;
  return (part) => {
    const leg = known[part - 1];
    return leg === undefined ? all : [leg.from];
  };
}
