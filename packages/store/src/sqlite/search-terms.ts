// The term of a field's value in the search index: a number, so that a call is looked for without comparing texts.
import type { DatabaseSync } from "node:sqlite";

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
  const row = database.prepare("SELECT value FROM setting WHERE name = 'index_seed'").get();
  const seed = String(row?.["value"]);
  const seeds = {
    low: Number.parseInt(seed.slice(0, 8), 16),
    high: Number.parseInt(seed.slice(8), 16),
  };
  const fields = new Map<string, Seeds>();
  const start = (field: string): Seeds => {
    const of = {
      low: mix(`${field}\0`, seeds.low, LOW_FACTOR),
      high: mix(`${field}\0`, seeds.high, HIGH_FACTOR),
    };
    fields.set(field, of);
    return of;
  };
  return (field, key) => {
    const { low, high } = fields.get(field) ?? start(field);
    const a = mix(key, low, LOW_FACTOR);
    const b = mix(key, high, HIGH_FACTOR);
    const ended = finish(a ^ (b >>> 15));
    return (finish(b ^ ended) & HIGH_MASK) * HIGH_UNIT + (ended >>> 0);
  };
}

interface Seeds {
  readonly low: number;
  readonly high: number;
}

function mix(text: string, seed: number, factor: number): number {
  let mixed = seed;
  for (let index = 0; index < text.length; index += 1) {
    mixed = Math.imul(mixed ^ text.charCodeAt(index), factor);
    mixed ^= mixed >>> 15;
  }
  return mixed;
}

// So that texts which differ in their last character alone differ in every bit of the term.
function finish(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), HIGH_FACTOR);
  const twice = Math.imul(once ^ (once >>> 13), LOW_FACTOR);
  return twice ^ (twice >>> 16);
}
