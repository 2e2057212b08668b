// The codes of words (D30): terms in the order of their words, so that all words with one beginning are a range of a segment's terms.
import { FIRST_AFTER_NUMBERS } from "./number-terms.ts";

// 38^9 codes lie between the terms of numbers and 2^53. A character is a digit, and 0 stands for none.
const BASE = 38;
const PLACES = 9;

/** Of ASCII. What is longer, or is no ASCII, shares its range with others. */
export const EXACT_BEGINNING = PLACES;

/** Stands before the digit of a character that is no digit and no letter of ASCII: 36 of them share one. */
const OTHER = 37;
const OTHERS = 36;

const FACTOR = 0x9e37_79b1;

export interface WordRange {
  readonly from: number;
  /** Without it. */
  readonly until: number;
  /** Whether all words of the range have the beginning. */
  readonly isExact: boolean;
}

/** The code of the word of a text that lies from `from` up to `until`. Capitals of ASCII count as small letters. */
export function toWordCode(text: string, from: number, until: number): number {
  const { code, places } = encode(text, from, until);
  return FIRST_AFTER_NUMBERS + code * BASE ** (PLACES - places);
}

/** Whether no other word has the code of this one. */
export function isWholeCode(text: string, from: number, until: number): boolean {
  return until - from < PLACES && encode(text, from, until).isAscii;
}

/** The codes of the words with this beginning, and of a few others unless it is exact. */
export function toBeginningRange(beginning: string): WordRange {
  const { code, places, isAscii } = encode(beginning, 0, beginning.length);
  const unit = BASE ** (PLACES - places);
  const from = FIRST_AFTER_NUMBERS + code * unit;
  return { from, until: from + unit, isExact: isAscii && beginning.length <= EXACT_BEGINNING };
}

/** Of as many characters as have room; `isAscii`: all of these are letters and digits of ASCII. */
function encode(text: string, from: number, until: number) {
  let [code, places, isAscii] = [0, 0, true];
  for (let at = from; at < until && places < PLACES; at += 1) {
    const unit = text.charCodeAt(at);
    const digit = DIGITS[unit] ?? 0;
    code = code * BASE + (digit || OTHER);
    places += 1;
    if (digit > 0) continue;
    isAscii = false;
    if (places === PLACES) break;
    code = code * BASE + 1 + ((Math.imul(unit, FACTOR) >>> 16) % OTHERS);
    places += 1;
  }
  return { code, places, isAscii };
}

/** 1 to 36 for digits and letters of ASCII. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[0-9a-z]/i.test(character) ? Number.parseInt(character, 36) + 1 : 0;
});
