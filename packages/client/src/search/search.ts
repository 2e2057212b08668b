// A search as one sequence of records, across windows and pages: each returned once, and counted.
import { check } from "../check.ts";
import type { DayRange } from "./days.ts";
import { type CallRecord, type Keyed, toKey } from "./keys.ts";
import type { Pages, RawPage } from "./pages.ts";
import { type Bookmark, type FreshPage, readWindow, type WindowReport } from "./window.ts";
import { readArchiveZone } from "../time-zones.ts";
import { parseJson } from "../values.ts";
import type { ChatReport, OpenWordsFilter } from "./words.ts";

/** Report of a search so far. */
export interface SearchReport {
  /** Records that the service sent, each counted once. */
  readonly rows: number;
  readonly duplicates: number;
  /** The part of `rows` that was not returned, because the records are of other days in the search's `timeZone`. */
  readonly outside: number;
  /** In the order in which they were read. */
  readonly windows: readonly Readonly<WindowReport>[];
  /**
   * - `complete`: every window returned as many records as the service announced.
   * - `unproved`: every window was read to its end, but the service does not announce how many records there are.
   * - `drifted`: the numbers differ or records came twice. The archive changed, and some records may be missing.
   * - `unfinished`: not read to the end.
   */
  readonly verdict: "complete" | "unproved" | "drifted" | "unfinished";
  /** Why the verdict is what it is, as a sentence. It names the first window that made it so. */
  readonly reason: string;
  /**
   * IANA name of the archive's time zone (D34), of the days of the search and of datetimes without an offset. Undefined
   * before the first page, and if the service does not say.
   */
  readonly timeZone?: string | undefined;
  /**
   * For a search with words: `applied` by the service, or `filtered here`, by `filterWords`. In that case `rows` and `announced` count the
   * compared records. Undefined before the first page, and without words.
   */
  readonly words?: "applied" | "filtered here" | undefined;
  /** For words that were filtered here: the number of records that have them. */
  readonly matches?: number | undefined;
  /** For words that were filtered here: the chats needed. */
  readonly chats?: ChatReport | undefined;
}

/** One page of a search. */
export interface SearchPage extends DayRange {
  readonly pageIndex: number;
  /** The records of the page that no earlier page had. */
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

/**
 * A search. It sends nothing until it is read. Read again after a `break` or an error, it continues. If it is read again after its end, or
 * by two loops at the same time, it throws a TypeError: a loop without records would look like a search without any.
 */
export interface CallSearch extends AsyncIterable<CallRecord> {
  /** Reads page by page. Pages without a new record are left out. */
  pages(): AsyncGenerator<SearchPage, void, undefined>;
  /**
   * Returns one page by its number, counted from 0. Cursor and report do not change.
   *
   * @throws TypeError for a search in windows, or with a `timeZone`.
   */
  page(index: number): Promise<NumberedPage>;
  /**
   * Returns the number of records of the search. Requests a page past its end, so that the access log of the service records no call as
   * shown. If the service refuses that page or sends no total with it, requests the first page. Undefined if that has no total either, or
   * if the words are filtered here. Cursor and report do not change.
   *
   * @throws TypeError for a search in windows, or with a `timeZone`.
   */
  count(): Promise<number | undefined>;
  /**
   * JSON to continue after the last record or page that was returned, also in another process. Save it after you have stored what the
   * search returned: after a crash, the rest is returned again and nothing is lost. If that last record was edited or erased meanwhile, the
   * records of its window are returned again. It contains digests, dates and numbers, but no data of records.
   *
   * The counts of its windows are requested again. If the count of a finished window changed, its records are returned again, together with
   * the late ones. If the count of the unfinished window changed, the verdict is `drifted`, unless the rest makes up for it.
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

/** The windows of a search in the order in which they are read, and what to return of their records. */
interface Plan {
  readonly ranges: readonly DayRange[];
  readonly includes: (record: CallRecord) => boolean;
}

interface SearchParts {
  readonly openPages: (range: DayRange) => Pages;
  readonly hasWords: boolean;
  /** For a service that does not apply words. */
  readonly words?: OpenWordsFilter | undefined;
}

/** A search from `position` on. Creating some plans takes a request. */
export function createCallSearch(
  given: Plan | (() => Promise<Plan>),
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
    // Without a filter, reading fails before.
    return (await words?.filter(records)) ?? [];
  }

  /** True if records of the page may lack the words, so that the service's count differs from the search's. */
  const isLessened = ({ isUnfiltered }: RawPage) => isUnfiltered && !words?.keepsAll;

  /** Windows that an earlier run finished, until their counts are confirmed. */
  const unconfirmed = position.windows.filter(
    ({ isDone, announced }) => isDone && announced !== undefined,
  );
  const readPast = ({ startDate, endDate }: DayRange) => openPages({ startDate, endDate }).past();

  async function confirm(): Promise<void> {
    for (let window; (window = unconfirmed[0]); unconfirmed.shift()) {
      const { announced } = await readPast(window);
      if (announced === undefined || announced === window.announced) window.announced = announced;
      else reopen(window);
    }
  }

  function reopen(window: WindowReport): void {
    window.isDone = false;
    position.at = Math.min(position.at, position.windows.indexOf(window));
    position.bookmark = undefined;
  }

  let plan = typeof given === "function" ? undefined : given;
  /** The number of loops so far, and whether one reached the end. */
  let loops = 0;
  let isRead = false;

  /** The pages for one loop. Two concurrent loops would each miss records that the other gets. */
  async function* readAll() {
    check(!isRead, "The search was read to its end; create another one to read it again");
    const loop = ++loops;
    for await (const page of readOn()) {
      yield page;
      check(loop === loops, "Another loop has begun to read the search; create one for each");
    }
    isRead = true;
  }

  async function* readOn() {
    plan ??= typeof given === "function" ? await given() : given;
    await confirm();
    for (let range; (range = plan.ranges[position.at]); position.at++) {
      const report = (position.windows[position.at] ??= {
        ...range,
        pages: 0,
        rows: 0,
        duplicates: 0,
        outside: 0,
        isDone: false,
      });
      if (report.isDone) continue;
      const { bookmark } = position;
      for await (const page of readWindow(openPages(range), report, bookmark)) {
        timeZone = readArchiveZone(page.response);
        const found = new Set((await filterRecords(page)).filter(plan.includes));
        if (page.isUnfiltered) {
          applied = "filtered here";
          matches += found.size;
        } else if (hasWords) applied ??= "applied";
        yield { ...page, found };
      }
      // Records that appeared before the bookmark meanwhile were not read.
      if (bookmark && report.announced !== undefined)
        report.announced = (await readPast(range)).announced;
      report.isDone = true;
      position.bookmark = undefined;
    }
  }

  /** Counts a record of the page and moves the cursor past it. Undefined if it is of a day outside the caller's. */
  function give(page: FreshPage, one: Keyed): CallRecord | undefined {
    position.bookmark = { pageIndex: page.pageIndex, key: one.key };
    page.report.rows++;
    if (plan?.includes(one.record)) return one.record;
    page.report.outside++;
    return undefined;
  }

  function toRange(): DayRange {
    const [range, another] = plan?.ranges ?? [];
    check(range && !another, "A page has a number in a search without windowDays and timeZone");
    return range;
  }

  return {
    async *[Symbol.asyncIterator]() {
      for await (const page of readAll())
        for (const one of page.records) {
          const record = give(page, one);
          if (record && page.found.has(record)) yield record;
        }
    },
    async *pages() {
      for await (const page of readAll()) {
        const { startDate, endDate } = page.report;
        const records = page.records
          .map((one) => give(page, one))
          .filter((one) => one !== undefined)
          .filter((one) => page.found.has(one));
        if (!records[0]) continue;
        yield { startDate, endDate, pageIndex: page.pageIndex, records, response: page.response };
      }
    },
    async page(index) {
      const pages = openPages(toRange());
      const page = await pages.at(index);
      const isAll = async () =>
        index === 0 && page.isCounted && !(await pages.next(page))?.records[0];
      const announced = page.announced ?? ((await isAll()) ? page.records.length : undefined);
      const total = isLessened(page) ? undefined : announced;
      return { records: await filterRecords(page), total, response: page.response };
    },
    async count() {
      const page = await readPast(toRange());
      if (isLessened(page)) return undefined;
      return page.announced ?? (page.records[0] ? undefined : 0);
    },
    get cursor() {
      return JSON.stringify(position);
    },
    get report() {
      const report = {
        ...toReport(position.windows, plan?.ranges.length),
        ...(unconfirmed[0] && UNCONFIRMED),
        timeZone,
        words: applied,
      };
      return applied === "filtered here" ? { ...report, matches, chats: words?.chats } : report;
    },
  };
}

const UNCONFIRMED = {
  verdict: "unfinished",
  reason: "the numbers of finished windows were not asked for again yet",
} as const;

function toReport(
  windows: readonly WindowReport[],
  count: number | undefined,
): Omit<SearchReport, "timeZone"> {
  const sum = (field: "rows" | "duplicates" | "outside") =>
    windows.reduce((total, one) => total + one[field], 0);
  const [rows, duplicates, outside] = [sum("rows"), sum("duplicates"), sum("outside")];
  return { rows, duplicates, outside, windows: structuredClone(windows), ...judge(windows, count) };
}

function judge(
  windows: readonly WindowReport[],
  count: number | undefined,
): Pick<SearchReport, "verdict" | "reason"> {
  const done = windows.filter(({ isDone }) => isDone).length;
  if (count === undefined) return { verdict: "unfinished", reason: "nothing was read yet" };
  if (done < count)
    return { verdict: "unfinished", reason: `${done} of ${count} windows were read to the end` };
  // Without an announced number, a duplicate shows a change.
  const drifted = windows.find(
    ({ rows, duplicates, announced }) => rows !== (announced ?? rows + duplicates),
  );
  if (drifted) {
    const { startDate, endDate, rows, duplicates, announced } = drifted;
    const fault = announced === undefined ? "of an unknown number" : `of ${announced} announced`;
    const reason = `${startDate} to ${endDate}: ${rows} records came ${fault}, ${duplicates} twice; the archive changed meanwhile`;
    return { verdict: "drifted", reason };
  }
  const unproved = windows.find(({ announced }) => announced === undefined);
  if (unproved) {
    const reason = `${unproved.startDate} to ${unproved.endDate}: the service does not say how many records there are`;
    return { verdict: "unproved", reason };
  }
  return {
    verdict: "complete",
    reason: "every window returned as many records as the service announced",
  };
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
  // The key of the search shows that the cursor is valid.
  check(position.of === of, "cursor must be of the same search");
  return position;
}
