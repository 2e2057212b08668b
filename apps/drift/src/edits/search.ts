// Searches by other rules than the service's: reads the complete range from the real service, then searches, sorts and pages it again.
import type { Answer, Mutate, ProxyRequest, Upstream } from "../exchange.ts";
import { withBody, withHeaders } from "./answers.ts";
import { type Json, json, type JsonObject, parseSuccess, toRecords, toText } from "./json.ts";
import { filterOf, queryOf, withFilter, withQuery } from "./requests.ts";

/** Compares a value of a record with the requested one. */
export type Matches = (value: Json, wanted: Json, field: string) => boolean;

export interface SearchRules {
  /** Default: whole values, case-insensitive and without surrounding whitespace; telephone numbers by their digits (D08). */
  readonly matches?: Matches;
  /** How filters combine; default: all must match. */
  readonly joins?: "every" | "some";
  /** Default: as the service sorts (D09). */
  readonly order?: (records: JsonObject[]) => JsonObject[];
  /** Records of a page; default 50. */
  readonly pageSize?: number;
  /** The days whose records are read; default: the requested ones. */
  readonly days?: (start: string, end: string) => readonly [string, string];
  /** Decides which records the words find; default: those of the real service. */
  readonly finds?: (search: ByWords) => boolean;
  /** Decides which records of `days` count as in the range; default: all. */
  readonly isInRange?: (record: JsonObject, range: readonly [string, string]) => boolean;
}

/** A record, and whether the service finds it with these words. */
export interface ByWords {
  readonly record: JsonObject;
  readonly words: string;
  readonly isFound: boolean;
}

const PAGE_SIZE = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** A service that searches by these rules. It rejects the same requests as the real one. */
export function searching(rules: SearchRules): Mutate {
  return async (answer, request, upstream) => {
    const filter = filterOf(request);
    if (answer.status !== 200 || filter === undefined) return answer;
    const range = [queryOf(request, "startDate"), queryOf(request, "endDate")] as const;
    const [start, end] = rules.days?.(...range) ?? range;
    const all = await readFound(request, upstream, { days: [start, end], finds: rules.finds });
    const { isInRange = () => true, order = (records) => records } = rules;
    const found = order(
      all.filter((record) => isInRange(record, range) && fits(record, filter, rules)),
    );
    return toPage(answer, request, { found, pageSize: rules.pageSize ?? PAGE_SIZE });
  };
}

/** Reads records with the rules for words, if the request has words and the rules define them; else the service's result. */
async function readFound(
  request: ProxyRequest,
  upstream: Upstream,
  {
    days,
    finds,
  }: { readonly days: readonly [string, string]; readonly finds: SearchRules["finds"] },
): Promise<JsonObject[]> {
  const found = await readRange(request, upstream, days);
  const words = queryOf(request, "words");
  if (words === "" || finds === undefined) return found;
  const known = new Set(found.map(toText));
  const all = await readRange(withQuery(request, { words: undefined }), upstream, days);
  return all.filter((record) => finds({ record, words, isFound: known.has(toText(record)) }));
}

function fits(record: JsonObject, filter: JsonObject, rules: SearchRules): boolean {
  const { matches = matchesWhole, joins = "every" } = rules;
  const entries = Object.entries(filter);
  if (entries.length === 0) return true;
  return entries[joins](([name, wanted]) => matches(record[name] ?? null, wanted, name));
}

export const matchesWhole: Matches = (value, wanted, field) =>
  value !== null && toKey(value, field) === toKey(wanted, field);

export function toKey(value: Json, field: string): string {
  const text = toText(value).trim().toLowerCase();
  return field.startsWith("phone_number") ? text.replaceAll(/\D/g, "") || text : text;
}

/** A search in which `isMatch` compares texts in their normalized form. */
export function comparing(isMatch: (text: string, wanted: string) => boolean): Mutate {
  return searching({
    matches: (value, wanted, name) =>
      value !== null &&
      (typeof wanted === "number"
        ? value === wanted
        : isMatch(toKey(value, name), toKey(wanted, name))),
  });
}

/** A search that ignores the filters for which this returns true. */
export function ignoring(isIgnored: (field: string, wanted: Json) => boolean): Mutate {
  return searching({
    matches: (value, wanted, name) => isIgnored(name, wanted) || matchesWhole(value, wanted, name),
  });
}

/** Returns the recordCount of another search. */
export function countedAs(
  other: (request: ProxyRequest, upstream: Upstream) => ProxyRequest,
): Mutate {
  return async (answer, request, upstream) => {
    const all = parseSuccess(await upstream.ask(other(request, upstream)));
    const edit = json((page) => ({ ...page, recordCount: all?.recordCount ?? 0 }));
    return edit(answer, request, upstream);
  };
}

// The archive does not change while a service runs, so each range is read once for each caller.
const rangesOf = new WeakMap<Upstream, Map<string, Promise<JsonObject[]>>>();

/** Reads all records of the days that the caller may see and that have the words, in the service's order. `request` is a search. */
export function readRange(
  request: ProxyRequest,
  upstream: Upstream,
  range: readonly [string, string],
): Promise<JsonObject[]> {
  const known = rangesOf.get(upstream) ?? new Map<string, Promise<JsonObject[]>>();
  rangesOf.set(upstream, known);
  const words = queryOf(request, "words");
  const key = [request.headers.authorization, ...range, words].join(" ");
  const records = known.get(key) ?? readPages(request, upstream, range);
  known.set(key, records);
  return records;
}

async function readPages(
  request: ProxyRequest,
  { ask }: Upstream,
  [startDate, endDate]: readonly [string, string],
): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  const words = queryOf(request, "words") || undefined;
  for (let pageIndex = 0; ; pageIndex += 1) {
    const query = { pageIndex: String(pageIndex), startDate, endDate, words };
    const page = withQuery(
      { ...request, pathname: "/metadata/by-custom-fields", query: "" },
      query,
    );
    const envelope = parseSuccess(await ask(withFilter(page, {})));
    const records = envelope === undefined ? [] : toRecords(envelope);
    found.push(...records);
    if (records.length < PAGE_SIZE) return found;
  }
}

/** The requested page of `found`, with the count and the headers of the plain response. */
function toPage(
  answer: Answer,
  request: ProxyRequest,
  { found, pageSize }: { readonly found: readonly JsonObject[]; readonly pageSize: number },
): Answer {
  const pageIndex = Number(queryOf(request, "pageIndex"));
  const first = pageIndex * pageSize;
  const page = found.slice(first, first + pageSize);
  const plain = parseSuccess(answer) ?? {};
  const count = "recordCount" in plain ? { recordCount: found.length } : {};
  const next = withQuery(request, { pageIndex: String(pageIndex + 1) });
  const hasNext = found.length > first + pageSize;
  const range = page.length === 0 ? "*" : `${first}-${first + page.length - 1}`;
  const changed = withHeaders(answer, {
    link: hasNext ? `<${next.pathname}?${next.query}>; rel="next"` : undefined,
    ...("content-range" in answer.headers && {
      "content-range": `records ${range}/${found.length}`,
    }),
  });
  return withBody(changed, JSON.stringify({ ...plain, data: page, ...count }));
}

/** The day in UTC, which is the time zone of the demo archive. */
export function dayOf(datetime: unknown): string {
  const text = String(datetime);
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(text);
  return new Date(hasZone ? text : `${text}Z`).toISOString().slice(0, 10);
}
