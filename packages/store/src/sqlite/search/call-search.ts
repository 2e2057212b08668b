// One search on one connection: the rows of a page, whether more follow, and the total number. Search threads
// load few modules, because they start with the first search.
import type { DatabaseSync } from "node:sqlite";
import type { CallSearch } from "../../port/index.ts";
import {
  hasBeginning,
  MAX_CALLS_OF_BEGINNING,
  readsRecords,
  tooLong,
} from "../../values/beginnings.ts";
import { PAGE_SIZE } from "../../values/page-size.ts";
import { CALL_COLUMNS, type CallRow, createCallCheck, toText } from "../call-row.ts";
import { prepareBig } from "../files/connection.ts";
import { readAtOnce } from "../files/transaction.ts";
import { toFirstId } from "../../values/order-key.ts";
import { EXACT_BEGINNING, missingCall, openSegmentIndex } from "../segment-index/segment-index.ts";
import { createCallTest } from "./call-test.ts";

/** A search whose days are instants, in ms since 1970: from `fromMs` up to, but not including, `untilMs`. */
export interface RangeSearch extends Omit<CallSearch, "startDate" | "endDate" | "by"> {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A page in stored form; its rows are one text: see `RecordForm.toRecords`. */
export interface FoundPage {
  readonly rows: string;
  readonly hasNext: boolean;
  readonly recordCount?: number;
}

export function createCallSearch(database: DatabaseSync): (search: RangeSearch) => FoundPage {
  const index = openSegmentIndex(database);
  const readRows = createRowReader(database);
  const toTest = createCallTest(database);

  const find = (search: RangeSearch): FoundPage => {
    const { filter, visibility, words, fromMs, untilMs, pageIndex, isCounted } = search;
    const query = {
      filter,
      visibility,
      words,
      fromId: toFirstId(fromMs),
      untilId: toFirstId(untilMs),
    };
    const skipped = pageIndex * PAGE_SIZE;
    const anyWords = { ...query, words: undefined };
    const isRead =
      words !== undefined &&
      hasBeginning(words) &&
      readsRecords(words, index.count(anyWords)) &&
      !index.hasWordCodes();
    const unsure = isRead ? undefined : index.unsure(query);
    const { ids, count } =
      words === undefined || (!isRead && unsure === undefined)
        ? { ids: index.find(query, skipped), count: () => index.count(query) }
        : pick(bound(index.all(isRead ? anyWords : query), unsure === "beginning"), toTest(words), {
            skipped,
            isCounted,
          });
    const rows = readRows(ids.slice(0, PAGE_SIZE));
    return { rows, hasNext: ids.length > PAGE_SIZE, ...(isCounted && { recordCount: count() }) };
  };
  // The rows that an import commits meanwhile are in both the page and its count, or in neither.
  return (search) => readAtOnce(database, () => find(search));
}

/** If there is a bound, throws `BeginningTooBroad` instead of returning more candidates than may be tested. */
function* bound(candidates: Iterable<bigint>, isBound: boolean): Generator<bigint> {
  let count = 0;
  for (const id of candidates) {
    if (isBound && count === MAX_CALLS_OF_BEGINNING) throw tooLong(EXACT_BEGINNING);
    count += 1;
    yield id;
  }
}

/** The ids of a page that pass the test, and one more if there is one. Tests all candidates only for a count. */
function pick(
  candidates: Iterable<bigint>,
  isFound: (id: bigint) => boolean,
  { skipped, isCounted }: { readonly skipped: number; readonly isCounted: boolean },
): { readonly ids: readonly bigint[]; readonly count: () => number } {
  const ids: bigint[] = [];
  let count = 0;
  for (const id of candidates) {
    if (!isFound(id)) continue;
    count += 1;
    if (count > skipped && ids.length <= PAGE_SIZE) ids.push(id);
    if (!isCounted && ids.length > PAGE_SIZE) break;
  }
  return { ids, count: () => count };
}

// SQLite never exchanges the two sides of a CROSS JOIN (lang_select.html), so the rows come in the order of the ids;
// missing ones are null. With the ids in one JSON text, which IN sorts again, it takes half as long again.
const READ_ROWS = `SELECT ${CALL_COLUMNS}
  FROM (VALUES ${Array(PAGE_SIZE).fill("(?)").join()}) CROSS JOIN call ON call.id = column1`;

/** For up to one page of ids. Throws `StoreFault` and `IndexDamaged`: a page is complete and undamaged, or fails. */
function createRowReader(database: DatabaseSync): (ids: readonly bigint[]) => string {
  const select = prepareBig<CallRow>(database, READ_ROWS);
  const check = createCallCheck(database);
  return (ids) => {
    const rows = ids.length === 0 ? [] : select.all(...ids);
    if (rows.length < ids.length) throw missingCall();
    for (const row of rows) check(row);
    return toText(rows);
  };
}
