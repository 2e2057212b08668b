// Messages that lie far from the call of their row: in another zone, with day and month exchanged, or of another conversation.
import { parseSourceTime } from "@call-media/store/values";
import { createDateProbe } from "./dates.ts";
import { createDayOrderProbe, exchangeDayAndMonth } from "./day-order.ts";
import { createTally, type Doubt, type JudgedCall, toValueText } from "./doubt.ts";
import { createShifts, ZONE_ADVICE } from "./wrong-zone.ts";
import type { ZoneSource } from "./zone.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// Visitors write while they wait.
const BEFORE_MS = HOUR_MS / 2;
// Fewer may be near by chance.
const FEW = 3;
const MOST = 0.8;

interface Options {
  /** How times without an offset are read. */
  readonly timeZone: string;
  readonly zone: ZoneSource;
  readonly nowMs: number;
}

/** Only those of an operator's own mapping are judged. */
export function createMessagesProbe({ timeZone, zone, nowMs }: Options) {
  const dates = createDateProbe(nowMs, "message");
  const order = createDayOrderProbe(nowMs, "messages");
  const shifts = createShifts();
  const far = createTally();
  const exchanged = createTally();
  let open = 0;
  const read = ({ entry }: JudgedCall) => readTime(entry["datetime"], timeZone);
  const compare = (call: JudgedCall, messages: readonly JudgedCall[]): void => {
    const [start, times] = [read(call), messages.flatMap((one) => read(one) ?? [])];
    if (start === undefined || times.length === 0) return;
    if (zone !== "known" && times.some(({ hasOffset }) => hasOffset !== start.hasOffset)) return;
    const endMs = start.instantMs + toLengthMs(call);
    const isNear = (ms: number) => ms >= start.instantMs - DAY_MS && ms <= endMs + DAY_MS;
    const others = messages.flatMap(({ entry, isOrderOpen }) =>
      isOrderOpen ? (readTime(exchangeDayAndMonth(entry["datetime"]), timeZone) ?? []) : [],
    );
    if (others.length > 0) open += 1;
    const what = toValueText("datetime", messages[0]?.entry["datetime"]);
    if (times.some(({ instantMs }) => isNear(instantMs))) {
      const firstMs = times.reduce((first, one) => Math.min(first, one.instantMs), Infinity);
      shifts.add(call, start.instantMs, [firstMs - start.instantMs]);
    } else if (others.some(({ instantMs }) => isNear(instantMs))) {
      exchanged.add(call, what);
      return;
    }
    const isOutside = ({ instantMs }: Time) =>
      instantMs < start.instantMs - BEFORE_MS || instantMs > endMs + DAY_MS;
    if (times.some(isOutside)) far.add(call, toValueText("call_id", call.entry["call_id"]));
  };
  return {
    /** The call of a row, or its calls, and their messages. */
    see: (records: readonly JudgedCall[]): void => {
      const messages = records.filter(({ isMapped, entry }) => isMapped && isTimed(entry));
      for (const message of messages) dates.see(message);
      const byCall = Map.groupBy(messages, ({ entry }) => entry["call_id"]);
      for (const [callId, some] of byCall) {
        const call = records.find(
          ({ entry }) => entry["kind"] === "call" && entry["call_id"] === callId,
        );
        if (call !== undefined && read(call) !== undefined) compare(call, some);
        else for (const message of some) order.see(message);
      }
    },
    judge: (): readonly Doubt[] => {
      const shifted = shifts.judge({
        effect: "stop",
        text: "its messages lie",
        advice: ZONE_ADVICE,
      });
      const isRule = exchanged.count() >= FEW && exchanged.count() >= MOST * open;
      return [
        ...dates.judge(),
        ...order.judge(),
        ...shifted,
        ...exchanged.toDoubts({ ...EXCHANGED, effect: isRule ? "stop" : "warn" }),
        ...(shifted.length > 0 ? [] : far.toDoubts(OUTSIDE)),
      ];
    },
  };
}

const EXCHANGED = {
  name: "dates",
  text: "its messages lie more than a day from the call, and near it with day and month exchanged",
  advice: "Correct the order of d and M in the format of their datetime",
} as const;

const OUTSIDE = {
  name: "dates",
  effect: "warn",
  text: "a message lies before the call, or more than a day after its end",
  advice: "Compare the call with the source: the datetime of its messages, and of itself",
} as const;

const isTimed = ({ kind, datetime }: JudgedCall["entry"]) =>
  kind === "chat" && typeof datetime === "string";

interface Time {
  readonly instantMs: number;
  readonly hasOffset: boolean;
}

function readTime(datetime: unknown, timeZone: string): Time | undefined {
  const parsed = typeof datetime === "string" ? parseSourceTime(datetime.trim(), timeZone) : "";
  return typeof parsed === "string" ? undefined : parsed;
}

const toLengthMs = ({ entry }: JudgedCall) =>
  Math.max(...[entry["talk_time"], entry["handle_time"]].map((one) => Number(one ?? 0) || 0)) *
  1_000;
