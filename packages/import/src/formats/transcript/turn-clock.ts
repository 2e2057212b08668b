// Times of the turns of a conversation whose lines give times without a date.
import { findDayFault, toDay } from "@call-media/store/values";
import type { Message } from "./conversation.ts";

type When = Pick<Message, "datetime" | "offsetMs">;

const CLOCK = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?([AaPp]))?/;
const DATED = /^(\d{4}-\d\d-\d\d)[T ](.*)$/;
const DAY_MS = 86_400_000;
const NEAR_START_MS = 600_000;

export interface TurnClock {
  /** True if the times need the start of the conversation. */
  readonly needsStart: boolean;
  /** To be called for the turns in their order. */
  toWhen(time: string | undefined, startMs: number | undefined): When;
}

/**
 * `firstTime` is the first that the text gives. Times with a date are what they say. Of those without, what begins within
 * ten minutes of 0:00:00 and has seconds counts from the start of the conversation; anything else is the time of a day:
 * of `firstDay`, else that on which the conversation began, and the next when it falls back by more than half a day. A
 * turn without a time has that of the one before.
 */
export function createTurnClock(
  firstTime: string | undefined,
  firstDay: string | undefined,
  timeZone: string,
): TurnClock {
  const firstMs = firstTime === undefined ? undefined : toDayMs(firstTime);
  const isDated = DATED.test(firstTime ?? "");
  const counts = firstMs !== undefined && firstMs < NEAR_START_MS && /:\d\d:/.test(firstTime ?? "");
  let day = firstDay;
  let last: When | undefined;
  let lastMs = 0;
  let days = 0;

  const onDay = (ofDayMs: number, startMs: number | undefined): When => {
    day ??= toDay(startMs ?? 0, timeZone);
    if (ofDayMs < lastMs - DAY_MS / 2) days += 1;
    lastMs = ofDayMs;
    if (findDayFault(day) !== undefined) return { datetime: undefined };
    const local = new Date(Date.parse(day) + days * DAY_MS + ofDayMs);
    return { datetime: local.toISOString().replace(/(?:\.000)?Z$/, "") };
  };

  return {
    needsStart: !isDated && (counts || firstTime === undefined || firstDay === undefined),
    toWhen: (given, startMs) => {
      const time = given ?? (last === undefined ? firstTime : undefined);
      if (time === undefined) return last ?? {};
      const ofDayMs = toDayMs(time);
      if (ofDayMs === undefined) {
        const [, date, clock = ""] = DATED.exec(time) ?? [];
        if (date !== undefined) [day, days, lastMs] = [date, 0, toDayMs(clock) ?? 0];
        last = { datetime: time };
      } else last = counts ? { offsetMs: ofDayMs } : onDay(ofDayMs, startMs);
      return last;
    },
  };
}

/** Milliseconds since 0:00; undefined for what has a date, or is a time that no clock shows. */
function toDayMs(time: string): number | undefined {
  const [, hours, minutes, seconds = "0", fraction = "0", half] = CLOCK.exec(time) ?? [];
  if (hours === undefined || Math.max(Number(minutes), Number(seconds)) > 59) return undefined;
  const isLate = half?.toLowerCase() === "p";
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isLate ? 12 : 0);
  if (hour > 23) return undefined;
  return (
    (hour * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000 +
    Number(fraction.slice(0, 3).padEnd(3, "0"))
  );
}
