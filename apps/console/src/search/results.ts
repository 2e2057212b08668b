// Reads the records of one search: the pages in view first, then those that were asked for.
import type { CallMediaClient, CallRecord } from "@call-media/client";
import type { CallFilter } from "@call-media/conditions";
import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Fault, isAbort, toFault } from "../faults.ts";
import { noticeRefusal } from "../session.ts";
import { noteValues } from "./known-values.ts";
import { createPages, type Pages, type PageStore } from "./pages.ts";
import { PAGE_LENGTH, type Query, readPage } from "./query.ts";

const AT_ONCE = 2;
// Pages that pass during fast scrolling are not requested.
const SETTLE_MS = 60;
// While reading all pages, rows appear in steps, because each step takes time to draw.
const STEP_MS = 250;

export interface Results extends Pages {
  readonly query: Query;
  /** The reason if nothing could be loaded. */
  readonly fault: ReadonlySignal<Fault | undefined>;
  /** The pages that failed to load. */
  readonly failed: ReadonlySignal<ReadonlySet<number>>;
  readonly isReadingAll: ReadonlySignal<boolean>;
  /** Rows in view: their pages are requested before any other. */
  readonly want: (first: number, end: number) => void;
  readonly retry: () => void;
  readonly readAll: () => void;
  /** Reads this number of pages, spread evenly over the search. */
  readonly readSpread: (pages: number) => void;
  readonly stopReadingAll: () => void;
  readonly dispose: () => void;
}

export function createResults(client: CallMediaClient, query: Query): Results {
  const reading = createReading(client, query);
  const { pages, fault, failed, isReadingAll } = reading;
  let settling: ReturnType<typeof setTimeout> | undefined;
  pump(reading);
  return {
    ...pages,
    query,
    fault,
    failed,
    isReadingAll,
    want(first, end) {
      clearTimeout(settling);
      settling = setTimeout(() => {
        const [from, to] = [Math.floor(first / PAGE_LENGTH), Math.ceil(end / PAGE_LENGTH)];
        reading.wanted = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
        pump(reading);
      }, SETTLE_MS);
    },
    retry() {
      batch(() => {
        fault.value = undefined;
        failed.value = new Set();
      });
      pump(reading);
    },
    readAll() {
      isReadingAll.value = true;
      pump(reading);
    },
    readSpread(count) {
      const step = pageCount(pages) / count;
      reading.spread = Array.from({ length: count }, (_, place) => Math.floor(place * step));
      pump(reading);
    },
    stopReadingAll() {
      isReadingAll.value = false;
      show(reading);
    },
    dispose() {
      clearTimeout(settling);
      clearTimeout(reading.showing);
      reading.aborter.abort();
    },
  };
}

/** The state of reading the pages of a result. */
interface Reading {
  readonly client: CallMediaClient;
  readonly query: Query;
  readonly pages: PageStore;
  readonly fault: Signal<Fault | undefined>;
  readonly failed: Signal<ReadonlySet<number>>;
  readonly isReadingAll: Signal<boolean>;
  readonly underWay: Set<number>;
  readonly aborter: AbortController;
  readonly check: (records: readonly CallRecord[]) => Promise<readonly CallRecord[]>;
  /** The pages in view. */
  wanted: readonly number[];
  spread: readonly number[];
  showing: ReturnType<typeof setTimeout> | undefined;
}

function createReading(client: CallMediaClient, query: Query): Reading {
  const aborter = new AbortController();
  return {
    client,
    query,
    pages: createPages(),
    fault: signal(undefined),
    failed: signal(new Set()),
    isReadingAll: signal(false),
    underWay: new Set(),
    aborter,
    check: createCheck(client, query, aborter.signal),
    wanted: [0],
    spread: [],
    showing: undefined,
  };
}

/** Returns the records that meet the conditions of the page. */
function createCheck(client: CallMediaClient, { conditions }: Query, aborted: AbortSignal) {
  let filter: CallFilter | undefined;
  return async (records: readonly CallRecord[]): Promise<readonly CallRecord[]> => {
    if (conditions.length === 0) return records;
    const { createFilter } = await import("./checking.ts");
    filter ??= createFilter(client, conditions, aborted);
    return filter.filter(records);
  };
}

const pageCount = ({ total }: PageStore): number => Math.ceil((total.peek() ?? 1) / PAGE_LENGTH);

function nextPage({ pages, failed, isReadingAll, ...reading }: Reading): number | undefined {
  const { wanted, spread, underWay } = reading;
  const isOpen = (page: number) =>
    !pages.has(page) && !underWay.has(page) && !failed.peek().has(page) && page < pageCount(pages);
  const looked = wanted.find(isOpen) ?? spread.find(isOpen);
  if (looked !== undefined || !isReadingAll.peek()) return looked;
  for (let page = 0; page < pageCount(pages); page++) if (isOpen(page)) return page;
  if (underWay.size === 0) isReadingAll.value = false;
  return undefined;
}

function pump(reading: Reading): void {
  while (reading.underWay.size < AT_ONCE && !reading.aborter.signal.aborted) {
    const page = nextPage(reading);
    if (page === undefined) return;
    void load(reading, page);
  }
}

async function load(reading: Reading, pageIndex: number): Promise<void> {
  const { client, query, pages, fault, failed, isReadingAll, underWay, aborter } = reading;
  underWay.add(pageIndex);
  try {
    const page = await readPage(client, query, { pageIndex, signal: aborter.signal });
    pages.add(pageIndex, page, await reading.check(page.records));
    noteValues(client, page.records);
    if (!isReadingAll.peek()) show(reading);
    else reading.showing ??= setTimeout(() => show(reading), STEP_MS);
  } catch (error) {
    if (isAbort(error)) return;
    noticeRefusal(error);
    batch(() => {
      if (pages.total.peek() === undefined) fault.value = toFault(error);
      failed.value = new Set([...failed.peek(), pageIndex]);
      isReadingAll.value = false;
    });
  } finally {
    underWay.delete(pageIndex);
  }
  pump(reading);
}

function show(reading: Reading): void {
  clearTimeout(reading.showing);
  reading.showing = undefined;
  reading.pages.show();
}
