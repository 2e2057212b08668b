// One search on one connection: the rows of a page, whether more follow, and how many there are in all.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { CallPage, CallSearch } from "../call-store.ts";
import { toDayRange } from "../values/instant.ts";
import { DAY_MS } from "./call-changes.ts";
import { RECORD_COLUMNS, type RecordRow, toRecord } from "./call-row.ts";
import { toFirstId } from "./order-key.ts";
import { toMatch } from "./search-index.ts";

/** Records of a page (D07). */
const PAGE_SIZE = 50;

/** A page as it is stored: as text it crosses from a thread for a third of what its records would cost. */
export interface FoundPage {
  readonly rows: readonly RecordRow[];
  readonly hasNext: boolean;
  readonly recordCount?: number;
}

/** The instants of a search and its MATCH, undefined when every call of the range is meant. */
interface Range {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly match: string | undefined;
}

/** Throws `RecordDamaged`. */
export function toCallPage({ rows, ...page }: FoundPage): CallPage {
  return { ...page, records: rows.map(toRecord), pageSize: PAGE_SIZE };
}

export function createCallSearch(
  database: DatabaseSync,
  timeZone: string,
): (search: CallSearch) => FoundPage {
  const readPage = createPageReader(database);
  const count = createCount(database);

  return (search) => {
    const range = {
      ...toDayRange(search.startDate, search.endDate, timeZone),
      match: toMatch(search.filter, search.visibility),
    };
    if (!search.isCounted) return readPage(search, range);
    // One transaction: an import that goes on meanwhile is in both, the page and its count, or in neither.
    database.exec("BEGIN");
    try {
      return { ...readPage(search, range), recordCount: count(range) };
    } finally {
      // An error of the disk has ended it already.
      if (database.isTransaction) database.exec("COMMIT");
    }
  };
}

function createPageReader(database: DatabaseSync) {
  const select = (source: string) =>
    database.prepare(
      `SELECT ${RECORD_COLUMNS} FROM call WHERE id IN (${source} LIMIT ${PAGE_SIZE + 1} OFFSET :offset) ORDER BY id DESC`,
    );
  const all = select("SELECT id FROM call WHERE id >= :from AND id < :until ORDER BY id DESC");
  const matching = select(
    "SELECT rowid FROM call_index WHERE call_index MATCH :match AND rowid >= :from AND rowid < :until ORDER BY rowid DESC",
  );

  return ({ pageIndex }: CallSearch, { fromMs, untilMs, match }: Range): FoundPage => {
    const bounds = {
      from: toFirstId(fromMs),
      until: toFirstId(untilMs),
      offset: pageIndex * PAGE_SIZE,
    };
    const found: readonly unknown[] =
      match === undefined ? all.all(bounds) : matching.all({ ...bounds, match });
    const rows = found.slice(0, PAGE_SIZE) as RecordRow[]; // the columns that RECORD_COLUMNS names
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

  return ({ fromMs, untilMs, match }: Range): number => {
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
