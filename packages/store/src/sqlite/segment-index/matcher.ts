// Evaluates a query on a segment: a call must have all terms of the filter, and for each right one of its terms. The same
// rights are used again and again, so the bitmap of the calls that they allow is cached for each segment.
import type { Filter, Restriction, Visibility } from "../../port/index.ts";
import { toMatchKey } from "../../values/match-key.ts";
import type { ToTerm } from "../../values/terms.ts";
import { listRestrictions } from "../../values/visibility.ts";
import type { SegmentRange } from "./ranges.ts";
import { addSet, andWith, type Bitmap, countBoth, createBitmap } from "./bitmap.ts";
import type { PostingList } from "./layout.ts";
import { createCache } from "./cache.ts";
import type { Segment } from "./segment-list.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { countOrdinals, intersect } from "./posting-lists.ts";
import { findWords, type WordPlan } from "./word-query.ts";

export interface Query {
  readonly terms: readonly number[];
  readonly rights: readonly Restriction[];
  readonly words?: WordPlan | undefined;
}

/** The query of a filter and a caller's rights; undefined if no call can match. */
export function toQuery(
  toTerm: ToTerm<number>,
  filter: Filter,
  visibility: Visibility,
): Query | undefined {
  const rights = listRestrictions(visibility);
  const isRefused = rights.some(({ field, allowed }) => {
    const asked = filter[field];
    return (
      allowed.length === 0 || (asked !== undefined && !allowed.includes(toMatchKey(field, asked)))
    );
  });
  if (isRefused) return undefined;
  return {
    terms: Object.entries(filter).map(([field, value]) => toTerm(field, toMatchKey(field, value))),
    rights,
  };
}

/** The matching calls. */
export interface Matcher {
  /** The ordinals of a segment's matching calls, read-only; undefined or empty if none matches. */
  readonly ordinals: (segment: Segment) => PostingList | undefined;
  /** The number of matching calls in a range. */
  readonly count: (range: SegmentRange) => number;
}

/** Matches queries on segments; caches up to `maxBytes` of bitmaps for rights. */
export function createMatchers(reader: SegmentReader, toTerm: ToTerm<number>, maxBytes: number) {
  const toAllowed = createRightsFilter(reader, toTerm, maxBytes);
  return ({ terms, rights, words }: Query): Matcher => {
    const allowed = toAllowed(rights);
    const setsOf = (segment: Segment): PostingList[] | undefined => {
      // Words are not looked up in segments where the caller sees nothing.
      if (words !== undefined && rights.length > 0 && isEmpty(allowed(segment))) return undefined;
      const entries = terms.map((term) => reader.find(segment, term));
      const found = entries.filter((entry) => entry !== undefined);
      // The bitmaps of frequent values are read only if all other values occur.
      if (found.length < entries.length) return undefined;
      const ofWords = words && findWords(reader, segment, words);
      if (words !== undefined && ofWords === undefined) return undefined;
      const sets = found.map((entry) => reader.ordinals(segment, entry));
      if (ofWords !== undefined) sets.push(ofWords);
      return rights.length > 0 ? [allowed(segment), ...sets] : sets;
    };
    const known = new Map<Segment, PostingList | undefined>();
    const ordinals = (segment: Segment): PostingList | undefined => {
      if (known.has(segment)) return known.get(segment);
      const sets = setsOf(segment);
      const found = sets && intersect(sets, segment);
      known.set(segment, found);
      return found;
    };
    const count = (range: SegmentRange): number => {
      const { segment } = range;
      if (segment.removed === undefined && !known.has(segment)) {
        const [first, second, ...others] = setsOf(segment) ?? [];
        // Counting without making the intersection halves the time for a far page.
        if (isBitmap(first) && isBitmap(second) && others.length === 0)
          return countBoth(first, second, range);
      }
      const found = ordinals(segment);
      return found === undefined ? 0 : countOrdinals(found, range);
    };
    return { ordinals, count };
  };
}

const isEmpty = (bitmap: Bitmap) => bitmap.every((word) => word === 0);

function isBitmap(ordinals: PostingList | undefined): ordinals is Bitmap {
  return ordinals instanceof Uint32Array;
}

function createRightsFilter(reader: SegmentReader, toTerm: ToTerm<number>, maxBytes: number) {
  const cache = createCache<Bitmap>(maxBytes);
  const numberOf = createNumbers(maxBytes);
  return (rights: readonly Restriction[]): ((segment: Segment) => Bitmap) => {
    const number = numberOf(JSON.stringify(rights));
    let terms: readonly Float64Array[] | undefined;
    return (segment) => {
      const key = `${number} ${segment.id}`;
      const known = cache.get(key);
      if (known !== undefined) return known;
      terms ??= rights.map(({ field, allowed }) =>
        Float64Array.from(allowed, (value) => toTerm(field, value)).toSorted(),
      );
      const bitmap = allow(reader, segment, terms);
      cache.set(key, bitmap, bitmap.byteLength);
      return bitmap;
    };
  };
}

// Rights may list thousands of values, so they are compared once per search, not once per segment.
function createNumbers(maxBytes: number): (name: string) => number {
  const numbers = createCache<number>(maxBytes);
  let last = 0;
  return (name) => {
    const number = numbers.get(name) ?? (last += 1);
    numbers.set(name, number, name.length);
    return number;
  };
}

/** The calls that have one of each right's terms. The terms are sorted, so pages are read sequentially. */
function allow(reader: SegmentReader, segment: Segment, terms: readonly Float64Array[]): Bitmap {
  const bitmap = createBitmap(segment.calls).fill(0xffff_ffff);
  for (const allowed of terms) {
    const any = createBitmap(segment.calls);
    for (const entry of reader.findEach(segment, allowed)) {
      const ordinals = reader.ordinals(segment, entry);
      addSet(any, ordinals);
    }
    andWith(bitmap, any);
  }
  return bitmap;
}
