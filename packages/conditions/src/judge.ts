// Decides whether a record meets a condition: yes, no, or unknown without the chat of its call.
import { type Clock, createClock } from "./clock.ts";
import { type Condition, readsChat, type Test } from "./condition.ts";
import { toValueTest } from "./values.ts";

/**
 * Returns whether a record meets a condition. `chat` is the text written in its call, or undefined if unknown. The result is
 * undefined if it depends on an unknown chat.
 */
export type Judge<Record> = (record: Record, chat: string | undefined) => boolean | undefined;

/** Without a condition, every record passes. `clock` says how datetimes are read; default: as written. */
export function toJudge<Field extends string>(
  condition: Condition<Field> | undefined,
  clock: Clock = createClock(),
): Judge<{ readonly [field in Field]?: unknown }> {
  if (condition === undefined) return () => true;
  const toPart = (part: Condition<Field>) => toJudge(part, clock);
  if ("all" in condition) return joinJudges(condition.all.map(toPart), false);
  if ("any" in condition) return joinJudges(condition.any.map(toPart), true);
  return "not" in condition ? negate(toPart(condition.not)) : toTestJudge(condition, clock);
}

function toTestJudge<Field extends string>(
  test: Test<Field>,
  clock: Clock,
): Judge<{ readonly [field in Field]?: unknown }> {
  const isMet = toValueTest(test, clock);
  const isOpen = readsChat(test);
  return (record, chat) => {
    const isRecord = isMet(record[test.field]);
    if (isRecord || !isOpen) return isRecord;
    return chat === undefined ? undefined : isMet(chat);
  };
}

/** One `deciding` part settles the result even if others are unknown: true for "or", false for "and" (Kleene logic). */
const joinJudges =
  <Record>(parts: readonly Judge<Record>[], deciding: boolean): Judge<Record> =>
  (record, chat) => {
    let isKnown = true;
    for (const part of parts) {
      const isMet = part(record, chat);
      if (isMet === deciding) return deciding;
      isKnown &&= isMet !== undefined;
    }
    return isKnown ? !deciding : undefined;
  };

const negate =
  <Record>(inner: Judge<Record>): Judge<Record> =>
  (record, chat) => {
    const isMet = inner(record, chat);
    return isMet === undefined ? undefined : !isMet;
  };
