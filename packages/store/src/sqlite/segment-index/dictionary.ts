// The table `word`: every word that the index has as a hash, in alphabetical order. Hashes are not ordered like words, so prefixes of such
// words are looked up here.
import type { DatabaseSync } from "node:sqlite";
import { createTerms, toNumberTerm } from "../../values/terms.ts";
import { readSetting } from "../settings.ts";
import { hasOrdinal } from "./bitmap.ts";
import { listOrdinals } from "./layout.ts";
import type { Segment } from "./segment-list.ts";
import { createSegmentReader, type SegmentReader } from "./segment-reader.ts";
import { WORD } from "./term-lister.ts";
import { createTermSet } from "./term-set.ts";

/** Adds words; must be called in a transaction. */
export function createDictionaryWriter(database: DatabaseSync): (words: readonly string[]) => void {
  const insert = database.prepare("INSERT OR IGNORE INTO word (word) VALUES (?)");
  return (words) => {
    for (const word of words.toSorted(compare)) insert.run(word); // neighbours share a page
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : 1);

// Pages of the newest segments, which have most words.
const READER_BYTES = 16 * 1024 ** 2;

/** Makes a function that deletes those of the given words that no longer occur in any call. It must be called in a transaction. */
export function createWordRemover(database: DatabaseSync): (words: readonly string[]) => void {
  const toTerm = createToTerm(database);
  const remove = database.prepare("DELETE FROM word WHERE word = ?");
  return (words) => {
    if (words.length === 0) return;
    // A new reader each time: a cache from a rolled-back transaction would be wrong.
    const reader = createSegmentReader(database, READER_BYTES);
    const segments = reader.list();
    const isThere = (term: number) => segments.some((segment) => hasTerm(reader, segment, term));
    for (const word of words) if (!isThere(toTerm(word))) remove.run(word);
  };
}

function hasTerm(reader: SegmentReader, segment: Segment, term: number): boolean {
  const entry = reader.find(segment, term);
  if (entry === undefined) return false;
  const { removed } = segment;
  if (removed === undefined) return true;
  for (const ordinal of listOrdinals(reader.ordinals(segment, entry)))
    if (!hasOrdinal(removed, ordinal)) return true;
  return false;
}

/** Compares all words with the whole index, which must not contain removed calls. Deletes words that no longer occur in any call. */
export function sweepWords(database: DatabaseSync): void {
  const toTerm = createToTerm(database);
  const words = database.prepare("SELECT word FROM word");
  // An index has a hundred times as many terms as words.
  const [wanted, found] = [createTermSet(), createTermSet()];
  for (const { word } of words.iterate()) wanted.add(toTerm(String(word)));
  const reader = createSegmentReader(database, 0);
  for (const segment of reader.list()) {
    const terms = reader.openTerms(segment);
    for (let term = terms.term(); term !== undefined; term = terms.term()) {
      if (wanted.has(term)) found.add(term);
      terms.advance();
    }
  }
  const gone = words
    .all()
    .map(({ word }) => String(word))
    .filter((word) => !found.has(toTerm(word)));
  const remove = database.prepare("DELETE FROM word WHERE word = ?");
  for (const word of gone) remove.run(word);
}

function createToTerm(database: DatabaseSync): (word: string) => number {
  const toTerm = createTerms(readSetting(database, "index_seed"), toNumberTerm);
  return (word) => toTerm(WORD, word);
}
