// The pages of one range of days: each record once, in whatever way the service ends its pages.
import { ProtocolError } from "../errors.ts";
import { MAX_PAGES_WITHOUT_NEW_RECORDS, PAGE_LENGTH } from "../limits.ts";
import type { DayRange } from "./days.ts";
import type { Pages, RawPage } from "./pages.ts";

/** Report of a window. */
export interface WindowReport extends DayRange {
  /** Pages read. */
  pages: number;
  /** Records returned. */
  rows: number;
  /** Records equal to an earlier one, which were left out. */
  duplicates: number;
  /** The part of `rows` that was left out, because the records are of other days in the time zone of the search. */
  outside: number;
  /** Records that the service announced first; undefined if it did not. */
  announced?: number | undefined;
  /** True once the window was read to its end. */
  isDone: boolean;
}

/** The last record that was returned, and its page. */
export interface Bookmark {
  readonly pageIndex: number;
  readonly key: string;
}

/** A page with only its new records. */
export interface FreshPage extends RawPage {
  readonly report: WindowReport;
}

/** Where reading continues. `seen`: keys of known records. `given`: how many of `page` were returned before. */
type Place = readonly [page: RawPage, seen: Set<string>, given: number];

/**
 * Reads a window from its start, or after `bookmark`. If the record of the bookmark is no longer there, it reads and
 * counts the window from its start again. `rows` of the report is for the caller to count.
 */
export async function* readWindow(
  pages: Pages,
  report: WindowReport,
  bookmark: Bookmark | undefined,
): AsyncGenerator<FreshPage, void, undefined> {
  const place = bookmark && (await findPlace(pages, bookmark));
  if (place === undefined)
    Object.assign(report, { pages: 0, rows: 0, duplicates: 0, outside: 0, announced: undefined });
  const [first, seen, before] = place ?? [await pages.first(), new Set<string>(), 0];
  let given = before;
  let pagesWithoutNew = 0;
  /** Keys of the previous page, and how often it was repeated. */
  let latest: string | undefined;
  let again = 0;
  let next: RawPage | undefined;
  let longest = PAGE_LENGTH;
  for (let page: RawPage | undefined = first; page; page = next ?? (await pages.next(page))) {
    next = undefined;
    const { records } = page;
    longest = Math.max(longest, records.length);
    const fresh = records.filter(({ key }) => !seen.has(key));
    // After the filter: equal records on one page are different records.
    const keys = String(records.map(({ key }) => key));
    for (const { key } of records) seen.add(key);
    // The count of a later page may include added records, and hide a repeated one.
    report.announced ??= first.announced ?? page.announced;
    // If pages begin with 1, a service may also return page 1 for page 0.
    if (keys !== latest || page.pageIndex !== 1) {
      again = keys === latest ? again + 1 : 0;
      report.duplicates += records.length - fresh.length - given;
    }
    latest = keys;
    given = 0;
    report.pages++;
    yield { ...page, records: fresh, report };
    // Past the end, some services return the last page again. One repetition may have another cause: a service that ignores pageIndex, or a
    // page of new records in between. Two repetitions mean the end, unless the page is the first and full.
    const least = again < 2 ? pages.pageSize : Math.max(report.rows, PAGE_LENGTH);
    // If more records are announced, a page in the middle may be short or empty.
    if (report.announced === undefined && records.length < least) {
      report.duplicates -= again * records.length;
      return;
    }
    // Added records took the place of others, which are still to come.
    if (report.rows >= Number(report.announced) && !isFollowed(page, report)) {
      // A page as long as the previous ones may be followed by others, whatever was announced.
      if (records.length < longest) return;
      next = await pages.behind(page);
      if (!next?.records.some(({ key }) => !seen.has(key))) return;
    }
    pagesWithoutNew = fresh[0] ? 0 : pagesWithoutNew + 1;
    if (pagesWithoutNew > MAX_PAGES_WITHOUT_NEW_RECORDS) {
      if (!records[0]) return;
      throw new ProtocolError("The pages bring the same records", pages.about);
    }
  }
}

/** True if the service says that records follow this page, by a current count or a link (D10). */
function isFollowed(page: RawPage, { rows, duplicates }: WindowReport): boolean {
  if (!page.records[0]) return false;
  const link = page.response.headers.get("Link") ?? "";
  return rows + duplicates < (page.announced ?? 0) || /\brel="?next\b/i.test(link);
}

/** The page of the bookmark; undefined if its record is missing. New records move it to a later page, deleted ones to an earlier one. */
async function findPlace(pages: Pages, bookmark: Bookmark): Promise<Place | undefined> {
  const before = { pageIndex: bookmark.pageIndex - 1, records: [] };
  // Starts at the page of the bookmark. If that finds nothing, starts at the first page.
  for (const start of [pages.next, pages.first]) {
    const seen = new Set<string>();
    for (let page = await start(before); page; page = await pages.next(page)) {
      const known = seen.size;
      let given = 0;
      for (const { key } of page.records) {
        seen.add(key);
        given++;
        if (key === bookmark.key) return [page, seen, given];
      }
      if (seen.size === known) break;
    }
  }
  // The record was edited or deleted, so the records before it are unknown. They are returned again, so that none is lost.
  return undefined;
}
