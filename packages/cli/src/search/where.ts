// The option --where: parses a condition, or throws a sentence that shows the column of its fault.
import {
  COMPARISONS,
  ConditionFault,
  type Condition,
  type FaultCode,
  listTests,
  parseCondition,
  readsChat,
} from "@call-media/conditions";
import { type Field, RECORD_FIELDS } from "@call-media/handover";
import stringWidth from "fast-string-width";
import { toSuggestion, UsageError } from "@call-media/terminal";

/** A condition, such as `talk_time > 10m && disposition ~ "refund"`. */
export interface Where {
  readonly condition: Condition<Field>;
  /** The fields that it tests. */
  readonly fields: readonly Field[];
  /** True if it tests what was said, so that chats must be read. */
  readonly readsChats: boolean;
}

/**
 * `named`: the name of the input for the user.
 *
 * @throws UsageError that shows the column of the fault.
 */
export function parseWhere(text: string, named = "--where"): Where {
  const condition = parse(text, named);
  const tests = listTests(condition);
  return {
    condition,
    fields: tests.map(({ field }) => field),
    readsChats: tests.some(readsChat),
  };
}

function parse(text: string, named: string): Condition<Field> {
  try {
    return parseCondition(text, RECORD_FIELDS);
  } catch (error) {
    if (!(error instanceof ConditionFault)) throw error;
    const { at, code, what } = error;
    const line = text.replaceAll(/\s/g, " ");
    const place = `${line}\n  ${" ".repeat(stringWidth(line.slice(0, at)))}^`;
    throw new UsageError(`${named}, column ${at + 1}: ${SENTENCES[code](what)}\n  ${place}`, {
      cause: error,
    });
  }
}

const orEnd = (what: string) => what || "the end";
const VALUES = `a number, a "text", a datetime or null must stand`;

const SENTENCES: Readonly<Record<FaultCode, (what: string) => string>> = {
  character: (what) => `${what} means nothing here`,
  "text-open": () => "this text has no end",
  "single-equals": () => "write == to compare",
  "single-sign": (what) => `write ${what}${what}`,
  "typographic-quotes": () => `write " or ' around a text`,
  "too-deep": () => "too deep",
  "bracket-open": (what) => `) is missing before ${orEnd(what)}`,
  "bracket-closed": () => "no ( stands before this )",
  "no-joint": (what) => `&& or || must stand before ${orEnd(what)}`,
  "no-field": (what) => `a field must stand here, not ${orEnd(what)}`,
  "unknown-field": (what) =>
    `${what} is not a field of a record${toSuggestion(what, RECORD_FIELDS)}`,
  "no-comparison": (what) => `after ${what} one of ${COMPARISONS.join(" ")} must stand`,
  "no-value": (what) => `after ${what} ${VALUES}`,
  unquoted: (what) => `${VALUES}: "${what}" in quotes?`,
  "contains-null": () => '~ looks for a text, such as ~ "refund"',
  "order-of-null": () => "null can only be compared by == and !=",
  "no-seconds": (what) => `${what} is a number of seconds, such as 600, 10m or 10:00`,
  "unquoted-value": (what) => `write "${what}" in quotes`,
  "no-day": (what) => `${what} is not a day of the calendar`,
  "no-datetime": () => "datetime is compared with such as 2026-03-01 or 2026-03-01T09:30:00Z",
};
