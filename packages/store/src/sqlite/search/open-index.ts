// The search index as a connection reads it: what it keeps of what was read, for everything that is asked there.
import type { DatabaseSync } from "node:sqlite";
import { readAtOnce } from "../files/transaction.ts";
import type { Piece } from "../pieces/piece-list.ts";
import { createPieceReader, type PieceReader } from "../pieces/piece-reader.ts";
import { createMatcher, type Match, type Question } from "../pieces/question.ts";
import { createTerms, type ToTerm } from "../search-terms.ts";

interface SearchIndex {
  readonly reader: PieceReader;
  readonly toTerm: ToTerm;
  readonly toMatch: (question: Question) => Match;
  /** All there are, the newest first; to be called within `readAtOnce`. */
  readonly listPieces: () => readonly Piece[];
  /** An import that goes on meanwhile is in all that is read, or in none of it. */
  readonly readAtOnce: <T>(read: () => T) => T;
}

// Of pages of the index, and as much of its blocks.
const INDEX_BYTES = 48 * 1024 ** 2;

// Of what users may see of it: of five million calls 1 MB a user.
const RIGHTS_BYTES = 32 * 1024 ** 2;

/** On a connection that only reads: see `createPieceList`. */
export function openIndex(database: DatabaseSync): SearchIndex {
  const toTerm = createTerms(database);
  const reader = createPieceReader(database, INDEX_BYTES);
  return {
    reader,
    toTerm,
    toMatch: createMatcher(reader, toTerm, RIGHTS_BYTES),
    listPieces: createPieceList(database, reader),
    readAtOnce: (read) => readAtOnce(database, read),
  };
}

// Lists the pieces anew only when somebody has written: an archive of five million calls has 130, which took as long as the
// rows of a page. `data_version` tells of other connections alone, but this one only reads.
function createPieceList(database: DatabaseSync, reader: PieceReader): () => readonly Piece[] {
  const select = database.prepare("PRAGMA data_version");
  let pieces: readonly Piece[] = [];
  let known: unknown;
  return () => {
    const version = select.get()?.["data_version"];
    if (version !== known) pieces = reader.list();
    known = version;
    return pieces;
  };
}
