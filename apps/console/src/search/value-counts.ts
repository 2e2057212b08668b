// Counts the legs of a search for each value of a field: among the rows if all are loaded, else by the archive.
import type { CallMediaClient } from "@call-media/client";
import { toGroupKey } from "@call-media/conditions";
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { type Fault, isAbort, toFault } from "../faults.ts";
import { type FilterField, valueOf } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { noticeRefusal } from "../session.ts";
import { countEach, isCountable } from "./count-each.ts";
import { today } from "../time.ts";
import { listKnown, noteValues } from "./known-values.ts";
import { PAGE_LENGTH, readPage, toQuery } from "./query.ts";
import type { Search } from "./search.ts";
import { including } from "./wish.ts";

/** The most values to count at first; the same number again if the user asks for values of other pages. */
const MOST_VALUES = 40;
/** The pages to read for more values, spread evenly over the search. */
export const SPREAD_PAGES = 8;

interface ValueCount {
  /** The spelling first seen; empty for records without a value. */
  readonly value: string;
  readonly legs: number;
}

export interface ValueCounts {
  /** False if the page counts the rows. */
  readonly isByArchive: ReadonlySignal<boolean>;
  /** Most frequent first. */
  readonly values: ReadonlySignal<readonly ValueCount[]>;
  /** Legs that have one of these values. */
  readonly legs: ReadonlySignal<number>;
  /** Legs of the search in which they are counted; undefined until known. */
  readonly total: ReadonlySignal<number | undefined>;
  readonly isCounting: ReadonlySignal<boolean>;
  readonly fault: ReadonlySignal<Fault | undefined>;
  /** Undefined once the other values were searched. */
  readonly findOthers: ReadonlySignal<(() => void) | undefined>;
  readonly dispose: () => void;
}

interface CountedField {
  readonly client: CallMediaClient;
  readonly route: SearchRoute;
  readonly search: Search;
  readonly field: FilterField;
  /** True to count in the search without its filter by this field, whose rows are not here. */
  readonly isOfAll?: boolean;
}

export function createValueCounts(counted: CountedField): ValueCounts {
  const { search, field, isOfAll = false } = counted;
  const isWider = isOfAll && counted.route.filters[field] !== undefined;
  const route = isWider ? withoutField(counted.route, field) : counted.route;
  const { results } = search;
  const own = route.filters[field];
  const isByArchive = computed(
    () =>
      (isWider || results.completeness.value?.kind !== "complete") &&
      isCountable(including(route, { field, value: own?.[0] ?? "any" })),
  );
  const archive = createArchiveCounts({ ...counted, route });
  const widerTotal = signal<number | undefined>(undefined);
  if (isWider) archive.countTotal((legs) => (widerTotal.value = legs));
  const stop = effect(() => {
    // Subscribes to changes: new records may have other values.
    void results.revision.value;
    if (isByArchive.value) archive.count(own ?? listKnown(counted.client, field));
  });
  const values = computed(() => {
    const all = isByArchive.value ? archive.counts.value : countRows(search, field);
    return [...all.values()].toSorted((one, other) => other.legs - one.legs);
  });
  return {
    isByArchive,
    values,
    total: isWider ? widerTotal : results.total,
    legs: computed(() => values.value.reduce((sum, { legs }) => sum + legs, 0)),
    isCounting: archive.isCounting,
    fault: archive.fault,
    findOthers: computed(() => {
      const isFewer = isWider || (results.total.value ?? 0) > SPREAD_PAGES * PAGE_LENGTH;
      if (archive.most.value > MOST_VALUES || !isFewer || own !== undefined) return undefined;
      return () => {
        archive.most.value += MOST_VALUES;
        if (isWider) archive.readPages(widerTotal.peek() ?? 0);
        else results.readSpread(SPREAD_PAGES);
      };
    }),
    dispose() {
      stop();
      archive.dispose();
    },
  };
}

/** Counts values by requests. Each value is counted once, and no more values than `most`. */
function createArchiveCounts({ client, route, field }: CountedField) {
  const aborter = new AbortController();
  const task = { client, signal: aborter.signal };
  const counts = signal<ReadonlyMap<string, ValueCount>>(new Map());
  const fault = signal<Fault | undefined>(undefined);
  const underWay = signal(0);
  const most = signal(MOST_VALUES);
  const asked = new Set<string>();

  /** False for another spelling of a known value, which the archive treats as the same (D08). */
  function isNew(value: string): boolean {
    const key = toGroupKey(field, value);
    const isFresh = !asked.has(key) && asked.size < most.value;
    if (isFresh) asked.add(key);
    return isFresh;
  }

  async function run(work: () => Promise<void>): Promise<void> {
    underWay.value++;
    try {
      await work();
    } catch (error) {
      if (isAbort(error)) return;
      noticeRefusal(error);
      fault.value = toFault(error);
    } finally {
      underWay.value--;
    }
  }

  function ask(values: readonly string[]): Promise<void> {
    const onCount = (place: number, legs: number | undefined) => {
      const value = values[place] ?? "";
      if (legs === undefined) return;
      counts.value = new Map([...counts.peek(), [toGroupKey(field, value), { value, legs }]]);
    };
    const routes = values.map((value) => including(route, { field, value }));
    return countEach(routes, { ...task, onCount });
  }

  return {
    counts,
    fault,
    most,
    isCounting: computed(() => underWay.value > 0),
    count(values: readonly string[]): void {
      const fresh = values.filter(isNew);
      if (fresh.length > 0) void run(() => ask(fresh));
    },
    countTotal: (onTotal: (legs: number | undefined) => void) =>
      void run(() => countEach([route], { ...task, onCount: (_, legs) => onTotal(legs) })),
    /** Reads pages of the search, spread evenly, for values that are not known. */
    readPages: (legs: number) =>
      void run(async () => {
        await readSpread(route, legs, task);
        await ask(listKnown(client, field).filter(isNew));
      }),
    dispose: () => aborter.abort(),
  };
}

async function readSpread(
  route: SearchRoute,
  legs: number,
  { client, signal: aborted }: { readonly client: CallMediaClient; readonly signal: AbortSignal },
): Promise<void> {
  const query = toQuery(route, today.peek());
  const pages = Math.ceil(legs / PAGE_LENGTH);
  const count = Math.min(pages, SPREAD_PAGES);
  for (let place = 0; place < count; place++) {
    const pageIndex = Math.floor((place * pages) / count);
    const page = await readPage(client, query, { pageIndex, signal: aborted });
    noteValues(client, page.records);
  }
}

function withoutField(route: SearchRoute, field: FilterField): SearchRoute {
  const { [field]: _gone, ...filters } = route.filters;
  return { ...route, filters };
}

function countRows({ results, rows, recordAt }: Search, field: FilterField) {
  // Subscribes to changes: the list may have grown.
  void results.revision.value;
  const counts = new Map<string, ValueCount>();
  for (let row = 0; row < rows.value.count; row++) {
    const record = recordAt(row);
    if (record === undefined) continue;
    const value = valueOf(record, field).trim();
    // Groups values as a filter would, under the first spelling.
    const key = toGroupKey(field, value);
    const counted = counts.get(key) ?? { value, legs: 0 };
    counts.set(key, { value: counted.value, legs: counted.legs + 1 });
  }
  return counts;
}
