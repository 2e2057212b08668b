// Makes the posting lists of a new segment from pairs of a term and an ordinal, sorted by term. Numbers stay in typed arrays and terms
// are evenly distributed, so a radix sort takes a fourth of the time of a table of terms.
import type { ListRange } from "./layout.ts";

export interface TermGroups {
  /** Ordinals must be added in order. */
  add(term: number, ordinal: number): void;
  /** Passes on every term in order, with its ordinals in the order of their addition. It is empty afterwards, even if `give` throws. */
  take(give: (term: number, range: ListRange) => void): void;
}

const FIRST_PAIRS = 2 ** 12;
const HIGH_UNIT = 2 ** 32;

/** A term of 53 bits is stored as two numbers: its lowest 32 bits and the bits above. */
interface Pairs {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly ordinals: Uint16Array;
}

export function createTermGroups(): TermGroups {
  let pairs = createPairs(FIRST_PAIRS);
  let count = 0;
  return {
    add: (term, ordinal) => {
      if (count === pairs.ordinals.length) pairs = lengthen(pairs);
      pairs.low[count] = term; // a typed array keeps the lowest 32 bits
      pairs.high[count] = term / HIGH_UNIT;
      pairs.ordinals[count] = ordinal;
      count += 1;
    },
    take: (give) => {
      try {
        giveTerms(sortPairs(pairs, count), count, give);
      } finally {
        count = 0;
      }
    },
  };
}

function createPairs(size: number): Pairs {
  return {
    low: new Uint32Array(size),
    high: new Uint32Array(size),
    ordinals: new Uint16Array(size),
  };
}

function lengthen({ low, high, ordinals }: Pairs): Pairs {
  const longer = createPairs(ordinals.length * 2);
  longer.low.set(low);
  longer.high.set(high);
  longer.ordinals.set(ordinals);
  return longer;
}

// The digits of a term, lowest first. More than these 2,048 values would not fit the CPU cache.
const DIGIT_BITS = 11;
const DIGITS = [
  { of: "low", shift: 0 },
  { of: "low", shift: 11 },
  { of: "low", shift: 22 },
  { of: "high", shift: 0 },
  { of: "high", shift: 11 },
] as const;

/** Sorts by one digit after the other; each pass keeps the order of equal digits. */
function sortPairs(pairs: Pairs, count: number): Pairs {
  let [sorted, other] = [pairs, createPairs(count)];
  for (const { of, shift } of DIGITS) {
    sortByDigit({ from: sorted, to: other, count }, sorted[of], shift);
    [sorted, other] = [other, sorted];
  }
  return sorted;
}

function sortByDigit(
  { from, to, count }: { readonly from: Pairs; readonly to: Pairs; readonly count: number },
  keys: Uint32Array,
  shift: number,
): void {
  const mask = 2 ** DIGIT_BITS - 1;
  const ends = new Uint32Array(2 ** DIGIT_BITS);
  for (let pair = 0; pair < count; pair += 1) {
    const digit = ((keys[pair] ?? 0) >>> shift) & mask;
    ends[digit] = (ends[digit] ?? 0) + 1;
  }
  let start = 0;
  const starts = ends.map((size) => (start += size) - size);
  for (let pair = 0; pair < count; pair += 1) {
    const digit = ((keys[pair] ?? 0) >>> shift) & mask;
    const at = starts[digit] ?? 0;
    starts[digit] = at + 1;
    to.low[at] = from.low[pair] ?? 0;
    to.high[at] = from.high[pair] ?? 0;
    to.ordinals[at] = from.ordinals[pair] ?? 0;
  }
}

function giveTerms(
  { low, high, ordinals }: Pairs,
  count: number,
  give: (term: number, range: ListRange) => void,
): void {
  for (let from = 0, until = 1; from < count; from = until) {
    until = from + 1;
    while (until < count && low[until] === low[from] && high[until] === high[from]) until += 1;
    give((high[from] ?? 0) * HIGH_UNIT + (low[from] ?? 0), { ordinals, from, until });
  }
}
