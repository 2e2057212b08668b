// The term of a field's value in a search index: a number, so that calls are found without comparing texts.
import { fieldsOf } from "@call-media/api";
import type { FilterField } from "../port/index.ts";
import { isPhoneField, toMatchKey } from "./match-key.ts";

/** The fields that can be searched. */
export const INDEXED_FIELDS = [
  ...fieldsOf("MetadataFilter"),
  ...fieldsOf("CustomFieldsFilter"),
] as readonly FilterField[]; // the fields of these schemas

/** The term of `field` for the match key `key`. */
export type ToTerm<Term> = (field: string, key: string) => Term;

/** Makes a term from two 32-bit numbers. */
export type Join<Term> = (high: number, low: number) => Term;

// Odd, with about as many ones as zeros: every bit of a character affects half of the bits above it.
const LOW_FACTOR = 0x9e37_79b1;
const HIGH_FACTOR = 0x85eb_ca77;

const HIGH_MASK = 0x0f_ffff;
const HIGH_UNIT = 2 ** 32;

/**
 * 52 bits of the 53 that a number can hold exactly: terms from 2^52 on are those of phone numbers. In an archive of five million
 * calls with sixty million values, a searched value shares its term with another one with a chance of one in fifty million.
 */
export const toNumberTerm: Join<number> = (high, low) =>
  (high & HIGH_MASK) * HIGH_UNIT + (low >>> 0);

/** 63 bits, which PostgreSQL holds without a sign, give the same odds for ten billion calls. */
export const toBigTerm: Join<bigint> = (high, low) =>
  (BigInt(high & 0x7fff_ffff) << 32n) | BigInt(low >>> 0);

/**
 * Terms depend on `seed`, 16 hexadecimal digits that each archive has chosen at random. So nobody outside can construct two
 * values that share a term.
 */
export function createTerms<Term>(seed: string, join: Join<Term>): ToTerm<Term> {
  const start = createStarts(seed);
  const fields = new Map<string, State>();
  return (field, key) => {
    const known = fields.get(field) ?? start(field);
    fields.set(field, known);
    return toTerm(key, known, join);
  };
}

/**
 * Makes the terms of the match keys for values of `field` in records. An import needs thirty for each call, so it makes no key for
 * text that can be folded character by character.
 */
export function createTermsOf<Term>(
  seed: string,
  field: string,
  join: Join<Term>,
): (value: string | number) => Term {
  const start = createStarts(seed)(field);
  const isPhone = isPhoneField(field);
  return (value) => {
    const text = String(value);
    const key = isPhone || !isPlain(text) ? toMatchKey(field, text) : text;
    return toTerm(key, start, join);
  };
}

// The hash of the field's name; the hash of each value starts with it.
interface State {
  readonly low: number;
  readonly high: number;
}

/**
 * The terms of parts of a text, without making strings of the parts. `field`: that of `createTerms`. ASCII letters are case-insensitive.
 */
export function createPartTerms(
  seed: string,
  field: string,
): (text: string, from: number, until: number) => number {
  const start = createStarts(seed)(field);
  return (text, from, until) => {
    let { low, high } = start;
    for (let index = from; index < until; index += 1) {
      const code = text.charCodeAt(index);
      const folded = code >= CAPITAL_A && code <= CAPITAL_Z ? code | SMALL : code;
      low = Math.imul(low ^ folded, LOW_FACTOR);
      low ^= low >>> 15;
      high = Math.imul(high ^ folded, HIGH_FACTOR);
      high ^= high >>> 15;
    }
    const ended = finish(low ^ (high >>> 15));
    return toNumberTerm(finish(high ^ ended), ended);
  };
}

function createStarts(seed: string): (field: string) => State {
  const [low, high] = [seed.slice(0, 8), seed.slice(8)].map((half) => Number.parseInt(half, 16));
  return (field) => mix(`${field}\0`, { low: low ?? 0, high: high ?? 0 });
}

function toTerm<Term>(key: string, start: State, join: Join<Term>): Term {
  const { low, high } = mix(key, start);
  const ended = finish(low ^ (high >>> 15));
  return join(finish(high ^ ended), ended);
}

// Folds capital letters to small ones: match keys have no capitals.
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

/** True if the text differs from its match key at most in the case of ASCII letters. */
function isPlain(text: string): boolean {
  let bits = 0;
  for (let index = 0; index < text.length; index += 1) bits |= text.charCodeAt(index);
  const ends = Math.min(text.charCodeAt(0), text.charCodeAt(text.length - 1));
  return bits <= LAST_ASCII && ends > BLANK; // NaN for an empty text, which is not
}

// Makes texts that differ only in their last character differ in every bit of the term.
function finish(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), HIGH_FACTOR);
  const twice = Math.imul(once ^ (once >>> 13), LOW_FACTOR);
  return twice ^ (twice >>> 16);
}
