// The records of one search that are here, by page number, and how complete they are (D09).
import type { CallRecord } from "@call-media/client";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { type Page, PAGE_LENGTH } from "./query.ts";

export interface Completeness {
  readonly kind: "complete" | "partly" | "changed";
  readonly loaded: number;
  readonly total: number;
}

export interface Pages {
  /** Undefined until the first page is loaded. */
  readonly total: ReadonlySignal<number | undefined>;
  /** Increments whenever the loaded records change. */
  readonly revision: ReadonlySignal<number>;
  readonly completeness: ReadonlySignal<Completeness | undefined>;
  /** The identifiers of a list that no call has. */
  readonly missing: ReadonlySignal<readonly string[]>;
  readonly recordAt: (index: number) => CallRecord | undefined;
  /** The loaded records in order, with their index. */
  readonly loaded: () => Iterable<readonly [index: number, record: CallRecord]>;
  /** The loaded records that meet the conditions. */
  readonly found: () => Iterable<readonly [index: number, record: CallRecord]>;
}

export interface PageStore extends Pages {
  readonly has: (page: number) => boolean;
  /** `met` are the records of the page that meet the conditions. Call `show` for readers to see the change. */
  readonly add: (pageIndex: number, page: Page, met: readonly CallRecord[]) => void;
  readonly show: () => void;
}

export function createPages(): PageStore {
  const pages = new Map<number, readonly CallRecord[]>();
  const allMet = new Set<CallRecord>();
  const total = signal<number | undefined>(undefined);
  const revision = signal(0);
  const isChanged = signal(false);
  const missing = signal<readonly string[]>([]);
  const hasRepeated = createRepeats();
  let read = 0;

  function* loaded() {
    for (const page of [...pages.keys()].toSorted((one, other) => one - other))
      for (const [row, record] of (pages.get(page) ?? []).entries())
        yield [page * PAGE_LENGTH + row, record] as const;
  }

  return {
    total,
    revision,
    missing,
    completeness: computed(() => {
      if (revision.value < 0 || total.value === undefined) return undefined;
      const kind = isChanged.value ? "changed" : read >= total.value ? "complete" : "partly";
      return { kind, loaded: read, total: total.value };
    }),
    recordAt: (index) => pages.get(Math.floor(index / PAGE_LENGTH))?.[index % PAGE_LENGTH],
    loaded,
    *found() {
      for (const one of loaded()) if (allMet.has(one[1])) yield one;
    },
    has: (page) => pages.has(page),
    add(pageIndex, page, met) {
      const { records } = page;
      pages.set(pageIndex, records);
      for (const record of met) allMet.add(record);
      missing.value = page.missing ?? [];
      read += records.length;
      const announced = page.total ?? total.peek() ?? records.length;
      if (announced !== (total.peek() ?? announced) || hasRepeated(pageIndex, records))
        isChanged.value = true;
      // Keeps the first count, so that rows stay in place while the user reads.
      total.value ??= announced;
    },
    show: () => void revision.value++,
  };
}

/** True if a record was already on another page: records were added or removed meanwhile. */
function createRepeats() {
  const seen = new Map<string, number>();
  return (pageIndex: number, records: readonly CallRecord[]): boolean => {
    let repeated = false;
    for (const { call_id, ref_id, datetime, agent, recordings } of records) {
      const key = JSON.stringify([call_id, ref_id, datetime, agent, recordings]);
      repeated ||= (seen.get(key) ?? pageIndex) !== pageIndex;
      seen.set(key, pageIndex);
    }
    return repeated;
  };
}
