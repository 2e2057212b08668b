// One search on one connection: the rows of a page, whether more follow, and how many there are in all. What a thread that
// searches loads is kept small: it starts with the first search.
import type { DatabaseSync } from "node:sqlite";
import type { CallSearch } from "../../port/index.ts";
import { PAGE_SIZE } from "../../values/page-size.ts";
import { NO_RECORDS, RECORDS_AS_TEXT } from "../call-row.ts";
import { openIndex } from "./open-index.ts";
import { toFirstId } from "../order-key.ts";
import { createIdFinder } from "./page-ids.ts";
import { type IdRange, type Slice, toSlices } from "../pieces/bands.ts";
import { countBits } from "../pieces/bits.ts";
import type { Piece } from "../pieces/piece-list.ts";
import type { PieceReader } from "../pieces/piece-reader.ts";
import { type Match, type Question, toQuestion } from "../pieces/question.ts";

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

export function createCallSearch(database: DatabaseSync): (search: RangeSearch) => FoundPage {
  const { reader, toTerm, toMatch, listPieces, readAtOnce } = openIndex(database);
  const readRows = createRowReader(database);
  const findIds = createIdFinder(reader);

  const find = (search: RangeSearch): FoundPage => {
    const { filter, visibility, isCounted, pageIndex } = search;
    const question = toQuestion(toTerm, filter, visibility);
    if (question === undefined) return toNothing(search);
    const pieces = listPieces();
    const range = { fromId: toFirstId(search.fromMs), untilId: toFirstId(search.untilMs) };
    const match = toMatch(question);
    const ids = findIds(pieces, range, { match, skipped: pageIndex * PAGE_SIZE });
    const page = toPage(readRows, ids);
    if (!isCounted) return page;
    const slices = toSlices(reader, pieces.filter(isWithin(range)), range);
    const counts = slices.map((slice) => countSlice(reader, slice, { question, match }));
    return { ...page, recordCount: counts.reduce((sum, count) => sum + count, 0) };
  };
  return (search) => readAtOnce(() => find(search));
}

// Rights let no call match.
function toNothing({ isCounted }: RangeSearch): FoundPage {
  return { rows: NO_RECORDS, hasNext: false, ...(isCounted && { recordCount: 0 }) };
}

function toPage(readRows: (ids: readonly bigint[]) => string, ids: readonly bigint[]): FoundPage {
  return { rows: readRows(ids.slice(0, PAGE_SIZE)), hasNext: ids.length > PAGE_SIZE };
}

function isWithin({ fromId, untilId }: IdRange): (piece: Piece) => boolean {
  return ({ firstId, lastId }) => lastId >= fromId && firstId < untilId;
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
