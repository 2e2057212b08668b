// The pages of one range of days: each record once, however the service ends its pages.
import type { Schema } from "@call-media/api";

import type { DayRange } from "./days.ts";
import { ProtocolError } from "./errors.ts";
import type { Pages, RawPage } from "./pages.ts";

/** The record of a call, as the contract has it. */
export type CallRecord = Schema<"MetadataRecord">;

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

/** A record and what tells it from others. */
export interface Keyed {
  readonly key: string;
  readonly record: CallRecord;
}

/** A page with those of its records that are new. */
export interface FreshPage {
  readonly page: RawPage;
  readonly fresh: readonly Keyed[];
  readonly report: WindowReport;
}

/** A service that takes no notice of pageIndex would give the same page for ever. */
const MAX_BARREN_PAGES = 5;

/** From where reading goes on: what of `page` was not seen before is new. */
interface Place {
  readonly page: RawPage;
  readonly seen: Set<string>;
  /** How many records of the page were given before the search was left. */
  readonly given: number;
}

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
  const place = await findPlace(pages, bookmark);
  const { seen } = place;
  let { given } = place;
  for (
    let page: RawPage | undefined = place.page, barren = 0;
    page;
    page = await pages.next(page)
  ) {
    const { pageIndex, records } = page;
    const keyed = records.map((record) => ({ record, key: toKey(record) }));
    const fresh = keyed.filter(({ key }) => !seen.has(key));
    // Only now: equal records on one page are as many as they are.
    for (const { key } of keyed) seen.add(key);
    report.announced ??= page.announced;
    // Where pages begin with 1, a service may give page 1 for page 0 as well.
    const isAlias = pageIndex === 1 && fresh.length === 0 && records.length === seen.size;
    if (!isAlias) report.duplicates += records.length - fresh.length - given;
    given = 0;
    report.pages++;
    yield { page, fresh, report };
    // A page may be short or empty amid others while more is announced.
    const { announced, rows } = report;
    if (announced === undefined ? records.length < pages.pageSize : rows >= announced) return;
    barren = fresh.length > 0 ? 0 : barren + 1;
    if (barren > MAX_BARREN_PAGES) {
      if (records.length === 0) return;
      throw new ProtocolError("Page after page brought the same records", pages.about);
    }
  }
}

/**
 * Records that were added since move the bookmark's record to a later page; records that went away,
 * to an earlier one.
 */
async function findPlace(pages: Pages, bookmark: Bookmark | undefined): Promise<Place> {
  if (!bookmark) return { page: await pages.first(), seen: new Set(), given: 0 };
  const { pageIndex, key } = bookmark;
  const near = () => pages.next({ pageIndex: pageIndex - 1, records: [] });
  for (const start of [near, pages.first]) {
    const seen = new Set<string>();
    for (let page = await start(); page; page = await pages.next(page)) {
      const known = seen.size;
      for (const [index, record] of page.records.entries()) {
        seen.add(toKey(record));
        if (seen.has(key)) return { page, seen, given: index + 1 };
      }
      if (seen.size === known) break;
    }
  }
  throw new ProtocolError("The record of the cursor is no longer there", pages.about);
}

/**
 * A value as 64 bits of its JSON: equal values always have equal keys, and of a million others any two have with a
 * probability of 3 in 100 million. It takes no thread, and less than half the CPU time of a cryptographic digest.
 */
export function toKey(value: unknown): string {
  const text = JSON.stringify(value);
  let [one, other] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = mix(one ^ unit, 0x9e3779b1);
    other = mix(other ^ unit, 0x85ebca6b);
  }
  return `${one},${other}`;
}

/** Multiplies by an odd number and brings the upper bits down, so that no two states become one. */
function mix(state: number, factor: number): number {
  const product = Math.imul(state, factor);
  return product ^ (product >>> 15);
}
