// One search on one connection: the rows of a page, whether more follow, and how many there are in all. What a thread that
// searches loads is kept small: it starts with the first search.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { CallSearch } from "../call-store.ts";
import type { RecordRow } from "./call-row.ts";
import { DAY_MS, toFirstId } from "./order-key.ts";
import { toMatch } from "./search-terms.ts";

/** Records of a page (D07). */
export const PAGE_SIZE = 50;

/** A search whose days are instants, ms since 1970: from the first on, up to the second. */
export interface RangeSearch extends Omit<CallSearch, "startDate" | "endDate"> {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A page as it is stored: as text it crosses from a thread at a sixth of what its records would cost. */
export interface FoundPage {
  readonly rows: readonly RecordRow[];
  readonly hasNext: boolean;
  readonly recordCount?: number;
}

export function createCallSearch(database: DatabaseSync): (search: RangeSearch) => FoundPage {
  const readPage = createPageReader(database);
  const count = createCount(database);

  return (search) => {
    // Undefined when every call of the range is meant.
    const match = toMatch(search.filter, search.visibility);
    if (!search.isCounted) return readPage(search, match);
    // One transaction: an import that goes on meanwhile is in both, the page and its count, or in neither.
    database.exec("BEGIN");
    try {
      return { ...readPage(search, match), recordCount: count(search, match) };
    } finally {
      // An error of the disk has ended it already.
      if (database.isTransaction) database.exec("COMMIT");
    }
  };
}

function createPageReader(database: DatabaseSync) {
  const select = (source: string) =>
    database.prepare(
      `SELECT call_id, ref_id, record FROM call WHERE id IN (${source} LIMIT ${PAGE_SIZE + 1} OFFSET :offset) ORDER BY id DESC`,
    );
  const all = select("SELECT id FROM call WHERE id >= :from AND id < :until ORDER BY id DESC");
  const matching = select(
    "SELECT rowid FROM call_index WHERE call_index MATCH :match AND rowid >= :from AND rowid < :until ORDER BY rowid DESC",
  );

  return ({ pageIndex, fromMs, untilMs }: RangeSearch, match: string | undefined): FoundPage => {
    const bounds = {
      from: toFirstId(fromMs),
      until: toFirstId(untilMs),
      offset: pageIndex * PAGE_SIZE,
    };
    const found: readonly unknown[] =
      match === undefined ? all.all(bounds) : matching.all({ ...bounds, match });
    const rows = found.slice(0, PAGE_SIZE) as RecordRow[]; // the columns that it names
    return { rows, hasNext: found.length > PAGE_SIZE };
  };
}

function createCount(database: DatabaseSync) {
  const matching = database.prepare(
    "SELECT count(*) AS n FROM call_index WHERE call_index MATCH :match AND rowid >= :from AND rowid < :until",
  );
  const wholeDays = database.prepare(
    "SELECT ifnull(sum(calls), 0) AS n FROM call_day WHERE day >= :from AND day < :until",
  );
  const single = database.prepare(
    "SELECT count(*) AS n FROM call WHERE id >= :from AND id < :until",
  );
  const read = (statement: typeof single, values: Record<string, SQLInputValue>) =>
    Number(statement.get(values)?.["n"]);
  const between = (fromMs: number, untilMs: number) =>
    fromMs < untilMs ? read(single, { from: toFirstId(fromMs), until: toFirstId(untilMs) }) : 0;

  return ({ fromMs, untilMs }: RangeSearch, match: string | undefined): number => {
    if (match !== undefined)
      return read(matching, { match, from: toFirstId(fromMs), until: toFirstId(untilMs) });
    const from = Math.ceil(fromMs / DAY_MS);
    const until = Math.floor(untilMs / DAY_MS);
    if (from > until) return between(fromMs, untilMs);
    return (
      between(fromMs, from * DAY_MS) +
      read(wholeDays, { from, until }) +
      between(until * DAY_MS, untilMs)
    );
  };
}
