// What a comparison means: by the kind of the field, and for records that have nothing in it.
import { document } from "@call-media/api";
import { type CallRecord, toSeconds } from "@call-media/client";
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
export type Judge = (record: CallRecord, chat: string | undefined) => boolean | undefined;

export type Field = keyof CallRecord;

export const COMPARISONS = ["==", "!=", "<=", ">=", "<", ">", "~"] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** What two values are compared as; undefined where that makes no sense of a value. */
type Reader = (value: CallRecord[Field]) => number | string | undefined;

/** A comparison as it is written. */
export interface Written {
  readonly field: Field;
  readonly comparison: Comparison;
  readonly literal: Token;
}

/** @throws WhereFault where the value can never be one of the field. */
export function toJudge(written: Written, clock: Clock): Judge {
  const { field, comparison, literal } = written;
  if (comparison !== "~") return toPredicate({ ...written, comparison }, clock);
  const contains = toContains(literal);
  return (record, chat) => {
    if (contains(valueOf(record, field))) return true;
    // What was written in a call was said as well.
    if (field !== "transcript") return false;
    return chat === undefined ? undefined : contains(chat);
  };
}

function toPredicate(
  { field, comparison, literal }: Written & { readonly comparison: Exclude<Comparison, "~"> },
  clock: Clock,
): Predicate {
  if (literal.kind === "name") return toNullTest(field, comparison, literal);
  const { read, wanted } = toReading(field, literal, clock);
  // The opposite of ==, so that it finds records with nothing in the field, too.
  if (comparison === "!=") return (record) => read(valueOf(record, field)) !== wanted;
  return (record) => {
    const value = read(valueOf(record, field));
    return value !== undefined && ORDER[comparison](value, wanted);
  };
}

/** Some services leave out the fields that have no value. */
const valueOf = (record: CallRecord, field: Field) => record[field] ?? null;

const ORDER: Readonly<
  Record<
    Exclude<Comparison, "!=" | "~">,
    (value: number | string, wanted: number | string) => boolean
  >
> = {
  "==": (value, wanted) => value === wanted,
  "<": (value, wanted) => value < wanted,
  "<=": (value, wanted) => value <= wanted,
  ">": (value, wanted) => value > wanted,
  ">=": (value, wanted) => value >= wanted,
};

function toNullTest(field: Field, comparison: Comparison, { at }: Token): Predicate {
  if (comparison !== "==" && comparison !== "!=")
    throw new WhereFault(`null can only be compared by == and !=`, at);
  return (record) => (valueOf(record, field) === null) === (comparison === "==");
}

function toContains({ kind, value, at }: Token): (text: CallRecord[Field]) => boolean {
  if (kind === "name") throw new WhereFault('~ looks for a text, such as ~ "refund"', at);
  const wanted = toFolded(value);
  return (text) => text !== null && toFolded(text).includes(wanted);
}

/** A letter and its accent may be one character or two, and look the same (Unicode, UAX #15). */
const toComposed = (value: number | string) => String(value).normalize("NFC");

/** In lower case alone a sigma at the end of a word is another letter than one within it. */
const toFolded = (value: number | string) => toComposed(value).toLowerCase().toUpperCase();

function toReading(field: Field, literal: Token, clock: Clock) {
  const { kind, value } = literal;
  if (field === "datetime") return toDatetimeReading(literal, clock);
  if (isSeconds(field)) return check(readSeconds, literal, `${field} is a number of seconds`);
  // A text field with a number: compared as numbers, so that 90 is before 1000.
  if (kind === "number") return check(readNumber, literal, `write "${value}" in quotes`);
  return { read: readText, wanted: toComposed(value) };
}

function check(read: Reader, { value, at }: Token, hint: string) {
  const wanted = read(value);
  if (wanted === undefined) throw new WhereFault(hint, at);
  return { read, wanted };
}

const readText: Reader = (value) => (value === null ? undefined : toComposed(value));

const readSeconds: Reader = (value) => toSeconds(value);

const readNumber: Reader = (value) => {
  const isNumber = value !== null && /^\s*-?\d{1,15}(?:\.\d+)?\s*$/.test(String(value));
  return isNumber ? Number(value) : undefined;
};

/** Without an offset a person means what the clock showed. */
function toDatetimeReading({ value, at }: Token, { toClockMs, toInstantMs }: Clock) {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(value) ?? [];
  if (day !== undefined && !isDay(day))
    throw new WhereFault(`${day} is no day of the calendar`, at);
  const wanted = toInstant(value)?.getTime();
  if (wanted === undefined) throw new WhereFault(DATETIME_HINT, at);
  const toMs = hasOffset(value) ? toInstantMs : toClockMs;
  const read: Reader = (datetime) => (datetime === null ? undefined : toMs(String(datetime)));
  return { read, wanted };
}

const DATETIME_HINT = "datetime is compared with such as 2026-03-01 or 2026-03-01T09:30:00Z";

/** The contract gives the type of these in its filter. */
function isSeconds(field: Field): boolean {
  return document.components.schemas["MetadataFilter"]?.properties?.[field]?.type === "integer";
}
