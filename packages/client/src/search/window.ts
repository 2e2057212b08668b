// The pages of one range of days: each record once, however the service ends its pages.
import { ProtocolError } from "../errors.ts";
import { MAX_BARREN_PAGES, PAGE_LENGTH } from "../limits.ts";
import type { DayRange } from "./days.ts";
import type { Pages, RawPage } from "./pages.ts";

/** What became of the days of a window. */
export interface WindowReport extends DayRange {
  /** Pages that were read. */
  pages: number;
  /** Records that were given. */
  rows: number;
  /** Records that came again, wholly equal to one before, and were left out. */
  duplicates: number;
  /** How many records the service announced at first; undefined where it did not. */
  announced?: number | undefined;
  /** Whether the window was read to its end. */
  isDone: boolean;
}

/** The record that was given last, and the page it was on. */
export interface Bookmark {
  readonly pageIndex: number;
  readonly key: string;
}

/** A page with those of its records alone that are new. */
export interface FreshPage extends RawPage {
  readonly report: WindowReport;
}

/**
 * From where reading goes on: what of `page` was not seen before is new, and so many of its records were `given` before the
 * search was left.
 */
type Place = readonly [page: RawPage, seen: Set<string>, given: number];

/**
 * Reads a window from its start, or after `bookmark`. `rows` of the report is for the caller to count.
 *
 * @throws ProtocolError where the record of the bookmark is no longer in the window.
 */
export async function* readWindow(
  pages: Pages,
  report: WindowReport,
  bookmark: Bookmark | undefined,
): AsyncGenerator<FreshPage, void, undefined> {
  const [first, seen, before] = await findPlace(pages, bookmark);
  let given = before;
  let barren = 0;
  /** The page before, and how often it came again. */
  let latest: string | undefined;
  let again = 0;
  for (let page: RawPage | undefined = first; page; page = await pages.next(page)) {
    const { records } = page;
    const fresh = records.filter(({ key }) => !seen.has(key));
    // Only now: equal records on one page are as many as they are.
    const keys = String(records.map(({ key }) => key));
    for (const { key } of records) seen.add(key);
    report.announced ??= page.announced;
    // Where pages begin with 1, a service may give page 1 for page 0 as well.
    if (keys !== latest || page.pageIndex !== 1) {
      again = keys === latest ? again + 1 : 0;
      report.duplicates += records.length - fresh.length - given;
    }
    latest = keys;
    given = 0;
    report.pages++;
    yield { ...page, records: fresh, report };
    // Past the end some services give the last page again. A full one that is the first may be that of a service which takes
    // no notice of pageIndex; and as many records may have come in between as a page has, but not twice.
    const least = again < 2 ? pages.pageSize : Math.max(report.rows, PAGE_LENGTH);
    // A page may be short or empty amid others while more is announced.
    if (report.announced === undefined && records.length < least) {
      report.duplicates -= again * records.length;
      return;
    }
    if (report.rows >= Number(report.announced)) return;
    barren = fresh[0] ? 0 : barren + 1;
    if (barren > MAX_BARREN_PAGES) {
      if (!records[0]) return;
      throw new ProtocolError("The pages bring the same records", pages.about);
    }
  }
}

/**
 * Records that were added since move the bookmark's record to a later page; records that went away,
 * to an earlier one.
 */
async function findPlace(pages: Pages, bookmark: Bookmark | undefined): Promise<Place> {
  if (!bookmark) return [await pages.first(), new Set(), 0];
  const before = { pageIndex: bookmark.pageIndex - 1, records: [] };
  // From the page of the bookmark on or, where that finds nothing, from the first.
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
  throw new ProtocolError("The cursor's record is gone", pages.about);
}
