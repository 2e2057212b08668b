// Defines what a comparison means for each kind of field value (D08, D30).
import type { Comparison, Test } from "./condition.ts";
import { foldCase, foldLetters, toStoredDigits, toTypedEnding } from "@call-media/words";
import type { Clock } from "./clock.ts";
import { toKind } from "./field-kinds.ts";
import { hasOffset, toInstant } from "./instant.ts";

export type ValueTest = (value: unknown) => boolean;
type TextTest = (text: string) => boolean;

/** `!=` is the opposite of `==`. All other comparisons are false for an empty field. */
export function toValueTest({ field, comparison, value: wanted }: Test, clock: Clock): ValueTest {
  if (comparison === "!=") {
    const isSame = toValueTest({ field, comparison: "==", value: wanted }, clock);
    return (value) => !isSame(value);
  }
  if (wanted === null) return isNothing;
  if (toKind(field) === "datetime" && comparison !== "~")
    return toDatetimeTest(comparison, String(wanted), clock);
  const text = String(wanted);
  const isMet = toKind(field) === "telephone" ? toPhoneTest(comparison, text) : undefined;
  const test = isMet ?? (comparison === "~" ? toContains(text) : toOrder(comparison, wanted));
  return (value) => !isNothing(value) && test(String(value));
}

/** In a datetime without an offset, a person means the local time on the clock. */
function toDatetimeTest(
  comparison: Exclude<Comparison, "~">,
  wanted: string,
  { toClockMs, toInstantMs }: Clock,
): ValueTest {
  const ms = toInstant(wanted)?.getTime();
  const toMs = hasOffset(wanted) ? toInstantMs : toClockMs;
  return (value) =>
    !isNothing(value) && ms !== undefined && isInOrder(comparison, toMs(String(value)), ms);
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "";

/** Compares in any notation by the ending (D30), or by all digits if fewer than four. Undefined for other texts and for orderings. */
function toPhoneTest(comparison: Comparison, wanted: string): TextTest | undefined {
  const ending = toTypedEnding(wanted);
  const isSame =
    ending === undefined ? undefined : (text: string) => toStoredDigits(text).endsWith(ending);
  const digits = /\p{L}/u.test(wanted) ? "" : toStoredDigits(wanted);
  if (comparison === "==")
    return isSame ?? (digits === "" ? undefined : (text) => toStoredDigits(text) === digits);
  if (comparison !== "~") return undefined;
  const contains = toContains(wanted);
  return (text) =>
    contains(text) ||
    isSame?.(text) === true ||
    (digits !== "" && toStoredDigits(text).includes(digits));
}

/**
 * True if the value contains the text in its folded form (D30). Any separators between words count as one space. Signs before
 * the first word and after the last one must match exactly, so that `10%` is not found in 100.
 */
function toContains(wanted: string): TextTest {
  const folded = foldLetters(wanted);
  const words = toWords(folded);
  const isWords = /^[\p{L}\p{N}]/u.test(folded) && /[\p{L}\p{M}\p{N}]$/u.test(folded);
  return (text) => {
    const own = foldLetters(text);
    return own.includes(folded) || (isWords && toWords(own).includes(words));
  };
}

const toWords = (folded: string): string => folded.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ");

/** Whole values, as the archive matches them (D08), and in the order of their characters; numbers as numbers. */
function toOrder(comparison: Exclude<Comparison, "~">, wanted: string | number): TextTest {
  if (typeof wanted === "number") return (text) => isInOrder(comparison, readNumber(text), wanted);
  const key = toMatchKey(wanted);
  return (text) => isInOrder(comparison, toMatchKey(text), key);
}

/**
 * The form in which whole values are compared (D08). A letter and its accent may be one character or two, and look the
 * same (Unicode, UAX #15).
 */
const toMatchKey = (text: string): string => foldCase(text.normalize("NFC").trim());

/** The same for all values of a field that `==` treats as equal. Telephone numbers share the part after the country code. */
export function toGroupKey(field: string, value: string): string {
  const digits = toKind(field) === "telephone" ? toTypedEnding(value) : undefined;
  return digits ?? toMatchKey(value);
}

const readNumber = (text: string): number | undefined =>
  /^\s*-?\d{1,15}(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;

/** Without a value to compare, only != is true. */
function isInOrder<Key extends number | string>(
  comparison: Exclude<Comparison, "~">,
  own: Key | undefined,
  wanted: Key,
): boolean {
  if (own === undefined) return comparison === "!=";
  return ORDERS[comparison](own < wanted ? -1 : Number(own > wanted));
}

const ORDERS: Readonly<Record<Exclude<Comparison, "~">, (difference: number) => boolean>> = {
  "==": (difference) => difference === 0,
  "!=": (difference) => difference !== 0,
  "<": (difference) => difference < 0,
  "<=": (difference) => difference <= 0,
  ">": (difference) => difference > 0,
  ">=": (difference) => difference >= 0,
};
