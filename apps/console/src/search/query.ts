// Splits a search: the part for the service, and the rest for the page to check.
import type { CallMediaClient, CallRecord, CallSearch } from "@call-media/client";
import { type DayRange, toDayRange } from "../days.ts";
import { type Field, type FilterField, isFreeField, isTelephone, NUMBERS } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { archiveZone } from "../time.ts";
import type { Condition } from "./where.ts";

/** One search as the service takes it. Two that are equal as JSON find the same. */
export interface Query {
  readonly range: DayRange;
  readonly path: "/metadata/search" | "/metadata/by-custom-fields";
  readonly body: Readonly<Record<string, string | number>>;
  /** Words that a call has to have (D30); empty without. */
  readonly words: string;
  /** Conditions that the page checks itself: one of each group has to hold. */
  readonly conditions: readonly (readonly Condition[])[];
}

/** A page of records, and how many there are in all. */
export interface Page {
  readonly records: readonly CallRecord[];
  /** Undefined where the service does not say. */
  readonly total: number | undefined;
}

/**
 * The two searches of the contract each know their own fields, and one value of each (D08). Where a search has both
 * kinds, the service looks for the named ones. The page checks the free ones, and each field with several values, among
 * the results, and telephone numbers, for which the service knows one notation alone.
 */
export function toQuery({ days, words, filters, where }: SearchRoute, today: string): Query {
  // The keys of the filters are such fields.
  const entries = Object.entries(filters) as [FilterField, readonly string[]][];
  const single = entries.filter(([, values]) => values.length === 1);
  const askable = single.filter(([field]) => !isTelephone(field));
  const isNamed = askable.some(([field]) => !isFreeField(field));
  const isAsked = (entry: (typeof entries)[number]) =>
    askable.includes(entry) && isFreeField(entry[0]) !== isNamed;
  return {
    range: toDayRange(days, today),
    words,
    path: isNamed ? "/metadata/search" : "/metadata/by-custom-fields",
    body: Object.fromEntries(
      entries.filter(isAsked).map(([field, [value = ""]]) => [field, toValue(field, value)]),
    ),
    conditions: [
      ...entries
        .filter((entry) => !isAsked(entry))
        .map(([field, values]) =>
          values.map((value) => ({
            field,
            comparison: "==" as const,
            value: toValue(field, value),
          })),
        ),
      ...where.map((condition) => [condition]),
    ],
  };
}

const toValue = (field: Field, value: string): string | number =>
  NUMBERS.has(field) ? Number(value) : value;

/** The search of the client, which finds what the service looks for. */
export async function openSearch(
  { calls }: CallMediaClient,
  { range, path, body, words: asked, conditions }: Query,
  signal: AbortSignal | undefined,
): Promise<CallSearch> {
  const hasConditions = conditions.length > 0 && asked === "";
  const words = hasConditions ? (await import("./checking.ts")).toNarrowing(conditions) : asked;
  const search = { ...range, filter: body, words: words === "" ? undefined : words, signal };
  return path === "/metadata/search" ? calls.search(search) : calls.byCustomFields(search);
}

/** @throws CallMediaError */
export async function readPage(
  client: CallMediaClient,
  query: Query,
  { pageIndex, signal }: { readonly pageIndex: number; readonly signal?: AbortSignal },
): Promise<Page> {
  const search = await openSearch(client, query, signal);
  const { records, total, response } = await search.page(pageIndex);
  noteZone(response);
  return { records, total };
}

/** Every answer with records says which zone the archive's days are in (D34). */
export function noteZone({ headers }: Response): void {
  archiveZone.value = headers.get("Archive-Time-Zone") ?? archiveZone.peek();
}
