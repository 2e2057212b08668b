// The records of one search, by page number, and how complete they are (D09).
import type { CallMediaClient, CallRecord } from "@call-media/client";
import type { CallFilter } from "@call-media/conditions";
import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { type Fault, isAbort, toFault } from "../faults.ts";
import { noticeRefusal } from "../session.ts";
import { noteValues } from "./known-values.ts";
import { type Page, PAGE_LENGTH, type Query, readPage } from "./query.ts";

const AT_ONCE = 2;
// Pages that pass during fast scrolling are not requested.
const SETTLE_MS = 60;
// While reading all pages, rows appear in steps, because each step takes time to draw.
const STEP_MS = 250;

export interface Completeness {
  readonly kind: "complete" | "partly" | "changed";
  readonly loaded: number;
  readonly total: number;
}

export interface Results {
  readonly query: Query;
  /** Undefined until the first page is loaded. */
  readonly total: ReadonlySignal<number | undefined>;
  /** Increments whenever the loaded records change. */
  readonly revision: ReadonlySignal<number>;
  /** The reason if nothing could be loaded. */
  readonly fault: ReadonlySignal<Fault | undefined>;
  /** The pages that failed to load. */
  readonly failed: ReadonlySignal<ReadonlySet<number>>;
  readonly completeness: ReadonlySignal<Completeness | undefined>;
  /** The identifiers of a list that no call has. */
  readonly missing: ReadonlySignal<readonly string[]>;
  readonly isReadingAll: ReadonlySignal<boolean>;
  readonly recordAt: (index: number) => CallRecord | undefined;
  /** The loaded records in order, with their index. */
  readonly loaded: () => Iterable<readonly [index: number, record: CallRecord]>;
  /** The loaded records that meet the conditions. */
  readonly found: () => Iterable<readonly [index: number, record: CallRecord]>;
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
  const pages = new Map<number, readonly CallRecord[]>();
  const met = new Set<CallRecord>();
  const underWay = new Set<number>();
  const seen = new Map<string, number>();
  const aborter = new AbortController();
  const total = signal<number | undefined>(undefined);
  const revision = signal(0);
  const fault = signal<Fault | undefined>(undefined);
  const failed = signal<ReadonlySet<number>>(new Set());
  const isChanged = signal(false);
  const isReadingAll = signal(false);
  const missing = signal<readonly string[]>([]);
  let wanted: readonly number[] = [0];
  let spread: readonly number[] = [];
  let settling: ReturnType<typeof setTimeout> | undefined;
  let showing: ReturnType<typeof setTimeout> | undefined;
  let read = 0;

  const pageCount = () => Math.ceil((total.peek() ?? 1) / PAGE_LENGTH);
  const isOpen = (page: number) =>
    !pages.has(page) && !underWay.has(page) && !failed.peek().has(page) && page < pageCount();

  function nextPage(): number | undefined {
    const looked = wanted.find(isOpen) ?? spread.find(isOpen);
    if (looked !== undefined || !isReadingAll.peek()) return looked;
    for (let page = 0; page < pageCount(); page++) if (isOpen(page)) return page;
    if (underWay.size === 0) isReadingAll.value = false;
    return undefined;
  }

  function pump(): void {
    while (underWay.size < AT_ONCE && !aborter.signal.aborted) {
      const page = nextPage();
      if (page === undefined) return;
      void load(page);
    }
  }

  async function load(pageIndex: number): Promise<void> {
    underWay.add(pageIndex);
    try {
      const page = await readPage(client, query, { pageIndex, signal: aborter.signal });
      for (const record of await check(page.records)) met.add(record);
      take(pageIndex, page);
    } catch (error) {
      if (isAbort(error)) return;
      noticeRefusal(error);
      batch(() => {
        if (total.peek() === undefined) fault.value = toFault(error);
        failed.value = new Set([...failed.peek(), pageIndex]);
        isReadingAll.value = false;
      });
    } finally {
      underWay.delete(pageIndex);
    }
    pump();
  }

  let filtering: CallFilter | undefined;

  async function check(records: readonly CallRecord[]): Promise<readonly CallRecord[]> {
    if (query.conditions.length === 0) return records;
    const { createFilter } = await import("./checking.ts");
    filtering ??= createFilter(client, query.conditions, aborter.signal);
    return filtering.filter(records);
  }

  function take(pageIndex: number, page: Page): void {
    pages.set(pageIndex, page.records);
    missing.value = page.missing ?? [];
    noteValues(client, page.records);
    read += page.records.length;
    const announced = page.total ?? total.peek() ?? page.records.length;
    if (announced !== (total.peek() ?? announced) || hasRepeated(pageIndex, page))
      isChanged.value = true;
    // Keeps the first count, so that rows stay in place while the user reads.
    total.value ??= announced;
    if (!isReadingAll.peek()) show();
    else showing ??= setTimeout(show, STEP_MS);
  }

  function show(): void {
    clearTimeout(showing);
    showing = undefined;
    revision.value++;
  }

  /** True if a record was already on another page: records were added or removed meanwhile. */
  function hasRepeated(pageIndex: number, { records }: Page): boolean {
    let repeated = false;
    for (const { call_id, ref_id, datetime, agent, recordings } of records) {
      const key = JSON.stringify([call_id, ref_id, datetime, agent, recordings]);
      repeated ||= (seen.get(key) ?? pageIndex) !== pageIndex;
      seen.set(key, pageIndex);
    }
    return repeated;
  }

  function* loaded() {
    for (const page of [...pages.keys()].toSorted((one, other) => one - other))
      for (const [row, record] of (pages.get(page) ?? []).entries())
        yield [page * PAGE_LENGTH + row, record] as const;
  }

  pump();
  return {
    query,
    total,
    revision,
    fault,
    failed,
    isReadingAll,
    missing,
    completeness: computed(() => {
      if (revision.value < 0 || total.value === undefined) return undefined;
      const kind = isChanged.value ? "changed" : read >= total.value ? "complete" : "partly";
      return { kind, loaded: read, total: total.value };
    }),
    recordAt: (index) => pages.get(Math.floor(index / PAGE_LENGTH))?.[index % PAGE_LENGTH],
    loaded,
    *found() {
      for (const one of loaded()) if (met.has(one[1])) yield one;
    },
    want(first, end) {
      clearTimeout(settling);
      settling = setTimeout(() => {
        const [from, to] = [Math.floor(first / PAGE_LENGTH), Math.ceil(end / PAGE_LENGTH)];
        wanted = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
        pump();
      }, SETTLE_MS);
    },
    retry() {
      batch(() => {
        fault.value = undefined;
        failed.value = new Set();
      });
      pump();
    },
    readAll() {
      isReadingAll.value = true;
      pump();
    },
    readSpread(count) {
      const step = pageCount() / count;
      spread = Array.from({ length: count }, (_, place) => Math.floor(place * step));
      pump();
    },
    stopReadingAll() {
      isReadingAll.value = false;
      show();
    },
    dispose() {
      clearTimeout(settling);
      clearTimeout(showing);
      aborter.abort();
    },
  };
}
