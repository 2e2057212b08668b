// The table `word`: every word that the index has the hash of, in order. Hashes have none, so beginnings of such words are looked up
// here.
import type { DatabaseSync } from "node:sqlite";
import { createTerms, toNumberTerm } from "../../values/terms.ts";
import { readSetting } from "../settings.ts";
import { createSegmentReader } from "./segment-reader.ts";
import { WORD } from "./term-lister.ts";
import { createTermSet } from "./term-set.ts";

/** Adds words. In a transaction of the caller's. */
export function createDictionaryWriter(database: DatabaseSync): (words: readonly string[]) => void {
  const insert = database.prepare("INSERT OR IGNORE INTO word (word) VALUES (?)");
  return (words) => {
    for (const word of words.toSorted(compare)) insert.run(word); // neighbours share a page
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : 1);

/** Deletes the words that no call has any more. */
export function forgetWords(database: DatabaseSync): void {
  const toTerm = createTerms(readSetting(database, "index_seed"), toNumberTerm);
  const reader = createSegmentReader(database, 0);
  const known = createTermSet();
  for (const segment of reader.list()) {
    const terms = reader.openTerms(segment);
    for (let term = terms.term(); term !== undefined; term = terms.term()) {
      known.add(term);
      terms.advance();
    }
  }
  const gone = database
    .prepare("SELECT word FROM word")
    .all()
    .map(({ word }) => String(word))
    .filter((word) => !known.has(toTerm(WORD, word)));
  const remove = database.prepare("DELETE FROM word WHERE word = ?");
  for (const word of gone) remove.run(word);
}
