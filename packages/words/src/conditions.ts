// What a condition on a field of a call means, for `--where`, the tools of agents and the page alike (D08, D30).
import { foldCase } from "./case.ts";
import { toStoredDigits, toTypedEnding } from "./numbers.ts";
import { isNumberField } from "./sources.ts";
import { foldLetters } from "./tokens.ts";

export const COMPARISONS = ["==", "!=", "<=", ">=", "<", ">", "~"] as const;
export type Comparison = (typeof COMPARISONS)[number];

export interface Condition<Field extends string = string> {
  readonly field: Field;
  readonly comparison: Comparison;
  /** null asks whether there is nothing; a number is compared with values that are numbers. */
  readonly value: string | number | null;
}

/**
 * Whether a record meets a condition. `chat`: what was written in its call; undefined where that is not known, and the
 * result is undefined where it depends on it.
 */
export type Judge<Record> = (record: Record, chat: string | undefined) => boolean | undefined;
type Test = (value: unknown) => boolean;

export function toJudge<Field extends string>(
  condition: Condition<Field>,
): Judge<{ readonly [field in Field]?: unknown }> {
  const { field, comparison } = condition;
  const isMet = toTest(condition);
  // What was written in a call was said as well.
  const readsChat = field === "transcript" && comparison === "~";
  return (record, chat) => {
    const isRecord = isMet(record[field]);
    if (isRecord || !readsChat) return isRecord;
    return chat === undefined ? undefined : isMet(chat);
  };
}

/** One part that is `deciding` decides, whatever is not known of the others: true of "or", false of "and" (Kleene's logic). */
export const joinJudges =
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

/** `!=` is the opposite of `==`. All others are false where there is nothing. */
function toTest({ field, comparison, value: wanted }: Condition): Test {
  if (comparison === "!=") {
    const isSame = toTest({ field, comparison: "==", value: wanted });
    return (value) => !isSame(value);
  }
  if (wanted === null) return isNothing;
  const text = String(wanted);
  const isMet = isNumberField(field) ? toPhoneTest(comparison, text) : undefined;
  const test = isMet ?? (comparison === "~" ? toContains(text) : toOrder(comparison, wanted));
  return (value) => !isNothing(value) && test(String(value));
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "";

/** In any notation, and by its end (D30); by its digits if it has fewer than four. Undefined for other texts, and orders. */
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

type TextTest = (text: string) => boolean;

/**
 * Contains the text in its folded form (D30). Between words whatever separates them counts as one blank; signs before
 * the first and behind the last one count as they are, so that `10%` is not found in 100.
 */
export function toContains(wanted: string): TextTest {
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
  const key = toKey(wanted);
  return (text) => isInOrder(comparison, toKey(text), key);
}

/** A letter and its accent may be one character or two, and look the same (Unicode, UAX #15). */
const toKey = (text: string): string => foldCase(text.normalize("NFC").trim());

const readNumber = (text: string): number | undefined =>
  /^\s*-?\d{1,15}(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;

/** Where there is nothing to compare, only != is true. */
export function isInOrder<Key extends number | string>(
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
