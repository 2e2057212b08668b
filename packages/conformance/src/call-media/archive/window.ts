// A range of days whose records are all read, found without prior knowledge of the archive.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer } from "../../ask.ts";
import { recordsOf } from "../answer.ts";
import type { Hints } from "../target.ts";
import type { Run } from "../run.ts";
import { parseMoment } from "../../values/moments.ts";
import { addDays, today } from "./days.ts";
import { toSet } from "./records.ts";
import { listSearches, type OpenSearch, WIDEST } from "./searches.ts";

export interface Page {
  readonly answer: Answer;
  readonly records: readonly JsonObject[];
}

export interface Window {
  readonly search: OpenSearch;
  /** The pageIndex of the first page. */
  readonly base: 0 | 1;
  /** The first two pages of the widest search: the window may be narrower than a page. */
  readonly opening: readonly Page[];
  /** The pages with records, in order. */
  readonly pages: readonly Page[];
  readonly records: readonly JsonObject[];
  /** True if all records of the range were read, false if only those that match a filter. */
  readonly isWhole: boolean;
  /** The page after the last. */
  readonly past: Answer | undefined;
}

export const PAGE_SIZE = 50;
const MAX_PAGES = 7;

/** True if a page has only records of the page before: past the end, some services return the last page again. */
export function isPastTheEnd(records: readonly JsonObject[], pages: readonly Page[]): boolean {
  if (records.length === 0) return true;
  const [last, other] = [pages.at(-1)?.records ?? [], pages.at(-2)?.records ?? []];
  // A full page that repeats shows that a service ignores pageIndex, unless the page before it differs.
  const isHeeded = other.length > 0 && toSet(other) !== toSet(last);
  const isLast = last.length > 0 && (last.length < PAGE_SIZE || isHeeded);
  return isLast && toSet(records) === toSet(last);
}

/** Returns the page with that index. */
type Read = (pageIndex: number) => Promise<Page>;

/** The pages from `base` on, at most `most`, and the page past the end if it was reached. */
export async function readPages(
  read: Read,
  base: number,
  most: number,
): Promise<Pick<Window, "pages" | "past">> {
  const pages: Page[] = [];
  for (let index = base; index < base + most; index += 1) {
    const page = await read(index);
    const { records, answer } = page;
    // A full page must come a third time: a page that appears twice between others does not mark the end.
    const isEnd =
      isPastTheEnd(records, pages) &&
      (records.length < PAGE_SIZE || isPastTheEnd((await read(index + 1)).records, pages));
    if (isEnd) return { pages, past: answer };
    pages.push(page);
  }
  return { pages, past: undefined };
}

export function searchOf(
  { operation, body, startDate, endDate }: OpenSearch,
  pageIndex: number,
): Parameters<Run["ask"]>[0] {
  return { operation, body, query: { pageIndex: String(pageIndex), startDate, endDate } };
}

/** Undefined if no search succeeds. */
export async function openWindow(run: Run, hints: Hints): Promise<Window | undefined> {
  let nothing: Opened | undefined;
  for (const search of await listSearches(run, hints)) {
    const found = await findBase(run, search);
    if (found === undefined) continue;
    const opened = { ...found, search };
    if (found.opening.some(({ records }) => records.length > 0)) return openAt(run, opened);
    nothing ??= opened;
    // If the widest search finds nothing, no other search will.
    if (search === WIDEST) break;
  }
  return nothing && openAt(run, nothing);
}

interface Opened extends Pick<Window, "base" | "opening"> {
  readonly search: OpenSearch;
}

async function openAt(run: Run, { search, base, opening }: Opened): Promise<Window> {
  const narrowed = await narrow(run, await settle(run, search, base), base);
  return { base, opening, ...(await readWindow(run, narrowed, base)) };
}

/** The pageIndex of the first page. Undefined if neither 0 nor 1 succeeds. */
async function findBase(
  run: Run,
  search: OpenSearch,
): Promise<Pick<Window, "base" | "opening"> | undefined> {
  const [zero, one] = [await readPage(run, search, 0), await readPage(run, search, 1)];
  if (!zero.answer.isSuccess && !one.answer.isSuccess) return undefined;
  const isFromZero = zero.records.length > 0 || one.records.length === 0;
  const isRepeated = zero.records.length > 0 && toSet(zero.records) === toSet(one.records);
  if (zero.answer.isSuccess && isFromZero && !isRepeated) return { base: 0, opening: [zero, one] };
  const two = await readPage(run, search, 2);
  // A service that counts from 1 may treat 0 as 1. One that ignores pageIndex repeats every page.
  if (!isRepeated || toSet(two.records) !== toSet(zero.records))
    return { base: 1, opening: [one, two] };
  return { base: 0, opening: isPastTheEnd(one.records, [zero]) ? [zero] : [zero, one] };
}

async function readPage(run: Run, search: OpenSearch, pageIndex: number): Promise<Page> {
  const answer = await run.recall(searchOf(search, pageIndex));
  return { answer, records: recordsOf(answer) };
}

/** Leaves out the last two days if calls still come in: a page that grows is not a drift. */
async function settle(run: Run, search: OpenSearch, base: 0 | 1): Promise<OpenSearch> {
  const records = recordsOf(await run.recall(searchOf(search, base)));
  const isRecent = records.some(({ datetime }) => {
    const day = parseMoment(datetime)?.day ?? "";
    return day >= addDays(today(), -1) && day <= addDays(today(), 1);
  });
  if (!isRecent) return search;
  const settled = { ...search, endDate: addDays(today(), -2) };
  const isEmpty = recordsOf(await run.recall(searchOf(settled, base))).length === 0;
  return isEmpty ? search : settled;
}

/** The widest range, starting at the first listed calls, whose records can all be read. */
async function narrow(run: Run, search: OpenSearch, base: 0 | 1): Promise<OpenSearch> {
  if (await isSmall(run, search, base)) return search;
  const records = recordsOf(await run.recall(searchOf(search, base)));
  const days = records.map(({ datetime }) => parseMoment(datetime)?.day ?? today());
  const [first = today()] = days;
  const isOldestFirst = first < (days.at(-1) ?? first);
  let narrowed = search;
  for (const count of [364, 180, 90, 30, 7, 2, 0]) {
    // The range may exclude its last day.
    const [before, after] = isOldestFirst ? [1, count + 1] : [count, 1];
    const range = { startDate: addDays(first, -before), endDate: addDays(first, after) };
    narrowed = { ...search, ...range };
    if (await isSmall(run, narrowed, base)) break;
  }
  return narrowed;
}

async function isSmall(run: Run, search: OpenSearch, base: 0 | 1): Promise<boolean> {
  const read = async (index: number) => readPage(run, search, base + index);
  const { records } = await read(MAX_PAGES);
  if (records.length === 0) return true;
  return isPastTheEnd(records, [await read(0), await read(MAX_PAGES - 1)]);
}

async function readWindow(
  run: Run,
  search: OpenSearch,
  base: 0 | 1,
): Promise<Omit<Window, "base" | "opening">> {
  const read: Read = async (pageIndex) => readPage(run, search, pageIndex);
  const { pages, past } = await readPages(read, base, MAX_PAGES + 1);
  const isOpen = isObject(search.body) && Object.keys(search.body).length === 0;
  const records = pages.flatMap((page) => page.records);
  return { search, pages, records, past, isWhole: isOpen && past !== undefined };
}
