// Proposes spans to mute where a transcript has a payment card number. A person has to listen to them before accepting.
import { type CallRecord, toRecordingNames } from "@call-media/client";
import type { Message } from "../fetching/chat.ts";
import { findCardNumbers } from "./card-numbers.ts";
import type { CallSpan } from "./spans.ts";
import { toLineTimes, toMoment } from "./times.ts";

export interface Proposed {
  readonly spans: readonly CallSpan[];
  /** Card numbers whose time in a recording is unknown. */
  readonly untimed: number;
}

const REASON = "card number in the transcript";

/** `legs`: all records of the call. */
export function proposeSpans(messages: readonly Message[], legs: readonly CallRecord[]): Proposed {
  const [leg, ...others] = legs.filter(({ recordings }) => toRecordingNames(recordings).length > 0);
  const isAlone = others.length === 0 && toRecordingNames(leg?.recordings ?? null).length === 1;
  const began = isAlone ? toMoment(leg?.datetime ?? null, leg?.datetime ?? null) : Number.NaN;
  const times = toLineTimes(messages, leg?.datetime ?? null);
  const found = findCardNumbers(messages.map(({ transcript }) => transcript ?? "")).map(
    ({ first, last }) => ({
      from: Math.max(0, (times[first]?.from ?? 0) - began),
      to: (times[last]?.to ?? 0) - began,
    }),
  );
  const timed = found.filter(({ from, to }) => from < to);
  const call_id = leg?.call_id ?? "";
  return {
    spans: timed.map((span) => ({ call_id, part: 1, ...span, reason: REASON })),
    untimed: found.length - timed.length,
  };
}
