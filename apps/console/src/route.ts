// Maps URLs to pages. All of it is behind the #, which no server and no Referer ever sees.
import { type Days, DEFAULT_DAYS, parseDays, writeDays } from "./days.ts";
import { type Field, type FilterField, isField, isFilterField, NUMBERS } from "./fields.ts";
import { type Condition, joinAll, printCondition } from "@call-media/conditions";
import type { CallSelector } from "@call-media/handover";

/** A column of the list: a field, or the customer's names in one. */
export type Column = Field | "customer";

export const DEFAULT_COLUMNS: readonly Column[] = [
  "datetime",
  "customer",
  "agent_name",
  "campaign",
  "disposition",
  "talk_time",
];

export interface Sort {
  readonly by: Column;
  readonly isDescending: boolean;
}

export type Filters = Readonly<Partial<Record<FilterField, readonly string[]>>>;

export interface SearchRoute {
  readonly page: "search";
  readonly days: Days;
  /** Words that a call must have in its texts, names or numbers (D30); empty for none. */
  readonly words: string;
  /** The values of each field; a call must have one of them. */
  readonly filters: Filters;
  /** Conditions that the page checks itself. */
  readonly where: readonly Condition<Field>[];
  /** Undefined is the order of the service, newest first (D09). */
  readonly sort: Sort | undefined;
  readonly columns: readonly Column[];
}

/** A second to start from, or a range to repeat. */
export interface Moment {
  readonly from: number;
  readonly to: number | undefined;
}

export interface CallRoute {
  readonly page: "call";
  /** The kind of `id`: a call's, or a reference's. */
  readonly by: "call_id" | "ref_id";
  readonly id: string;
  /** The index among records with the same identifier, from 1. */
  readonly leg: number;
  /** The recording of the leg, from 1; undefined is the first. */
  readonly part: number | undefined;
  readonly at: Moment | undefined;
  /** The text to find in the transcript. */
  readonly find: string;
  /** The words that found the call (D30), which are marked. */
  readonly words: string;
}

/** The reading view of a search, one call below the other. */
export interface ReadRoute {
  readonly page: "read";
  readonly search: SearchRoute;
  /** The side whose lines are shown; undefined shows both. */
  readonly side: "customer" | "agent" | undefined;
  /** The text to find; if empty, the words of the search are marked. */
  readonly find: string;
}

/** The page that hands over a search, or calls picked from it. */
export interface HandOverRoute {
  readonly page: "hand-over";
  readonly search: SearchRoute;
  /** Empty for all calls of the search. */
  readonly picked: readonly CallSelector[];
  /** Calls that were left out by hand. */
  readonly without: readonly CallSelector[];
}

export type Route =
  | SearchRoute
  | CallRoute
  | ReadRoute
  | HandOverRoute
  | { readonly page: "about" }
  /** The comparison of a hand-over with its seal, for which nobody signs in. */
  | { readonly page: "check" }
  /** The URL has conditions, and their parser is not loaded yet. */
  | { readonly page: "loading" }
  | { readonly page: "unknown"; readonly unreadable?: Unreadable };

/** The parts of a URL that cannot be read, and the page that the rest names. */
export interface Unreadable {
  readonly parts: readonly Part[];
  readonly without: Route;
}

export interface Part {
  readonly text: string;
  /** The column of the fault in a condition, from 1. */
  readonly column?: number;
}

/** Parses conditions, all of which must hold, or returns the column of the fault. */
export type ReadWhere = (text: string) => readonly Condition<Field>[] | { readonly column: number };

export const EMPTY_SEARCH: SearchRoute = {
  page: "search",
  days: DEFAULT_DAYS,
  words: "",
  filters: {},
  where: [],
  sort: undefined,
  columns: DEFAULT_COLUMNS,
};

/** The URL of the reading view of a search. */
export const toReading = (search: SearchRoute): ReadRoute => ({
  page: "read",
  search,
  side: undefined,
  find: "",
});

/** The URL of a call without any choices in it. */
export const toCallRoute = (by: CallRoute["by"], id: string, leg = 1): CallRoute => ({
  page: "call",
  by,
  id,
  leg,
  part: undefined,
  at: undefined,
  find: "",
  words: "",
});

/**
 * Rejects a URL with unreadable parts: ignoring them would show more calls than the URL asks for. `readWhere` is needed only for
 * a URL with conditions.
 */
export function parseRoute(hash: string, readWhere?: ReadWhere): Route {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const given = createReader(new URLSearchParams(query));
  const [kind = "", id = "", ...rest] = path.split("/");
  if (rest.length > 0) return { page: "unknown" };
  if (["", "read", "hand-over"].includes(kind) && id === "") {
    if (given.has("where") && readWhere === undefined) return { page: "loading" };
    const around = readAround(kind, given);
    const search = { ...readSearch(given), where: readConditions(given, readWhere) };
    return given.check(around === undefined ? search : { ...around, search });
  }
  if ((kind === "about" || kind === "check") && id === "") return given.check({ page: kind });
  const by = kind === "call" ? "call_id" : kind === "ref" ? "ref_id" : undefined;
  const text = decode(id);
  if (by === undefined || !text) return { page: "unknown" };
  return given.check({
    ...toCallRoute(by, text, given.one("leg", parseNumber)),
    part: given.one("part", parseNumber),
    at: given.one("t", parseMoment),
    find: given.one("find", String) ?? "",
    words: given.one("words", String) ?? "",
  });
}

/** Reads the parameters of a URL, each once. */
function createReader(given: URLSearchParams) {
  const parts: Part[] = [];
  const unread = new Set(given.keys());
  const fail = (name: string) => {
    for (const value of given.getAll(name)) parts.push({ text: `${name}=${value}` });
  };
  const all = <Value>(name: string, parse: (text: string) => Value | undefined): Value[] => {
    unread.delete(name);
    return given.getAll(name).flatMap((text) => {
      const value = parse(text);
      if (value !== undefined) return [value];
      parts.push({ text: `${name}=${text}` });
      return [];
    });
  };
  return {
    names: [...unread],
    all,
    one<Value>(name: string, parse: (text: string) => Value | undefined): Value | undefined {
      if (given.getAll(name).length < 2) return all(name, parse)[0];
      unread.delete(name);
      fail(name);
      return undefined;
    },
    has: (name: string) => given.has(name),
    fail,
    add: (part: Part) => void parts.push(part),
    check(route: Route): Route {
      unread.forEach(fail);
      return parts.length === 0
        ? route
        : { page: "unknown", unreadable: { parts, without: route } };
    },
  };
}

type Reader = ReturnType<typeof createReader>;

/** Returns the route with the # in front. */
export function writeRoute(route: Route): string {
  if (route.page === "search") return withQuery("#/", writeSearch(route));
  if (route.page === "read") return withQuery("#/read", writeReading(route));
  if (route.page === "hand-over") return withQuery("#/hand-over", writeHandOver(route));
  if (route.page !== "call") return `#/${route.page}`;
  const kind = route.by === "call_id" ? "call" : "ref";
  return withQuery(`#/${kind}/${encodeURIComponent(route.id)}`, writeCall(route));
}

const withQuery = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query}`;

function readConditions(given: Reader, readWhere: ReadWhere | undefined): Condition<Field>[] {
  return given.all("where", String).flatMap((text) => {
    const read = readWhere?.(text) ?? [];
    if (!("column" in read)) return read;
    given.add({ text: `where=${text}`, ...read });
    return [];
  });
}

function readSearch(given: Reader): Omit<SearchRoute, "where"> {
  return {
    page: "search",
    days: readDays(given) ?? DEFAULT_DAYS,
    words: given.one("words", String)?.trim() ?? "",
    filters: readFilters(given),
    sort: given.one("sort", parseSort),
    columns: given.one("columns", parseColumns) ?? DEFAULT_COLUMNS,
  };
}

const readReading = (given: Reader): Omit<ReadRoute, "search"> => ({
  page: "read",
  side: given.one("side", (side) => SIDES.find((one) => one === side)),
  find: given.one("find", String) ?? "",
});

const SIDES = ["customer", "agent"] as const;

/** Reads the part of an address that is not the search; undefined for the search itself. */
function readAround(kind: string, given: Reader) {
  if (kind === "read") return readReading(given);
  return kind === "hand-over" ? readPicked(given) : undefined;
}

const readPicked = (given: Reader): Omit<HandOverRoute, "search"> => ({
  page: "hand-over",
  picked: readSelectors(given, "pick"),
  without: readSelectors(given, "without"),
});

const readSelectors = (given: Reader, name: string): readonly CallSelector[] => [
  ...given.all(name, toText).map((call_id) => ({ call_id })),
  ...given.all(`${name}-reference`, toText).map((ref_id) => ({ ref_id })),
];

const toText = (value: string): string | undefined => (value.trim() === "" ? undefined : value);

function readDays(given: Reader): Days | undefined {
  const [from = null, to = null] = [given.one("from", String), given.one("to", String)];
  const days = parseDays(from, to);
  if (days === undefined && (from ?? to) !== null) ["from", "to"].forEach(given.fail);
  return days;
}

function readFilters(given: Reader): Filters {
  const values = given.names
    .filter(isFilterField)
    .map((name): [FilterField, string[]] => [
      name,
      [...new Set(given.all(name, (value) => (isValue(name, value) ? value : undefined)))],
    ]);
  return Object.fromEntries(values.filter(([, some]) => some.length > 0));
}

const isValue = (field: Field, value: string): boolean =>
  NUMBERS.has(field) ? /^\d{1,15}$/.test(value) : value.trim() !== "";

function writeSearch({ days, words, filters, where, sort, columns }: SearchRoute): URLSearchParams {
  const query = new URLSearchParams(writeDays(days));
  if (words !== "") query.set("words", words);
  for (const [name, values] of Object.entries(filters))
    for (const value of values) query.append(name, value);
  const condition = joinAll(where);
  if (condition !== undefined) query.set("where", printCondition(condition));
  if (sort !== undefined) query.set("sort", `${sort.isDescending ? "-" : ""}${sort.by}`);
  if (columns.join() !== DEFAULT_COLUMNS.join()) query.set("columns", columns.join());
  return query;
}

function writeReading({ search, side, find }: ReadRoute): URLSearchParams {
  const query = writeSearch(search);
  if (side !== undefined) query.set("side", side);
  if (find !== "") query.set("find", find);
  return query;
}

function writeHandOver({ search, picked, without }: HandOverRoute): URLSearchParams {
  const query = writeSearch(search);
  for (const [name, selectors] of Object.entries({ pick: picked, without }))
    for (const { call_id, ref_id } of selectors)
      query.append(name + (ref_id === undefined ? "" : "-reference"), call_id ?? ref_id);
  return query;
}

function writeCall({ leg, part, at, find, words }: CallRoute): URLSearchParams {
  const query = new URLSearchParams();
  if (leg !== 1) query.set("leg", String(leg));
  if (part !== undefined) query.set("part", String(part));
  if (at !== undefined) query.set("t", at.to === undefined ? `${at.from}` : `${at.from}-${at.to}`);
  if (find !== "") query.set("find", find);
  if (words !== "") query.set("words", words);
  return query;
}

const isColumn = (name: string): name is Column => name === "customer" || isField(name);

function parseColumns(text: string): readonly Column[] | undefined {
  const names = text.split(",");
  return names.every(isColumn) ? [...new Set(names)] : undefined;
}

function parseSort(text: string): Sort | undefined {
  const [, minus, by = ""] = /^(-?)(\w+)$/.exec(text) ?? [];
  return isColumn(by) ? { by, isDescending: minus === "-" } : undefined;
}

/** `65` or `65-92`, in seconds. */
function parseMoment(text: string): Moment | undefined {
  const [, from, to] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  if (from === undefined) return undefined;
  const end = to === undefined || Number(to) <= Number(from) ? undefined : Number(to);
  return { from: Number(from), to: end };
}

function parseNumber(text: string): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
