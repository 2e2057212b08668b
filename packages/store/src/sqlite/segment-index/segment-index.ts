// The search index of a database. Other directories import only this file of this directory. README.md explains the design.
import type { DatabaseSync } from "node:sqlite";
import type { Query as Words } from "@call-media/words";
import type { Filter, Visibility } from "../../port/index.ts";
import { countIds } from "./count-ids.ts";
import { createDictionaryWriter, createWordRemover, sweepWords } from "./dictionary.ts";
import { createIdFinder } from "./find-ids.ts";
import { createIndexWriter, type IndexedCall } from "./index-writer.ts";
import { createMatchers, type Matcher, type Query, toQuery } from "./matcher.ts";
import { hasWordCodes, useWordCodes } from "./index-format.ts";
import type { IdRange } from "./ranges.ts";
import type { Segment } from "./segment-list.ts";
import { createSegmentMerger } from "./segment-merge.ts";
import { createSegmentReader } from "./segment-reader.ts";
import { createWordPlanner, type Unsure } from "./word-query.ts";
import { createTerms, toNumberTerm } from "../../values/terms.ts";
import { forgetIndexRows } from "../schema/row-sums.ts";
import { readSetting } from "../settings.ts";

export type { IndexedCall } from "./index-writer.ts";
export { fillSums } from "./fill-sums.ts";
export { findIndexFault, readIndex } from "./read-index.ts";
export { IndexDamaged, missingCall } from "./checksums.ts";
export { EXACT_BEGINNING } from "./word-codes.ts";
export { createTermLister, createWordList } from "./term-lister.ts";

/** The calls with the values of `filter` that `visibility` allows, from `fromId` up to, but not including, `untilId`. */
export interface CallQuery extends IdRange {
  readonly filter: Filter;
  readonly visibility: Visibility;
  /** Unless they are exact, calls without these words are found too. */
  readonly words?: Words | undefined;
}

/** `find` and `count` need a connection that only reads; the others must be called in a transaction. */
export interface SegmentIndex {
  /**
   * The ids of a page, newest first, after `skipped` calls, and one more if there is one. `find` and `count` of one query
   * object share their work, so both must be in one transaction. @throws IndexDamaged, RangeError
   */
  find(query: CallQuery, skipped: number): readonly bigint[];
  count(query: CallQuery): number;
  /** The ids of all matching calls, newest first. */
  all(query: CallQuery): Iterable<bigint>;
  unsure(query: CallQuery): Unsure;
  /** True if a prefix of words is a range of terms, which costs next to nothing. */
  hasWordCodes(): boolean;
  /** Removes calls, then adds others, which must be in the order of their ids, and their words. */
  change(
    removed: readonly bigint[],
    added: readonly IndexedCall[],
    words?: readonly string[],
  ): void;
  /** Removes those of these words that no longer occur in any call. */
  forget(words: readonly string[]): void;
  /** Does the most needed merge; false if none was due. */
  merge(): boolean;
  /**
   * Rewrites the segments with removed calls, so that no byte of them stays in the index. `words`: also searches the whole index for
   * words without calls.
   */
  erase(words: boolean): void;
}

export function openSegmentIndex(database: DatabaseSync): SegmentIndex {
  const write = once(() => createIndexWriter(database));
  const addWords = once(() => createDictionaryWriter(database));
  const removeWords = once(() => createWordRemover(database));
  const merger = once(() => createSegmentMerger(database));
  const read = once(() => createSearch(database));
  return {
    find: (query, skipped) => read().find(query, skipped),
    count: (query) => read().count(query),
    all: (query) => read().all(query),
    unsure: (query) => read().unsure(query),
    hasWordCodes: () => read().hasWordCodes(),
    change: (removed, added, words = []) => {
      write()(removed, added);
      addWords()(words);
    },
    forget: (words) => removeWords()(words),
    merge: () => merger().merge(),
    erase: (words) => {
      merger().forgetRemoved();
      if (words) sweepWords(database);
    },
  };
}

/** Deletes the index; must be called in a transaction. `change` then adds all calls again, in the newest format. */
export function clearIndex(database: DatabaseSync): void {
  database.exec(
    "DELETE FROM index_segment; DELETE FROM index_page; DELETE FROM index_block; DELETE FROM word",
  );
  forgetIndexRows(database);
  useWordCodes(database);
}

function once<T extends object>(create: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= create());
}

// For the pages of the index, and the same again for its blocks.
const INDEX_BYTES = 48 * 1024 ** 2;

// For bitmaps of access filters: 1 MB per user with five million calls.
const RIGHTS_BYTES = 32 * 1024 ** 2;

interface Prepared {
  readonly segments: readonly Segment[];
  readonly query: Query;
  readonly matcher: Matcher;
  readonly unsure: Unsure;
}

type Search = Pick<SegmentIndex, "find" | "count" | "all" | "unsure" | "hasWordCodes">;

function createSearch(database: DatabaseSync): Search {
  const toTerm = createTerms(readSetting(database, "index_seed"), toNumberTerm);
  const reader = createSegmentReader(database, INDEX_BYTES);
  const toPlan = createWordPlanner(database, toTerm);
  const toMatcher = createMatchers(reader, toTerm, RIGHTS_BYTES);
  const readIndex = onChange(database, () => ({
    segments: reader.list(),
    hasCodes: hasWordCodes(database),
  }));
  const findIds = createIdFinder(reader);
  const prepared = new WeakMap<CallQuery, Prepared>();
  const prepare = (asked: CallQuery): Prepared | undefined => {
    const known = prepared.get(asked);
    if (known !== undefined) return known;
    const found = toQuery(toTerm, asked.filter, asked.visibility);
    if (found === undefined) return undefined;
    const { segments, hasCodes } = readIndex();
    const seesAll = found.rights.length === 0;
    const words = asked.words && toPlan(asked.words, { hasCodes, seesAll });
    const query = { ...found, words: words?.plan };
    const made = { segments, query, matcher: toMatcher(query), unsure: words?.unsure };
    prepared.set(asked, made);
    return made;
  };
  return {
    find: (asked, skipped) => {
      const made = prepare(asked);
      return made ? findIds.page(made.segments, asked, { matcher: made.matcher, skipped }) : [];
    },
    all: (asked) => {
      const made = prepare(asked);
      return made ? findIds.all(made.segments, asked, made.matcher) : [];
    },
    count: (asked) => {
      const made = prepare(asked);
      return made ? countIds(reader, made.segments, { ...made, range: asked }) : 0;
    },
    unsure: (asked) => prepare(asked)?.unsure,
    hasWordCodes: () => readIndex().hasCodes,
  };
}

// Reads again only after a write: five million calls have 130 segments, and listing these takes as long as reading
// the rows of a page. `data_version` counts only the writes of other connections, but this one only reads.
function onChange<T>(database: DatabaseSync, read: () => T): () => T {
  const select = database.prepare("PRAGMA data_version");
  let known: { readonly version: unknown; readonly value: T } | undefined;
  return () => {
    const version = select.get()?.["data_version"];
    if (known === undefined || known.version !== version) known = { version, value: read() };
    return known.value;
  };
}
