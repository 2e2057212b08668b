// The term of a field's value in the search index: a number, so that a call is looked for without comparing texts.
import type { DatabaseSync } from "node:sqlite";
import { isPhoneField, toMatchKey } from "../../values/match-key.ts";
import { readSetting } from "../settings.ts";

/** The term of `field` with the match key `key`: an integer of 53 bits. */
export type ToTerm = (field: string, key: string) => number;

// Odd, with about as many ones as zeros: every bit of a character reaches half of the bits above it.
const LOW_FACTOR = 0x9e37_79b1;
const HIGH_FACTOR = 0x85eb_ca77;

// 53 bits are the greatest integers that are exact as numbers. In an archive of five million calls with sixty million
// values, one that is asked for shares its term with another with odds of one in a hundred million.
const HIGH_MASK = 0x1f_ffff;
const HIGH_UNIT = 2 ** 32;

/** Terms depend on a number that each archive has drawn for itself: nobody outside can make two values that share one. */
export function createTerms(database: DatabaseSync): ToTerm {
  const start = createStarts(database);
  const fields = new Map<string, State>();
  return (field, key) => {
    const known = fields.get(field) ?? start(field);
    fields.set(field, known);
    return toTerm(key, known);
  };
}

/**
 * For the values of `field` as records have them, the terms of their match keys. An import asks for thirty of each call, so
 * that of text which is folded character by character no key is made.
 */
export function createTermsOf(
  database: DatabaseSync,
  field: string,
): (value: string | number) => number {
  const start = createStarts(database)(field);
  const isPhone = isPhoneField(field);
  return (value) => {
    const text = String(value);
    return isPhone || !isPlain(text) ? toTerm(toMatchKey(field, text), start) : toTerm(text, start);
  };
}

// What the field's name comes to, from which its values go on.
interface State {
  readonly low: number;
  readonly high: number;
}

function createStarts(database: DatabaseSync): (field: string) => State {
  const seed = readSetting(database, "index_seed");
  const [low, high] = [seed.slice(0, 8), seed.slice(8)].map((half) => Number.parseInt(half, 16));
  return (field) => mix(`${field}\0`, { low: low ?? 0, high: high ?? 0 });
}

function toTerm(key: string, start: State): number {
  const { low, high } = mix(key, start);
  const ended = finish(low ^ (high >>> 15));
  return (finish(high ^ ended) & HIGH_MASK) * HIGH_UNIT + (ended >>> 0);
}

// Capital letters count as small ones: no match key has any.
function mix(text: string, start: State): State {
  let { low, high } = start;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const folded = code >= CAPITAL_A && code <= CAPITAL_Z ? code | SMALL : code;
    low = Math.imul(low ^ folded, LOW_FACTOR);
    low ^= low >>> 15;
    high = Math.imul(high ^ folded, HIGH_FACTOR);
    high ^= high >>> 15;
  }
  return { low, high };
}

const CAPITAL_A = 0x41;
const CAPITAL_Z = 0x5a;
const SMALL = 0x20;
const BLANK = 0x20;
const LAST_ASCII = 0x7f;

/** Whether nothing but the case of ASCII letters parts the text from its match key. */
function isPlain(text: string): boolean {
  let bits = 0;
  for (let index = 0; index < text.length; index += 1) bits |= text.charCodeAt(index);
  const ends = Math.min(text.charCodeAt(0), text.charCodeAt(text.length - 1));
  return bits <= LAST_ASCII && ends > BLANK; // of an empty text NaN, which is not
}

// So that texts which differ in their last character alone differ in every bit of the term.
function finish(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), HIGH_FACTOR);
  const twice = Math.imul(once ^ (once >>> 13), LOW_FACTOR);
  return twice ^ (twice >>> 16);
}
