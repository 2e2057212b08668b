// A comparison of --where: what may be compared with what, and datetimes, which a clock reads.
import { document } from "@call-media/api";
import { type CallRecord, toSeconds } from "@call-media/client";
import {
  type Comparison,
  isInOrder,
  isNumberField,
  type Judge as JudgeOf,
  toJudge as judgeBy,
} from "@call-media/words";
import type { Clock } from "../clock.ts";
import { isDay } from "../day.ts";
import { hasOffset, toInstant } from "../instant.ts";
import type { Token } from "./tokens.ts";
import { WhereFault } from "./where-fault.ts";

export type Predicate = (record: CallRecord) => boolean;

/**
 * Whether a record meets a condition. `chat`: what was written in its call; undefined where that is not known, and the
 * result is undefined where it depends on it.
 */
export type Judge = JudgeOf<CallRecord>;

export type Field = keyof CallRecord;

/** A comparison as it is written. */
export interface Written {
  readonly field: Field;
  readonly comparison: Comparison;
  readonly literal: Token;
}

/** @throws WhereFault where the value can never be one of the field. */
export function toJudge({ field, comparison, literal }: Written, clock: Clock): Judge {
  const { kind, at } = literal;
  if (kind === "name" && comparison === "~")
    throw new WhereFault('~ looks for a text, such as ~ "refund"', at);
  if (kind === "name" && comparison !== "==" && comparison !== "!=")
    throw new WhereFault(`null can only be compared by == and !=`, at);
  if (field === "datetime" && comparison !== "~" && kind !== "name")
    return toDatetimeTest(comparison, literal, clock);
  const value = comparison === "~" ? literal.value : toValue(field, literal);
  return judgeBy({ field, comparison, value });
}

function toValue(field: Field, { kind, value, at }: Token): string | number | null {
  if (kind === "name") return null;
  if (isSeconds(field)) return check(toSeconds(value), `${field} is a number of seconds`, at);
  // A text field with a number: compared as numbers, so that 90 is before 1000.
  if (kind !== "number" || isNumberField(field)) return value;
  const isShort = /^-?\d{1,15}(?:\.\d+)?$/.test(value);
  return check(isShort ? Number(value) : undefined, `write "${value}" in quotes`, at);
}

function check(wanted: number | undefined, hint: string, at: number): number {
  if (wanted === undefined) throw new WhereFault(hint, at);
  return wanted;
}

/** Without an offset a person means what the clock showed. */
function toDatetimeTest(
  comparison: Exclude<Comparison, "~">,
  { value, at }: Token,
  { toClockMs, toInstantMs }: Clock,
): Predicate {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(value) ?? [];
  if (day !== undefined && !isDay(day))
    throw new WhereFault(`${day} is no day of the calendar`, at);
  const wanted = check(toInstant(value)?.getTime(), DATETIME_HINT, at);
  const toMs = hasOffset(value) ? toInstantMs : toClockMs;
  return (record) => {
    const own = valueOf(record, "datetime");
    return isInOrder(comparison, own === null ? undefined : toMs(String(own)), wanted);
  };
}

/** Some services leave out the fields that have no value, or write numbers. */
const valueOf = (record: CallRecord, field: Field) => record[field] ?? null;

const DATETIME_HINT = "datetime is compared with such as 2026-03-01 or 2026-03-01T09:30:00Z";

/** The contract gives the type of these in its filter. */
function isSeconds(field: Field): boolean {
  return document.components.schemas["MetadataFilter"]?.properties?.[field]?.type === "integer";
}
