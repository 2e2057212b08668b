// A search as one sequence of records, over windows and pages: each once, and accounted for.
import { check } from "../check.ts";
import type { DayRange } from "./days.ts";
import { type CallRecord, type Keyed, toKey } from "./keys.ts";
import type { Pages } from "./pages.ts";
import { type Bookmark, type FreshPage, readWindow, type WindowReport } from "./window.ts";
import { parseJson } from "../values.ts";

/** An account of a search so far. */
export interface SearchReport {
  readonly rows: number;
  readonly duplicates: number;
  /** In the order in which they were read. */
  readonly windows: readonly Readonly<WindowReport>[];
  /**
   * `complete`: every window gave as many records as the service announced. `unproved`: every window
   * was read to its end, but the service does not announce how many records there are. `drifted`: the
   * numbers differ, or records came twice: the archive changed meanwhile, and some may be missing.
   * `unfinished`: not read to the end.
   */
  readonly verdict: "complete" | "unproved" | "drifted" | "unfinished";
  /**
   * IANA name of the archive's time zone: a datetime without an offset, and the days of the search, are local time there
   * (D34). Undefined before the first page, and where the service does not say.
   */
  readonly timeZone?: string | undefined;
}

/** One page of a search. */
export interface SearchPage extends DayRange {
  readonly pageIndex: number;
  /** The records of the page that did not come before. */
  readonly records: readonly CallRecord[];
  readonly response: Response;
}

/** A page as the service has it now. */
export interface NumberedPage {
  readonly records: readonly CallRecord[];
  /** Records of the whole search; undefined where the service does not say. */
  readonly total: number | undefined;
  readonly response: Response;
}

/** A search, which asks for nothing until it is read. Read again after a break, it goes on where it was. */
export interface CallSearch extends AsyncIterable<CallRecord> {
  /** The same page by page; pages without a new record are left out. */
  pages(): AsyncGenerator<SearchPage, void, undefined>;
  /**
   * One page by its number, counted from 0, for a list that jumps. It does not count as read: cursor and report stay.
   *
   * @throws TypeError for a search in windows.
   */
  page(index: number): Promise<NumberedPage>;
  /**
   * JSON to go on from after what was given last. It has digests of the search and of a record, dates and numbers, and
   * nothing that was in them.
   */
  readonly cursor: string;
  readonly report: SearchReport;
}

/** What a cursor has. */
export interface Position {
  /** Key of the search. */
  readonly of: string;
  /** Index of the window. */
  at: number;
  /** What was given last in that window. */
  bookmark?: Bookmark | undefined;
  readonly windows: WindowReport[];
}

/** A search over windows, in the order in which they are read, from `position` on. */
export function createCallSearch(
  ranges: readonly DayRange[],
  position: Position,
  openPages: (range: DayRange) => Pages,
): CallSearch {
  let timeZone: string | undefined;
  async function* readAll() {
    for (let range; (range = ranges[position.at]); position.at++) {
      const report = (position.windows[position.at] ??= {
        ...range,
        pages: 0,
        rows: 0,
        duplicates: 0,
        isDone: false,
      });
      for await (const page of readWindow(openPages(range), report, position.bookmark)) {
        timeZone = page.response.headers.get("Archive-Time-Zone") ?? undefined;
        yield page;
      }
      report.isDone = true;
      position.bookmark = undefined;
    }
  }

  /** Counts a record of the page as given, and has the cursor stand after it. */
  function give(page: FreshPage, one: Keyed): CallRecord {
    position.bookmark = { pageIndex: page.pageIndex, key: one.key };
    page.report.rows++;
    return one.record;
  }

  return {
    async *[Symbol.asyncIterator]() {
      for await (const page of readAll()) for (const one of page.records) yield give(page, one);
    },
    async *pages() {
      for await (const page of readAll()) {
        const { startDate, endDate } = page.report;
        const records = page.records.map((one) => give(page, one));
        if (!records[0]) continue;
        yield { startDate, endDate, pageIndex: page.pageIndex, records, response: page.response };
      }
    },
    async page(index) {
      const [range, another] = ranges;
      check(range && !another, "A page has a number in a search without windowDays");
      const { records, announced, response } = await openPages(range).at(index);
      return { records: records.map(({ record }) => record), total: announced, response };
    },
    get cursor() {
      return JSON.stringify(position);
    },
    get report() {
      return { ...toReport(position.windows, ranges.length), timeZone };
    },
  };
}

function toReport(windows: readonly WindowReport[], count: number): SearchReport {
  const report = { rows: 0, duplicates: 0, windows: structuredClone(windows) };
  let verdict: SearchReport["verdict"] = "complete";
  for (const { rows, duplicates, announced } of windows) {
    report.rows += rows;
    report.duplicates += duplicates;
    // Where nothing is announced, a record that came twice tells of a change.
    if (rows !== (announced ?? rows + duplicates)) verdict = "drifted";
    if (announced === undefined && verdict === "complete") verdict = "unproved";
  }
  if (!windows[count - 1]?.isDone) verdict = "unfinished";
  return { ...report, verdict };
}

/**
 * The start of a search, or where its cursor stands. `identity` makes the search this one and no other.
 *
 * @throws TypeError where it is no cursor, or one of another search.
 */
export function toPosition(identity: unknown, cursor: string | undefined): Position {
  const of = toKey(identity);
  if (cursor === undefined) return { of, at: 0, windows: [] };
  const position = Object(parseJson(cursor)) as Position;
  // The key of the search is in it, so that it is one of ours.
  check(position.of === of, "cursor must be of the same search");
  return position;
}
