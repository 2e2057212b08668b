// The state of the search page: one search, its ordered rows, the current row and the picked ones.
import type { CallMediaClient, CallRecord } from "@call-media/client";
import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { agentOf, customerOf, NUMBERS, valueOf } from "../fields.ts";
import type { Column, SearchRoute, Sort } from "../route.ts";
import { createResults, type Results } from "./results.ts";
import type { Query } from "./query.ts";
import type { Passages } from "./passages.ts";
import { createPassages } from "./snippet.ts";

// Up to this number, all records are read without a request of the user, so that counts and order are complete.
const READ_ANYWAY = 200;

/** Above this number, records keep the service's order: a page cannot hold them all. */
export const MOST_SORTED = 10_000;

/** The rows of the list, each with its index in the search. */
export interface Rows {
  readonly count: number;
  readonly indexAt: (row: number) => number;
}

export interface Search {
  readonly query: Query;
  readonly results: Results;
  readonly rows: ReadonlySignal<Rows>;
  /** True if the rows are in order of time, under headings of days. */
  readonly hasDays: ReadonlySignal<boolean>;
  /** The row of the reader. */
  readonly current: Signal<number>;
  readonly picked: Signal<ReadonlySet<CallRecord>>;
  /** Calls that the user opened. */
  readonly opened: Signal<ReadonlySet<CallRecord>>;
  /** The scroll position of the page. */
  scrolled: number;
  readonly recordAt: (row: number) => CallRecord | undefined;
  readonly passages: Passages;
  readonly toggle: (record: CallRecord) => void;
  /** Picks all visible rows, or unpicks them if all are picked. */
  readonly toggleAll: () => void;
  readonly dispose: () => void;
}

export function createSearch(
  client: CallMediaClient,
  query: Query,
  sort: ReadonlySignal<SearchRoute["sort"]>,
): Search {
  const results = createResults(client, query);
  const passages = createPassages(client, query.words);
  const current = signal(0);
  const picked = signal<ReadonlySet<CallRecord>>(new Set());
  const opened = signal<ReadonlySet<CallRecord>>(new Set());

  const rows = computed(() => toRows(results, sort.value));
  const recordAt = (row: number) => results.recordAt(rows.value.indexAt(row));

  // Conditions and sort orders of the page need every record.
  const stop = effect(() => {
    const { value: total } = results.total;
    if (total === undefined) return;
    const isOrdered = sort.value !== undefined && total <= MOST_SORTED;
    const isHere = total <= READ_ANYWAY || query.ids !== undefined;
    if (query.conditions.length > 0 || isOrdered || isHere) results.readAll();
  });

  return {
    query,
    results,
    rows,
    hasDays: computed(() => sort.value === undefined || sort.value.by === "datetime"),
    current,
    picked,
    opened,
    scrolled: 0,
    recordAt,
    passages,
    toggle(record) {
      const next = new Set(picked.value);
      if (!next.delete(record)) next.add(record);
      picked.value = next;
    },
    toggleAll() {
      const all: CallRecord[] = [];
      for (let row = 0; row < rows.value.count; row++) {
        const record = recordAt(row);
        if (record !== undefined) all.push(record);
      }
      picked.value = picked.value.size >= all.length ? new Set() : new Set(all);
    },
    dispose() {
      stop();
      passages.dispose();
      results.dispose();
    },
  };
}

/** Subscribes a computation to changes of the results. */
function toRows({ query, total, revision, found }: Results, sort: SearchRoute["sort"]): Rows {
  const count = total.value ?? 0;
  const isSorted = sort !== undefined && count <= MOST_SORTED;
  if (query.conditions.length === 0 && !isSorted) return { count, indexAt: (row) => row };
  void revision.value;
  const rows = [...found()];
  if (isSorted) rows.sort(toOrder(sort));
  return { count: rows.length, indexAt: (row) => rows[row]?.[0] ?? -1 };
}

/** The text of a record in a column, for comparison. */
export const textOf = (record: CallRecord, column: Column): string => {
  if (column === "customer") return customerOf(record);
  return column === "agent_name" ? agentOf(record) : valueOf(record, column);
};

function toOrder(sort: Sort | undefined) {
  const { by, isDescending } = sort ?? { by: "datetime", isDescending: true };
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const sign = isDescending ? -1 : 1;
  const isNumber = by !== "customer" && NUMBERS.has(by);
  return (
    [at, one]: readonly [number, CallRecord],
    [otherAt, other]: readonly [number, CallRecord],
  ) => {
    const [text, otherText] = [textOf(one, by), textOf(other, by)];
    // Empty values come last in both directions.
    if (text === "" || otherText === "")
      return Number(text === "") - Number(otherText === "") || at - otherAt;
    if (by === "datetime") return sign * (otherAt - at);
    const order = isNumber ? Number(text) - Number(otherText) : collator.compare(text, otherText);
    return sign * order || at - otherAt;
  };
}
