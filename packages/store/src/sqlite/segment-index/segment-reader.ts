// Reads segments: their ids and posting lists. Segments never change, except for the bitmap of removed calls, so the reader
// caches them.
import type { DatabaseSync } from "node:sqlite";
import {
  findLast,
  type Page,
  type PostingList,
  type TermEntry,
  type TermRange,
  readPage,
  readPostings,
} from "./layout.ts";
import { addSet, type Bitmap, createBitmap } from "./bitmap.ts";
import { createCache } from "./cache.ts";
import { createIdReader, type IdReader } from "./segment-ids.ts";
import { createSegmentLister, type Segment } from "./segment-list.ts";
import { createRowReader } from "./segment-rows.ts";

export interface SegmentReader extends IdReader {
  /** All segments, in the order of their last ids, newest first. */
  list(): readonly Segment[];
  find(segment: Segment, term: number): TermEntry | undefined;
  /** The segment's entries of many sorted terms. Only the pages are cached. */
  findEach(segment: Segment, terms: Float64Array): Generator<TermEntry, void>;
  /** The ordinals of all terms of a range; undefined if there are none. */
  uniteRange(segment: Segment, range: TermRange): Bitmap | undefined;
  ordinals(segment: Segment, entry: TermEntry): PostingList;
  /** Iterates over every term of the segment, in order. */
  openTerms(segment: Segment): TermCursor;
}

/**
 * Throws `IndexDamaged`. Caches up to `maxBytes` of pages, the same amount of blocks, and a fourth of it of terms. Values that
 * depend on a `list` must be read in the same transaction.
 */
export function createSegmentReader(database: DatabaseSync, maxBytes: number): SegmentReader {
  const list = createSegmentLister(database);
  const readBlock = createRowReader(database, "block", maxBytes);
  const readPages = createRowReader(database, "page", maxBytes);
  const findOnce = (segment: Segment, term: number): TermEntry | undefined => {
    // A segment without any terms has no page.
    if (segment.firstTerms.length === 0) return undefined;
    const page = Math.max(findLast(segment.firstTerms, term), 0);
    const { terms, entry } = readPages(segment, page, readPage);
    const index = findLast(terms, term);
    return terms[index] === term ? entry(index) : undefined;
  };
  function* findEach(segment: Segment, wanted: Float64Array): Generator<TermEntry, void> {
    const { firstTerms } = segment;
    const wantedAt = (at: number) => wanted[at] ?? Infinity;
    for (let at = 0; at < wanted.length && firstTerms.length > 0;) {
      const page = Math.max(findLast(firstTerms, wantedAt(at)), 0);
      const { terms, nextStart, entryAt } = readPages(segment, page, readPage);
      let start = 0;
      for (const [index, term] of terms.entries()) {
        while (wantedAt(at) < term) at += 1;
        if (wantedAt(at) === term) yield entryAt(index, start);
        start = nextStart(index, start);
      }
      while (wantedAt(at) < (firstTerms[page + 1] ?? Infinity)) at += 1;
    }
  }
  const uniteRange = (segment: Segment, range: TermRange): Bitmap | undefined => {
    const { firstTerms, calls } = segment;
    const { from, until } = range;
    let united: Bitmap | undefined;
    for (
      let number = Math.max(findLast(firstTerms, from), 0);
      (firstTerms[number] ?? until) < until;
      number += 1
    ) {
      const page = readPages(segment, number, readPage);
      const first = page.terms[findLast(page.terms, from - 1) + 1] ?? until;
      if (first >= until) continue;
      united ??= createBitmap(calls);
      for (const entry of page.addRange(range, united)) addSet(united, ordinals(segment, entry));
    }
    return united;
  };
  const ordinals = (segment: Segment, entry: TermEntry): PostingList =>
    "ordinals" in entry
      ? entry.ordinals
      : readBlock(segment, entry.block, (bytes) => readPostings(bytes, entry.count, segment.calls));

  return {
    list,
    find: createTermCache(findOnce, maxBytes / 4),
    findEach,
    uniteRange,
    ordinals,
    openTerms: (segment) =>
      createTermCursor((page) =>
        page < segment.firstTerms.length ? readPages(segment, page, readPage) : undefined,
      ),
    ...createIdReader(readBlock),
  };
}

const NOTHING = { count: 0, ordinals: new Uint16Array() };

// An estimate: a key, ordinals, and V8's overhead for them.
const BYTES_PER_TERM = 500;

// A count looks its term up in all segments, often repeatedly. With five million calls, caching these pages would take 8 KB for each
// of 130 segments.
function createTermCache(find: SegmentReader["find"], maxBytes: number): SegmentReader["find"] {
  const cache = createCache<Map<number, TermEntry | undefined>>(maxBytes);
  return (segment, term) => {
    const bySegment = cache.get(term) ?? new Map<number, TermEntry | undefined>();
    const known = bySegment.get(segment.id);
    if (known !== undefined || bySegment.has(segment.id)) return known;
    const found = toKept(find(segment, term));
    bySegment.set(segment.id, found);
    cache.set(term, bySegment, bySegment.size * BYTES_PER_TERM);
    return found;
  };
}

// The ordinals are a view of their page: without a copy, the cache would keep the page alive.
function toKept(entry: TermEntry | undefined): TermEntry | undefined {
  return entry && "ordinals" in entry
    ? { count: entry.count, ordinals: entry.ordinals.slice() }
    : entry;
}

/** A cursor over the terms. */
export interface TermCursor {
  /** Undefined after the last one. */
  readonly term: () => number | undefined;
  readonly entry: () => TermEntry;
  readonly advance: () => void;
}

function createTermCursor(read: (page: number) => Page | undefined): TermCursor {
  let [number, index, start] = [0, 0, 0];
  let page = read(number);
  return {
    term: () => page?.terms[index],
    entry: () => page?.entryAt(index, start) ?? NOTHING,
    advance: () => {
      start = page?.nextStart(index, start) ?? 0;
      index += 1;
      if (page === undefined || index < page.terms.length) return;
      [number, index, start] = [number + 1, 0, 0];
      page = read(number);
    },
  };
}
