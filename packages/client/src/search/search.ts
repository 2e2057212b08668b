// A search as one sequence of records, over windows and pages: each once, and counted.
import { check } from "../check.ts";
import type { DayRange } from "./days.ts";
import { type CallRecord, type Keyed, toKey } from "./keys.ts";
import type { Pages, RawPage } from "./pages.ts";
import { type Bookmark, type FreshPage, readWindow, type WindowReport } from "./window.ts";
import { parseJson } from "../values.ts";
import type { ChatReport, OpenWordsFilter } from "./words.ts";

/** Report of a search so far. */
export interface SearchReport {
  /** Records that the service returned. */
  readonly rows: number;
  readonly duplicates: number;
  /** In the order in which they were read. */
  readonly windows: readonly Readonly<WindowReport>[];
  /**
   * - `complete`: every window returned as many records as the service announced.
   * - `unproved`: every window was read to its end, but the service does not announce how many records there are.
   * - `drifted`: the numbers differ or records came twice. The archive changed, and some records may be missing.
   * - `unfinished`: not read to the end.
   */
  readonly verdict: "complete" | "unproved" | "drifted" | "unfinished";
  /**
   * IANA name of the archive's time zone (D34), of the days of the search and of datetimes without an offset. Undefined
   * before the first page, and if the service does not say.
   */
  readonly timeZone?: string | undefined;
  /**
   * Of a search with words: `applied` by the service, or `filtered here`, by `filterWords`. Then `rows` and `announced` count
   * what was compared. Undefined before the first page, and without words.
   */
  readonly words?: "applied" | "filtered here" | undefined;
  /** Of words that were filtered here: records that have them. */
  readonly matches?: number | undefined;
  /** Of words that were filtered here. */
  readonly chats?: ChatReport | undefined;
}

/** One page of a search. */
export interface SearchPage extends DayRange {
  readonly pageIndex: number;
  /** The records of the page that did not come before. */
  readonly records: readonly CallRecord[];
  readonly response: Response;
}

/** A page with its current records. */
export interface NumberedPage {
  readonly records: readonly CallRecord[];
  /** Records of the complete search; undefined if the service does not say, or the words were filtered here. */
  readonly total: number | undefined;
  readonly response: Response;
}

/** A search. It sends nothing until it is read. Read again after a `break`, it continues. */
export interface CallSearch extends AsyncIterable<CallRecord> {
  /** Reads page by page. Pages without a new record are left out. */
  pages(): AsyncGenerator<SearchPage, void, undefined>;
  /**
   * Returns one page by its number, counted from 0. Cursor and report do not change.
   *
   * @throws TypeError for a search in windows.
   */
  page(index: number): Promise<NumberedPage>;
  /**
   * JSON to continue after the last record, also in another process. It contains digests, dates and numbers, and no data of
   * records.
   */
  readonly cursor: string;
  readonly report: SearchReport;
}

/** Content of a cursor. */
export interface Position {
  /** Key of the search. */
  readonly of: string;
  /** Index of the window. */
  at: number;
  /** The last record that was returned in that window. */
  bookmark?: Bookmark | undefined;
  readonly windows: WindowReport[];
}

interface SearchParts {
  readonly openPages: (range: DayRange) => Pages;
  readonly hasWords: boolean;
  /** For a service that does not apply them. */
  readonly words?: OpenWordsFilter | undefined;
}

/** A search over windows, in the order in which they are read, from `position` on. */
export function createCallSearch(
  ranges: readonly DayRange[],
  position: Position,
  { openPages, hasWords, words }: SearchParts,
): CallSearch {
  let timeZone: string | undefined;
  let applied: SearchReport["words"];
  let matches = 0;

  /** The records that have the words. */
  async function filterRecords(page: RawPage): Promise<readonly CallRecord[]> {
    const records = page.records.map(({ record }) => record);
    if (!page.isUnfiltered) return records;
    // The pages are read only where there is a filter.
    return (await words?.filter(records)) ?? [];
  }

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
        const found = new Set(await filterRecords(page));
        if (page.isUnfiltered) {
          applied = "filtered here";
          matches += found.size;
        } else if (hasWords) applied ??= "applied";
        yield { ...page, found };
      }
      report.isDone = true;
      position.bookmark = undefined;
    }
  }

  /** Counts a record of the page as returned, and moves the cursor past it. */
  function give(page: FreshPage, one: Keyed): CallRecord {
    position.bookmark = { pageIndex: page.pageIndex, key: one.key };
    page.report.rows++;
    return one.record;
  }

  return {
    async *[Symbol.asyncIterator]() {
      for await (const page of readAll())
        for (const one of page.records) {
          const record = give(page, one);
          if (page.found.has(record)) yield record;
        }
    },
    async *pages() {
      for await (const page of readAll()) {
        const { startDate, endDate } = page.report;
        for (const one of page.records) give(page, one);
        const records = [...page.found];
        if (!records[0]) continue;
        yield { startDate, endDate, pageIndex: page.pageIndex, records, response: page.response };
      }
    },
    async page(index) {
      const [range, another] = ranges;
      check(range && !another, "A page has a number in a search without windowDays");
      const page = await openPages(range).at(index);
      const total = page.isUnfiltered ? undefined : page.announced;
      return { records: await filterRecords(page), total, response: page.response };
    },
    get cursor() {
      return JSON.stringify(position);
    },
    get report() {
      const report = { ...toReport(position.windows, ranges.length), timeZone, words: applied };
      return applied === "filtered here" ? { ...report, matches, chats: words?.chats } : report;
    },
  };
}

function toReport(windows: readonly WindowReport[], count: number): SearchReport {
  const report = { rows: 0, duplicates: 0, windows: structuredClone(windows) };
  let verdict: SearchReport["verdict"] = "complete";
  for (const { rows, duplicates, announced } of windows) {
    report.rows += rows;
    report.duplicates += duplicates;
    // If nothing is announced, a duplicate shows a change.
    if (rows !== (announced ?? rows + duplicates)) verdict = "drifted";
    if (announced === undefined && verdict === "complete") verdict = "unproved";
  }
  if (!windows[count - 1]?.isDone) verdict = "unfinished";
  return { ...report, verdict };
}

/**
 * The position of a cursor, or the start of a search. `identity` distinguishes the search from others.
 *
 * @throws TypeError if it is not a cursor of this search.
 */
export function toPosition(identity: unknown, cursor: string | undefined): Position {
  const of = toKey(identity);
  if (cursor === undefined) return { of, at: 0, windows: [] };
  const position = Object(parseJson(cursor)) as Position;
  // With the key of the search, the cursor is one of ours.
  check(position.of === of, "cursor must be of the same search");
  return position;
}
