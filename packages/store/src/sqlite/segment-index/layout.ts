// The layout of a segment: a range of calls in the order of their ids. A call's ordinal is its number in that range, from 0.
// Pages hold the terms, sorted, with short posting lists. Blocks hold the ids, 1,000 a block, then the long posting lists.
// Numbers have the byte order of the machine: little-endian wherever Node.js runs, except on s390x. An archive cannot be
// moved there.
import { addOrdinal, addOrdinals, type Bitmap, createBitmap, ordinalsUp } from "./bitmap.ts";

/** Ordinals have 16 bits. */
export const MAX_CALLS = 65_536;

/** Ids in a block: together with their row's header they fill a page of the database. */
export const IDS_PER_BLOCK = 1_000;

/** Numbers the pages and the blocks of all segments; a segment of 65,536 calls has some thousands of each. */
export const ROWS_PER_SEGMENT = 2 ** 20;

/** The ordinals of one term: a sorted list or a bitmap, whichever is shorter. */
export type PostingList = Uint16Array | Bitmap;

/** The number of a segment's calls with a term, and their ordinals, or the number of the block that has these. */
export type TermEntry =
  | { readonly count: number; readonly ordinals: Uint16Array }
  | { readonly count: number; readonly block: number };

// A page of terms has four parts: the number of terms, padded to align the terms; the terms; the number of ordinals of
// each term, one byte; the ordinals, 16 bits each. A term with more ordinals has this count instead, and four times 16 bits:
// the real count and the number of the block.
const HEAD_BYTES = 8;
const TERM_BYTES = 8;
const COUNT_BYTES = 1;
const ORDINAL_BYTES = 2;
const ELSEWHERE = 255;
const UNITS_ELSEWHERE = 4;
const MAX_ORDINALS_IN_PAGE = 100;

// Fills a page of the database: SQLite uses 35 of its 8,192 bytes itself, and the row's header takes up to 14.
const PAGE_BYTES = 8_136;

const UNIT = 2 ** 16;

/**
 * The ordinals of a list from `from` up to, but not including, `until`. Most terms have one ordinal, and a view for each would cost more.
 */
export interface ListRange {
  readonly ordinals: ArrayLike<number>;
  readonly from: number;
  readonly until: number;
}

/** Collects terms, which must come in order, until a page is full. */
export interface PageFiller {
  /** False if there is not enough room: then the page must be taken first. */
  add(term: number, range: ListRange): boolean;
  addElsewhere(term: number, count: number, block: number): boolean;
  /** The bytes of the page, which is empty afterwards; undefined if it was empty. */
  take(): { readonly firstTerm: number; readonly bytes: Uint8Array } | undefined;
}

export function fitsInPage({ from, until }: ListRange): boolean {
  return until - from <= MAX_ORDINALS_IN_PAGE;
}

export function createPageFiller(): PageFiller {
  const terms = new Float64Array(PAGE_BYTES / TERM_BYTES);
  const counts = new Uint8Array(terms.length);
  const units = new Uint16Array(PAGE_BYTES / ORDINAL_BYTES);
  let used = { terms: 0, units: 0 };
  const put = (term: number, count: number, { ordinals, from, until }: ListRange): boolean => {
    const added = until - from;
    if (toPageBytes(used.terms + 1, used.units + added) > PAGE_BYTES) return false;
    terms[used.terms] = term;
    counts[used.terms] = count;
    for (let index = 0; index < added; index += 1)
      units[used.units + index] = ordinals[from + index] ?? 0;
    used.terms += 1;
    used.units += added;
    return true;
  };
  return {
    add: (term, range) => put(term, range.until - range.from, range),
    addElsewhere: (term, count, block) => {
      const ordinals = [
        count % UNIT,
        Math.floor(count / UNIT),
        block % UNIT,
        Math.floor(block / UNIT),
      ];
      return put(term, ELSEWHERE, { ordinals, from: 0, until: ordinals.length });
    },
    take: () => {
      const [firstTerm] = terms;
      if (used.terms === 0 || firstTerm === undefined) return undefined;
      const bytes = new Uint8Array(toPageBytes(used.terms, used.units));
      const parts = toParts(bytes, used.terms);
      parts.terms.set(terms.subarray(0, used.terms));
      parts.counts.set(counts.subarray(0, used.terms));
      parts.units.set(units.subarray(0, used.units));
      used = { terms: 0, units: 0 };
      return { firstTerm, bytes };
    },
  };
}

export function toPostingBytes({ ordinals, from, until }: ListRange, calls: number): Uint8Array {
  const count = until - from;
  if (isList(count, calls)) {
    const list = new Uint16Array(count);
    for (let index = 0; index < count; index += 1) list[index] = ordinals[from + index] ?? 0;
    return new Uint8Array(list.buffer);
  }
  const bitmap = createBitmap(calls);
  for (let index = from; index < until; index += 1) addOrdinal(bitmap, ordinals[index] ?? 0);
  return new Uint8Array(bitmap.buffer);
}

/** In the form that combines fastest: a long list takes longer than a bitmap, which is at most twice its size. */
export function readPostings(bytes: Uint8Array, count: number, calls: number): PostingList {
  const { buffer } = toAligned(bytes);
  if (!isList(count, calls)) return new Uint32Array(buffer);
  const list = new Uint16Array(buffer);
  return isList(2 * count, calls) ? list : toBitmap(list, calls);
}

/** The ordinals, lowest first. */
export function listOrdinals(ordinals: PostingList): Iterable<number> {
  return ordinals instanceof Uint16Array ? ordinals : ordinalsUp(ordinals);
}

export function toBitmap(list: Uint16Array, calls: number): Bitmap {
  const bitmap = createBitmap(calls);
  addOrdinals(bitmap, list);
  return bitmap;
}

function isList(count: number, calls: number): boolean {
  return count < fromBits(calls);
}

// From this number of ordinals on a bitmap is not longer: two ordinals take as much space as a word of it.
const fromBits = (calls: number) => 2 * Math.ceil(calls / 32);

export interface Page {
  readonly terms: Float64Array;
  /** The entry of the term with that number in the page. */
  readonly entry: (index: number) => TermEntry;
  /** The start of the next term's ordinals, if those of this term begin at `start`. */
  readonly nextStart: (index: number, start: number) => number;
  readonly entryAt: (index: number, start: number) => TermEntry;
  /** Adds the ordinals of all terms of a range; returns the entries of those that are in blocks. */
  readonly addRange: (range: TermRange, bitmap: Bitmap) => readonly TermEntry[];
}

/** From `from` up to, but not including, `until`. */
export interface TermRange {
  readonly from: number;
  readonly until: number;
}

export function readPage(bytes: Uint8Array): Page {
  const whole = toAligned(bytes);
  const { terms, counts, units } = toParts(whole, new Uint32Array(whole.buffer, 0, 1)[0] ?? 0);
  const nextStart = (index: number, start: number) => start + toUnits(counts[index] ?? 0);
  const entryAt = (index: number, start: number): TermEntry => {
    const count = counts[index] ?? 0;
    if (count !== ELSEWHERE) return { count, ordinals: units.subarray(start, start + count) };
    const unit = (offset: number) => units[start + offset] ?? 0;
    return { count: unit(0) + unit(1) * UNIT, block: unit(2) + unit(3) * UNIT };
  };
  // A million words may share a prefix: a view of each word's ordinals would take ten times as long.
  const addRange = ({ from, until }: TermRange, bitmap: Bitmap): readonly TermEntry[] => {
    const inBlocks: TermEntry[] = [];
    let start = 0;
    for (let index = 0; (terms[index] ?? until) < until; index += 1) {
      const end = nextStart(index, start);
      if ((terms[index] ?? 0) >= from) {
        if (counts[index] === ELSEWHERE) inBlocks.push(entryAt(index, start));
        else for (let at = start; at < end; at += 1) addOrdinal(bitmap, units[at] ?? 0);
      }
      start = end;
    }
    return inBlocks;
  };
  return {
    terms,
    addRange,
    entry: (index) => {
      let start = 0;
      for (let before = 0; before < index; before += 1) start = nextStart(before, start);
      return entryAt(index, start);
    },
    nextStart,
    entryAt,
  };
}

const toUnits = (count: number) => (count === ELSEWHERE ? UNITS_ELSEWHERE : count);

function toPageBytes(terms: number, units: number): number {
  return toUnitsOffset(terms) + units * ORDINAL_BYTES;
}

function toUnitsOffset(terms: number): number {
  const counts = HEAD_BYTES + terms * TERM_BYTES;
  return Math.ceil((counts + terms * COUNT_BYTES) / ORDINAL_BYTES) * ORDINAL_BYTES;
}

function toParts({ buffer, byteLength }: Uint8Array<ArrayBuffer>, count: number) {
  const at = toUnitsOffset(count);
  new Uint32Array(buffer, 0, 1)[0] = count;
  return {
    terms: new Float64Array(buffer, HEAD_BYTES, count),
    counts: new Uint8Array(buffer, HEAD_BYTES + count * TERM_BYTES, count),
    units: new Uint16Array(buffer, at, (byteLength - at) / ORDINAL_BYTES),
  };
}

// Typed arrays need bytes at the start of their buffer.
export function toAligned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = bytes.byteLength === bytes.buffer.byteLength;
  return isWhole && bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer)
    : Uint8Array.from(bytes);
}

/** The last index whose value is not greater than `wanted`; -1 if all are greater. */
export function findLast<T extends number | bigint>(sorted: ArrayLike<T>, wanted: T): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle];
    if (value !== undefined && value <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
