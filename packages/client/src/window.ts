// The pages of one range of days: each record once, however the service ends its pages.
import type { Schema } from "@call-media/api";

import type { DayRange } from "./days.ts";
import { ProtocolError, toName } from "./errors.ts";
import type { PageReader, PageRequest, RawPage } from "./pages.ts";
import { toHex } from "./recording-headers.ts";

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

/** A page with those of its records that are new. */
export interface FreshPage {
  readonly page: RawPage;
  readonly fresh: readonly { readonly key: string; readonly record: CallRecord }[];
}

export interface WindowPlan {
  readonly reader: PageReader;
  readonly asked: PageRequest;
  /** Records on a page that is not the last, where that is known. */
  readonly pageSize: number | undefined;
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
 * Reads a window from its start, or after `bookmark`. `rows` of the report is for the caller to
 * count.
 *
 * @throws ProtocolError where the record of the bookmark is no longer in the window.
 */
export async function* readWindow(
  plan: WindowPlan,
  report: WindowReport,
  bookmark: Bookmark | undefined,
): AsyncGenerator<FreshPage, void, undefined> {
  const { reader, asked, pageSize } = plan;
  let { page, seen, given } = await findPlace(plan, bookmark);
  for (let barren = 0; ;) {
    const fresh = await sift(page, seen);
    report.pages++;
    report.announced ??= page.announced;
    // Where pages begin with 1, a service may give page 1 for page 0 as well.
    const isAlias = page.pageIndex === 1 && fresh.length === 0 && page.records.length === seen.size;
    if (!isAlias) report.duplicates += page.records.length - fresh.length - given;
    yield { page, fresh };
    barren = fresh.length > 0 ? 0 : barren + 1;
    const isBarren = barren > MAX_BARREN_PAGES;
    if (isLast(page, report, pageSize) || (isBarren && page.records.length === 0)) return;
    if (isBarren) throw toFault("page after page brought the same records", asked);
    const next = await reader.next(asked, page);
    if (next === undefined) return;
    page = next;
    given = 0;
  }
}

/** A page may be short or empty amid others, so that without a sign the next one has to tell. */
function isLast(page: RawPage, { announced, rows }: WindowReport, pageSize = 1): boolean {
  return announced === undefined ? page.records.length < pageSize : rows >= announced;
}

/**
 * Records that were added since move the bookmark's record to a later page; records that went away,
 * to an earlier one.
 */
async function findPlace(plan: WindowPlan, bookmark: Bookmark | undefined): Promise<Place> {
  const { reader, asked } = plan;
  if (bookmark === undefined) return { page: await reader.first(asked), seen: new Set(), given: 0 };
  const { pageIndex, key } = bookmark;
  const near = await reader.next(asked, { pageIndex: pageIndex - 1, records: [] });
  const place = (await seek(plan, near, key)) ?? (await seek(plan, await reader.first(asked), key));
  if (place !== undefined) return place;
  throw toFault("the record after which to go on is no longer there", asked);
}

async function seek(
  { reader, asked }: WindowPlan,
  start: RawPage | undefined,
  key: string,
): Promise<Place | undefined> {
  const seen = new Set<string>();
  for (let page = start; page !== undefined; page = await reader.next(asked, page)) {
    const keys = await Promise.all(page.records.map(toKey));
    const given = keys.indexOf(key) + 1;
    const known = seen.size;
    for (const one of given > 0 ? keys.slice(0, given) : keys) seen.add(one);
    if (given > 0) return { page, seen, given };
    if (seen.size === known) return undefined;
  }
  return undefined;
}

async function sift({ records }: RawPage, seen: Set<string>): Promise<FreshPage["fresh"]> {
  const keys = await Promise.all(records.map(toKey));
  const all = records.map((record, index) => ({ record, key: keys[index] ?? "" }));
  const fresh = all.filter(({ key }) => !seen.has(key));
  // Only now: equal records on one page are as many as they are.
  for (const key of keys) seen.add(key);
  return fresh;
}

/** Half of a SHA-256, which nobody can make another value have, in little memory. */
export async function toKey(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes), 0, 16));
}

function toFault(fault: string, { operation }: PageRequest): ProtocolError {
  return new ProtocolError(`${toName(operation)}: ${fault}`, {
    ...operation,
    url: "",
    attempts: 0,
  });
}
