// One search on one connection: the rows of a page, whether more follow, and how many there are in all. What a thread that
// searches loads is kept small: it starts with the first search.
import type { DatabaseSync } from "node:sqlite";
import type { CallSearch } from "../call-store.ts";
import { NO_RECORDS, RECORDS_AS_TEXT } from "./call-row.ts";
import { toFirstId } from "./order-key.ts";
import { createIdFinder, PAGE_SIZE } from "./page-ids.ts";
import { type IdRange, type Slice, toSlices } from "./pieces/bands.ts";
import { countBits } from "./pieces/bits.ts";
import type { Piece } from "./pieces/piece-list.ts";
import { createPieceReader, type PieceReader } from "./pieces/piece-reader.ts";
import { createMatcher, type Match, type Question, toQuestion } from "./pieces/question.ts";
import { createTerms } from "./search-terms.ts";

/** What a search may keep of what it has read, and how much it may read. */
export interface SearchBounds {
  /** Of pages of the index, and as much of its blocks. */
  readonly indexBytes: number;
  /** Of what users may see of it: of five million calls 1 MB a user. */
  readonly rightsBytes: number;
  /** Pieces of the index that are looked into for a page; a count takes all there are. */
  readonly maxPieces: number;
}

const OF_A_THREAD: SearchBounds = {
  indexBytes: 48 * 1024 ** 2,
  rightsBytes: 32 * 1024 ** 2,
  maxPieces: Infinity,
};

/** A search whose days are instants, ms since 1970: from the first on, up to the second. */
export interface RangeSearch extends Omit<CallSearch, "startDate" | "endDate"> {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A page as it is stored, its rows as one text: see `RecordForm.toRecords`. */
export interface FoundPage {
  readonly rows: string;
  readonly hasNext: boolean;
  readonly recordCount?: number;
}

/** On a connection that only reads: see `createPieceList`. */
export function createCallSearch(database: DatabaseSync): (search: RangeSearch) => FoundPage {
  const find = createBoundedSearch(database, OF_A_THREAD);
  return (search) => find(search) ?? toNothing(search);
}

function toNothing({ isCounted }: RangeSearch): FoundPage {
  return { rows: NO_RECORDS, hasNext: false, ...(isCounted && { recordCount: 0 }) };
}

/** As `createCallSearch`, but undefined when rights let no call match, or when `maxPieces` do not tell the page. */
export function createBoundedSearch(
  database: DatabaseSync,
  { indexBytes, rightsBytes, maxPieces }: SearchBounds,
): (search: RangeSearch) => FoundPage | undefined {
  const toTerm = createTerms(database);
  const reader = createPieceReader(database, indexBytes);
  const listPieces = createPieceList(database, reader);
  const toMatch = createMatcher(reader, toTerm, rightsBytes);
  const readRows = createRowReader(database);
  const findIds = createIdFinder(reader, maxPieces);

  const find = (search: RangeSearch): FoundPage | undefined => {
    const { filter, visibility, isCounted, pageIndex } = search;
    const question = toQuestion(toTerm, filter, visibility);
    if (question === undefined) return undefined;
    const pieces = listPieces();
    const range = { fromId: toFirstId(search.fromMs), untilId: toFirstId(search.untilMs) };
    const match = toMatch(question);
    const ids = findIds(pieces, range, { match, skipped: pageIndex * PAGE_SIZE });
    if (ids === undefined) return undefined;
    const page = toPage(readRows, ids);
    if (!isCounted) return page;
    const slices = toSlices(reader, pieces.filter(isWithin(range)), range);
    const counts = slices.map((slice) => countSlice(reader, slice, { question, match }));
    return { ...page, recordCount: counts.reduce((sum, count) => sum + count, 0) };
  };
  return (search) => inTransaction(database, () => find(search));
}

// One transaction: an import that goes on meanwhile is in all that is read, or in none of it.
function inTransaction<T>(database: DatabaseSync, read: () => T): T {
  database.exec("BEGIN");
  try {
    return read();
  } finally {
    // An error of the disk has ended it already.
    if (database.isTransaction) database.exec("COMMIT");
  }
}

function toPage(readRows: (ids: readonly bigint[]) => string, ids: readonly bigint[]): FoundPage {
  return { rows: readRows(ids.slice(0, PAGE_SIZE)), hasNext: ids.length > PAGE_SIZE };
}

function isWithin({ fromId, untilId }: IdRange): (piece: Piece) => boolean {
  return ({ firstId, lastId }) => lastId >= fromId && firstId < untilId;
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

// SQLite never exchanges the two sides of a CROSS JOIN (lang_select.html), so the rows come in the order of the ids; those
// not given are null. Ids in one JSON text, which IN sorts again, take half as long again.
const READ_ROWS = `SELECT ${RECORDS_AS_TEXT} AS text
  FROM (VALUES ${Array(PAGE_SIZE).fill("(?)").join()}) CROSS JOIN call ON call.id = column1`;

/** For as many ids as a page has at most. */
function createRowReader(database: DatabaseSync): (ids: readonly bigint[]) => string {
  const select = database.prepare(READ_ROWS);
  return (ids) => String(select.get(...ids)?.["text"]);
}

// The index knows how many calls of a piece have a value: where nothing else is asked, no bits have to be counted.
function countSlice(
  reader: PieceReader,
  slice: Slice,
  { question: { terms, rights }, match }: { readonly question: Question; readonly match: Match },
): number {
  const { piece, from, until } = slice;
  const isWhole = from === 0 && until === piece.calls;
  const [term] = terms;
  if (rights.length > 0 || terms.length > 1) return match.count(slice);
  if (term === undefined)
    return until - from - (piece.removed ? countBits(piece.removed, from, until) : 0);
  if (isWhole && piece.removed === undefined) return reader.find(piece, term)?.count ?? 0;
  return match.count(slice);
}
