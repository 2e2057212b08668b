// The codes of words (D30): terms in alphabetical order, so that all words with one prefix are a range of a segment's terms.
import { FIRST_AFTER_NUMBERS } from "./number-terms.ts";

// 38^9 codes fit between the terms of numbers and 2^53. A character is a digit, and 0 means no character.
const BASE = 38;
const PLACES = 9;

/** Up to this length, an ASCII prefix has a range of its own. Longer or non-ASCII prefixes share theirs with others. */
export const EXACT_BEGINNING = PLACES;

/** Precedes the digit of a character other than an ASCII letter or digit. The following digit has only 36 values for all of these. */
const OTHER = 37;
const OTHERS = 36;

const FACTOR = 0x9e37_79b1;

export interface WordRange {
  readonly from: number;
  /** Not included. */
  readonly until: number;
  /** True if all words of the range have the prefix. */
  readonly isExact: boolean;
}

/** The code of the word in a text from `from` up to, but not including, `until`. ASCII letters are case-insensitive. */
export function toWordCode(text: string, from: number, until: number): number {
  const { code, places } = encode(text, from, until);
  return FIRST_AFTER_NUMBERS + code * BASE ** (PLACES - places);
}

/** True if no other word has the same code. */
export function isWholeCode(text: string, from: number, until: number): boolean {
  return until - from < PLACES && encode(text, from, until).isAscii;
}

/** The codes of the words with this prefix, and of a few others unless it is exact. */
export function toBeginningRange(beginning: string): WordRange {
  const { code, places, isAscii } = encode(beginning, 0, beginning.length);
  const unit = BASE ** (PLACES - places);
  const from = FIRST_AFTER_NUMBERS + code * unit;
  return { from, until: from + unit, isExact: isAscii && beginning.length <= EXACT_BEGINNING };
}

/** Encodes as many characters as fit. `isAscii`: all of these are ASCII letters and digits. */
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

/** 1 to 36 for ASCII digits and letters. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[0-9a-z]/i.test(character) ? Number.parseInt(character, 36) + 1 : 0;
});
