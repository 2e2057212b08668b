// What the service is asked for, and what of a search is left for the page to check.
import type { CallMediaClient, CallRecord, CallSearch } from "@call-media/client";
import { type DayRange, toDayRange } from "../days.ts";
import { type Field, isFilterField, isFreeField, NUMBERS } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { archiveZone } from "../time.ts";
import type { Condition } from "./where.ts";

/** One search as the service takes it. Two that are equal as JSON find the same. */
export interface Query {
  readonly range: DayRange;
  readonly path: "/metadata/search" | "/metadata/by-custom-fields";
  readonly body: Readonly<Record<string, string | number>>;
  /** What the page checks by itself. */
  readonly conditions: readonly Condition[];
}

/** A page of records, and how many there are in all. */
export interface Page {
  readonly records: readonly CallRecord[];
  /** Undefined where the service does not say. */
  readonly total: number | undefined;
}

/**
 * The two searches of the contract each know their own fields. Where a search has both kinds, the service looks for the named
 * ones, and the page for the free ones among what comes.
 */
export function toQuery({ days, filters, where }: SearchRoute, today: string): Query {
  const entries = Object.entries(filters).filter(([name]) => isFilterField(name)) as [
    Field,
    string,
  ][];
  const named = entries.filter(([name]) => !isFreeField(name));
  const free = entries.filter(([name]) => isFreeField(name));
  const isNamed = named.length > 0;
  const leftOver = isNamed ? free : [];
  return {
    range: toDayRange(days, today),
    path: isNamed ? "/metadata/search" : "/metadata/by-custom-fields",
    body: Object.fromEntries((isNamed ? named : free).map(toBodyEntry)),
    conditions: [
      ...leftOver.map(([field, value]) => ({ field, comparison: "==" as const, value })),
      ...where,
    ],
  };
}

const toBodyEntry = ([name, value]: [Field, string]): [string, string | number] => [
  name,
  NUMBERS.has(name) ? Number(value) : value,
];

/** The search of the client, which finds what the service looks for. */
export function openSearch(
  { calls }: CallMediaClient,
  { range, path, body }: Pick<Query, "range" | "path" | "body">,
  signal: AbortSignal | undefined,
): CallSearch {
  const search = { ...range, filter: body, signal };
  return path === "/metadata/search" ? calls.search(search) : calls.byCustomFields(search);
}

/** @throws CallMediaError */
export async function readPage(
  client: CallMediaClient,
  query: Query,
  { pageIndex, signal }: { readonly pageIndex: number; readonly signal?: AbortSignal },
): Promise<Page> {
  const { records, total, response } = await openSearch(client, query, signal).page(pageIndex);
  noteZone(response);
  return { records, total };
}

/** Every answer with records says which zone the archive's days are in (D34). */
export function noteZone({ headers }: Response): void {
  archiveZone.value = headers.get("Archive-Time-Zone") ?? archiveZone.peek();
}
