// Splits a search: the part for the service, and the rest for the page to check.
import {
  type CallMediaClient,
  type CallRecord,
  type CallSearch,
  type FieldSearch,
  readArchiveZone,
} from "@call-media/client";
import { type DayRange, toDayRange } from "../days.ts";
import { type Condition, splitValues } from "@call-media/conditions";
import { type Field, type FilterField, NUMBERS } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { archiveZone } from "../time.ts";

/** One search as the service accepts it. Two queries with equal JSON find the same. */
export interface Query {
  readonly range: DayRange;
  readonly path: "/metadata/search" | "/metadata/by-custom-fields";
  readonly body: Readonly<Record<string, string | number>>;
  /** Words that a call must have (D30); empty for none. */
  readonly words: string;
  /** Conditions that the page checks itself. */
  readonly conditions: readonly Condition<Field>[];
  /** A list of calls or references, each of which is asked for by itself. */
  readonly ids?: { readonly by: ListField; readonly values: readonly string[] } | undefined;
}

const LISTS = ["call_id", "ref_id"] as const;
type ListField = (typeof LISTS)[number];

/** A page of records, and the total number of records. */
export interface Page {
  readonly records: readonly CallRecord[];
  /** Undefined if the service does not report it. */
  readonly total: number | undefined;
  /** The identifiers of a list that no call has. */
  readonly missing?: readonly string[];
}

/** The service searches for what it can; the page checks the rest among the results. */
export function toQuery({ days, words, filters, where }: SearchRoute, today: string): Query {
  // Filters have only such fields as keys.
  const entries = Object.entries(filters) as [FilterField, readonly string[]][];
  const list = LISTS.find((field) => (filters[field]?.length ?? 0) > 1);
  const { by, filter, rest } = splitValues<Field>(
    entries.map(([field, values]) => [
      field,
      // Each value of a list gets its own search.
      (field === list ? values.slice(0, 1) : values).map((value) => toValue(field, value)),
    ]),
  );
  return {
    range: toDayRange(days, today),
    words,
    path: by === "fields" ? "/metadata/search" : "/metadata/by-custom-fields",
    body: filter,
    conditions: [...rest, ...where],
    ...(list !== undefined && { ids: { by: list, values: filters[list] ?? [] } }),
  };
}

const toValue = (field: Field, value: string): string | number =>
  NUMBERS.has(field) ? Number(value) : value;

/** Opens the client's search for the service's part of the query. */
export async function openSearch(
  { calls }: CallMediaClient,
  { range, path, body, words, conditions }: Query,
  signal: AbortSignal | undefined,
): Promise<CallSearch> {
  const own = { ...range, filter: body, words: words === "" ? undefined : words, signal };
  const hasConditions = conditions.length > 0;
  const search = hasConditions ? (await import("./checking.ts")).toNarrowed(own, conditions) : own;
  // A search by named fields always has at least one.
  if (path === "/metadata/search") return calls.search(search as FieldSearch);
  return calls.byCustomFields(search);
}

/** Records on a page (D07). */
export const PAGE_LENGTH = 50;

/** @throws CallMediaError */
export async function readPage(
  client: CallMediaClient,
  query: Query,
  { pageIndex, signal }: { readonly pageIndex: number; readonly signal?: AbortSignal },
): Promise<Page> {
  const { ids, ...rest } = query;
  if (ids !== undefined) {
    const { findListed } = await import("./id-list.ts");
    const { records, missing } = await findListed(query, ids.values, (value) => {
      const body = { ...rest.body, [ids.by]: value };
      return openSearch(client, { ...rest, path: "/metadata/search", body }, signal);
    });
    const from = pageIndex * PAGE_LENGTH;
    return { records: records.slice(from, from + PAGE_LENGTH), total: records.length, missing };
  }
  const search = await openSearch(client, query, signal);
  const { records, total, response } = await search.page(pageIndex);
  noteZone(response);
  return { records, total };
}

/** Every response with records names the archive's time zone (D34). */
export function noteZone(response: Response): void {
  archiveZone.value = readArchiveZone(response) ?? archiveZone.peek();
}
