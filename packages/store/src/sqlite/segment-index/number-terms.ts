// The terms of phone numbers, ordered by their digits from the last one on. So all numbers with one ending are
// consecutive.

/** Terms from here on are those of numbers; smaller ones are hashes. */
const FIRST = 2 ** 52;

// 11^15 < 2^52: the digit d is encoded as d + 1, and 0 means no digit, so that 12 and 120 differ.
const BASE = 11;
const PLACES = 15;

/** An ending of more digits has to be compared after the lookup. */
export const MAX_EXACT_DIGITS = PLACES;

export const MIN_DIGITS = 4;

/** Greater than the term of any number. */
export const FIRST_AFTER_NUMBERS = FIRST + BASE ** PLACES;

export function toNumberTerm(digits: string): number {
  return FIRST + toPlaces(digits);
}

/** The terms of the numbers with this ending, from `from` up to, but not including, `until`. */
export function toEndingRange(digits: string): { readonly from: number; readonly until: number } {
  const from = FIRST + toPlaces(digits);
  return { from, until: from + BASE ** Math.max(PLACES - digits.length, 0) };
}

function toPlaces(digits: string): number {
  let sum = 0;
  let weight = BASE ** (PLACES - 1);
  for (let at = digits.length - 1; at >= Math.max(digits.length - PLACES, 0); at -= 1) {
    sum += (digits.charCodeAt(at) - ZERO + 1) * weight;
    weight /= BASE;
  }
  return sum;
}

const ZERO = 0x30;
