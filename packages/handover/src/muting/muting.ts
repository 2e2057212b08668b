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

/** Always true if the time of the messages within the recording is unknown. */
function createComparison(
  messages: readonly Message[],
  legs: readonly CallRecord[],
  spans: readonly CallSpan[],
): (at: number) => boolean {
  const like = legs[0]?.datetime ?? null;
  const starts = legs.map(({ datetime }) => toMoment(datetime, like));
  const times = toTimes(messages, like);
  // The start of a record's second recording is unknown.
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
