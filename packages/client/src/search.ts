// A search as one sequence of records, over windows and pages: each once, and accounted for.
import { isObject, parseJson } from "./answer.ts";
import type { DayRange } from "./days.ts";
import type { PageReader, PageRequest } from "./pages.ts";
import { type Bookmark, type CallRecord, readWindow, toKey, type WindowReport } from "./window.ts";

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
}

/** One page of a search. */
export interface SearchPage extends DayRange {
  readonly pageIndex: number;
  /** The records of the page that did not come before. */
  readonly records: readonly CallRecord[];
  readonly response: Response;
}

/** A search, which asks for nothing until it is read. Read again after a break, it goes on where it was. */
export interface CallSearch extends AsyncIterable<CallRecord> {
  /** The same page by page; pages without a new record are left out. */
  pages(): AsyncGenerator<SearchPage, void, undefined>;
  /**
   * JSON to go on from after what was given last; undefined before it is first read. It has a digest
   * of the search and of a record, dates and numbers, and nothing that was in them.
   */
  readonly cursor: string | undefined;
  readonly report: SearchReport;
}

/** What a search is made of. */
export interface SearchPlan {
  readonly reader: PageReader;
  readonly request: Omit<PageRequest, "range">;
  /** The windows, in the order in which they are read. */
  readonly ranges: readonly DayRange[];
  readonly pageSize: number | undefined;
  /** What makes the search this one and no other. */
  readonly identity: unknown;
  readonly cursor: string | undefined;
}

interface Position {
  /** Index of the window. */
  at: number;
  /** What was given last in that window. */
  bookmark?: Bookmark | undefined;
  windows: WindowReport[];
}

export function createCallSearch(plan: SearchPlan): CallSearch {
  const { ranges, request } = plan;
  let position: Position = { at: 0, windows: [] };
  let name: string | undefined;

  async function* readAll() {
    if (name === undefined) {
      const own = await toKey(plan.identity);
      if (plan.cursor !== undefined) position = parseCursor(plan.cursor, own);
      name = own;
    }
    for (let range; (range = ranges[position.at]); position.at++) {
      const none = { pages: 0, rows: 0, duplicates: 0, isDone: false };
      const report = (position.windows[position.at] ??= { ...range, ...none });
      const asked = { ...request, range };
      for await (const one of readWindow({ ...plan, asked }, report, position.bookmark))
        yield { ...one, report };
      report.isDone = true;
      position.bookmark = undefined;
    }
  }

  return {
    async *[Symbol.asyncIterator]() {
      for await (const { page, fresh, report } of readAll())
        for (const { key, record } of fresh) {
          report.rows++;
          position.bookmark = { pageIndex: page.pageIndex, key };
          yield record;
        }
    },
    async *pages() {
      for await (const { page, fresh, report } of readAll()) {
        const last = fresh.at(-1);
        if (last === undefined) continue;
        const { pageIndex, response } = page;
        report.rows += fresh.length;
        position.bookmark = { pageIndex, key: last.key };
        const { startDate, endDate } = report;
        yield { startDate, endDate, pageIndex, records: fresh.map((one) => one.record), response };
      }
    },
    get cursor() {
      return name === undefined ? plan.cursor : JSON.stringify({ v: 1, of: name, ...position });
    },
    get report() {
      return toReport(position.windows, ranges.length);
    },
  };
}

function toReport(windows: readonly WindowReport[], count: number): SearchReport {
  const sum = (name: "rows" | "duplicates") =>
    windows.reduce((total, window) => total + window[name], 0);
  const isDone = windows.length === count && windows.every((window) => window.isDone);
  const hasDrifted = windows.some(({ announced, rows, duplicates }) =>
    announced === undefined ? duplicates > 0 : announced !== rows,
  );
  const isProved = windows.every(({ announced }) => announced !== undefined);
  const verdict = hasDrifted ? "drifted" : isProved ? "complete" : "unproved";
  return {
    rows: sum("rows"),
    duplicates: sum("duplicates"),
    windows: structuredClone(windows),
    verdict: isDone ? verdict : "unfinished",
  };
}

/** @throws TypeError where it is no cursor, or one of another search. */
function parseCursor(text: string, name: string): Position {
  const cursor = parseJson(text);
  if (!isObject(cursor) || cursor["v"] !== 1 || cursor["of"] !== name)
    throw new TypeError("cursor must be what the same search gave: service, days, windows, filter");
  const { at, bookmark, windows } = cursor;
  // The digest of the search is in it, so that it is one of ours.
  return { at, bookmark, windows } as Position;
}
