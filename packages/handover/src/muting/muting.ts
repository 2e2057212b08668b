// The words that were said in a muted span go as well, and the number of a card that was noted: else they would stand as text beside the
// silence.
import { type CallRecord, toRecordingNames } from "@call-media/client";
import type { Message } from "../fetching/chat.ts";
import { MASK } from "../masking/mask.ts";
import { findCardNumbers } from "./card-numbers.ts";
import type { CallSpan } from "./spans.ts";
import { toMoment, toTimes } from "./times.ts";

export interface Muting {
  readonly spansOf: (call_id: string | null) => readonly CallSpan[];
  /** A transcript without times is masked whole, and so is a note with the number of a card. */
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

/** An agent notes what was said. Identifiers may have as many digits as a card, and stay. */
function muteTexts(record: CallRecord): Partial<CallRecord> {
  const noted = NOTES.filter((field) => findCardNumbers([record[field] ?? ""]).length > 0);
  const masked = [...noted, ...(typeof record.transcript === "string" ? ["transcript"] : [])];
  return Object.fromEntries(masked.map((field) => [field, MASK]));
}

/**
 * Masks each message that may have been said within a span, and those with the number of a card, whenever they were said. `legs`: all
 * records of the call, since a span is of one of their recordings.
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

/** True for each message if nothing tells when it was said in the recording. */
function createComparison(
  messages: readonly Message[],
  legs: readonly CallRecord[],
  spans: readonly CallSpan[],
): (at: number) => boolean {
  const like = legs[0]?.datetime ?? null;
  const starts = legs.map(({ datetime }) => toMoment(datetime, like));
  const times = toTimes(messages, like);
  // When the second recording of a record begins is not known.
  const isVague = legs.some(({ recordings }) => toRecordingNames(recordings).length > 1);
  const isUntimed = [...starts, ...times.map(({ from }) => from)].some(Number.isNaN);
  if (legs.length === 0 || isVague || isUntimed) return () => true;
  return (at) =>
    starts.some((start) =>
      spans.some(
        ({ from, to }) =>
          (times[at]?.from ?? 0) < start + to && start + from < (times[at]?.to ?? 0),
      ),
    );
}
