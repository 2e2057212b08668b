// Guesses: rules that the names in a document, and the first answers of a service, suggest. Only what is tried becomes a rule.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer } from "../ask.ts";
import { type ApiDocument, isJson, type Operation } from "../document/document.ts";
import type { Kind } from "../relations/kinds.ts";
import type { ListInfo } from "../relations/relations.ts";
import { reach } from "../values/places.ts";
import { itemOperation, rowView, successView } from "../relations/shape.ts";

export interface Guess {
  readonly kind: Kind;
  /** As they are written in a relations file. */
  readonly fields: JsonObject;
  /** Why it is no rule, even if it holds. */
  readonly doubt?: string;
}

/** The first one that holds is the rule. */
export type Choice = readonly Guess[];

/** What a guess goes by. */
export interface Known {
  readonly document: ApiDocument;
  readonly operation: Operation;
  /** Of a list. */
  readonly list: ListInfo | undefined;
  /** Of a list that was read: its rows, and a page that does not have all of them. */
  readonly rows: readonly unknown[];
  readonly page: Answer | undefined;
}

const INDEX = /^(?:p|page(?:[_-]?(?:number|index|num))?|page\[number\])$/i;
const OFFSET = /^(?:\$?skip|offset|start|start_?(?:at|index)|page\[offset\])$/i;
const SIZE =
  /^(?:\$?top|limit|size|page_?size|per_?page|count|max_?results|take|first|page\[(?:size|limit)\])$/i;
const CURSOR =
  /^(?:cursor|after|marker|continue|(?:page_?|continuation_?|next_?|skip_?)?token|page\[(?:cursor|after)\])$/i;
const KEYSET = /^(?:starting_after|since_id|after_id|last_?(?:id|key))$/i;
const NEXT =
  /^(?:@odata\.next_?link|next|end_?cursor|after|continue|next_?(?:cursor|link|marker|page|url|(?:page_?)?token)|continuation_?token)$/i;
/** Of places whose values are seen. */
const LEADING = /next|cursor|token|marker|after|continu|^end$|^last/i;
const MORE = /^(?:has_?more|more|has_?next(?:_?page)?|is_?truncated)$/i;
const TOTAL =
  /^(?:total|count|@odata\.count|(?:total|record)_?count|total_?(?:items|results|rows))$/i;
const SORT = /sort|order_?by|^order$/i;
const DIRECTION = /direction|^dir$|^desc$|sort_?order|^order$/i;
const PROJECTION = /^(?:\$?select|fields|opt_fields|only|include_fields|fields\[\w+\])$/i;
const EXTRA = /expand|include|embed|format|locale|time_?zone|lang/i;
const TEXT = /search|query|term|^q$|filter|name|match|typeahead|keyword|contains/i;
const LOW = /^(?:since|from|start|min|after|gte?|begin)$/i;
const HIGH = /^(?:until|to|end|max|before|lte?)$/i;

/** Parameters of the query, and fields of the body, as rules name them. */
export interface Asked {
  readonly name: string;
  readonly by: string;
  readonly schema: string;
}

export function listAsked({ document: { schemas }, operation }: Known): readonly Asked[] {
  const { parameters, body } = operation;
  const media = body?.media.find(({ type }) => isJson(type));
  const fields = media?.schema === undefined ? [] : [...schemas.view(media.schema).properties];
  return [
    ...parameters.flatMap(({ name, in: where, schema }) =>
      where === "query" && schema !== undefined ? [{ name, by: name, schema }] : [],
    ),
    ...fields.map(([name, schema]) => ({ name, by: `body/${name}`, schema })),
  ];
}

const typesOf = ({ document: { schemas } }: Known, schema: string): readonly string[] =>
  schemas.view(schema).types.filter((type) => type !== "null");

/** A value beside the rows, and what is known of it: from the answer, or else from the document. */
interface Beside {
  readonly place: string;
  readonly name: string;
  readonly types: readonly string[];
  readonly value?: unknown;
}

const MAX_DEPTH = 3;

function listBeside(known: Known): readonly Beside[] {
  const { document, operation, page, list } = known;
  const rows = list?.items.split("/") ?? [];
  const isRows = (steps: readonly string[]) => steps.join("/") === rows.join("/");
  const fromSchema = (pointer: string, steps: readonly string[]): Beside[] => {
    const { properties, types } = document.schemas.view(pointer);
    if (steps.length > MAX_DEPTH || isRows(steps)) return [];
    if (properties.size === 0) return [{ place: steps.join("/"), name: steps.at(-1) ?? "", types }];
    return [...properties].flatMap(([name, inner]) => fromSchema(inner, [...steps, name]));
  };
  const fromValue = (value: unknown, steps: readonly string[]): Beside[] => {
    if (steps.length > MAX_DEPTH || Array.isArray(value)) return [];
    if (isObject(value))
      return Object.entries(value).flatMap(([name, inner]) => fromValue(inner, [...steps, name]));
    const types = [typeof value === "number" ? "integer" : typeof value];
    return [{ place: steps.join("/"), name: steps.at(-1) ?? "", types, value }];
  };
  const view = successView(document, operation);
  if (page !== undefined) return fromValue(page.json, []);
  return view === undefined ? [] : fromSchema(view.pointer, []);
}

/** The parameter that says how many rows a page has. */
export const findSize = (known: Known): string | undefined =>
  listAsked(known).find(({ name }) => SIZE.test(name))?.by;

const isPaging = (name: string): boolean =>
  [INDEX, OFFSET, SIZE, CURSOR, KEYSET].some((pattern) => pattern.test(name)) ||
  /^(?:ending_before|before|count|\$count)$/i.test(name);

/** Every way in which the next page might be asked for: the walk decides which of them this service has. */
export function guessPages(known: Known): Choice {
  const of = known.operation.id;
  const asked = listAsked(known);
  const beside = listBeside(known);
  const size = findSize(known);
  const more = beside.find(({ name, types }) => MORE.test(name) && types.includes("boolean"));
  const total = beside.find(({ name, types }) => TOTAL.test(name) && types.includes("integer"));
  const link = findLinkPlace(known, beside);
  const flag = more === undefined ? {} : { next: { more: more.place } };
  const next = link === undefined ? flag : { next: link };
  const shared = { of, ...(size !== undefined && { size }) };
  const counted = total === undefined ? {} : { total: total.place };
  const places = beside.filter(({ name, value, types }) =>
    value === undefined
      ? NEXT.test(name) && types.includes("string")
      : LEADING.test(name) && isText(value) && !isLink(value),
  );
  const headers = [...(known.page?.headers.keys() ?? [])].filter((name) =>
    /next|cursor|continuation/i.test(name),
  );
  const toGuess = (fields: JsonObject): Guess => ({ kind: "page", fields });
  const numbered = asked.flatMap(({ name, by, schema }): Guess[] => {
    const echo = beside.find((one) => one.name === name && one.types.includes("integer"));
    const told = { ...counted, ...next };
    if (INDEX.test(name))
      return [1, 0].map((from) =>
        toGuess({
          ...shared,
          index: by,
          from,
          ...(echo !== undefined && { echo: echo.place }),
          ...told,
        }),
      );
    return OFFSET.test(name) && !typesOf(known, schema).includes("string")
      ? [toGuess({ ...shared, index: by, unit: "row", ...told })]
      : [];
  });
  const cursors = asked
    .filter(({ name }) => CURSOR.test(name) || OFFSET.test(name) || KEYSET.test(name))
    .flatMap(({ by }) => [
      ...places.map(({ place }) => {
        const at = more === undefined ? place : { at: place, more: more.place };
        return toGuess({ ...shared, cursor: by, next: at, ...counted });
      }),
      ...headers.map((name) => toGuess({ ...shared, cursor: by, next: `header:${name}` })),
    ]);
  const key = known.list?.key[0] ?? "*";
  const keysets = asked
    .filter(({ name }) => (KEYSET.test(name) || CURSOR.test(name)) && key !== "*")
    .map(({ by }) => {
      const last = { last: key, ...(more !== undefined && { more: more.place }) };
      return toGuess({ ...shared, cursor: by, next: last, ...counted });
    });
  const links = link === undefined ? [] : [toGuess({ ...shared, next: link, ...counted })];
  const unit = known.page?.headers.get("Accept-Ranges") ?? "none";
  const ranges = /^(?:bytes|none)$/i.test(unit)
    ? []
    : [toGuess({ of, range: unit, total: "header:Content-Range" })];
  return [...numbered, ...cursors, ...links, ...keysets, ...ranges];
}

const isText = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && value !== "");
const isLink = (value: unknown): boolean =>
  typeof value === "string" && /^(?:https?:\/\/|\/|\?)/.test(value);

function findLinkPlace({ page, operation }: Known, beside: readonly Beside[]): string | undefined {
  const header = page?.headers.get("Link") ?? "";
  if (/rel="?[^",;]*\bnext\b/i.test(header)) return "header:Link";
  const isDocumented = operation.responses.some(
    ({ status, headers }) =>
      status.startsWith("2") && headers.some(({ name }) => /^link$/i.test(name)),
  );
  if (page === undefined && isDocumented) return "header:Link";
  return beside.find(
    ({ name, place, types, value }) =>
      (NEXT.test(name) || /next/i.test(place)) &&
      (page === undefined
        ? types.includes("string") && /link|url|href/i.test(place)
        : isLink(value)),
  )?.place;
}

/** Names of one thing: `team_id` and `team/id`, `assignees` and `assignee`. */
export function isNear(one: string, other: string): boolean {
  const [mine, theirs] = [one, other].map((text) =>
    text.toLowerCase().replaceAll(/[^a-z]|ids?$|s$/g, ""),
  );
  if (mine === undefined || theirs === undefined || mine === "" || theirs === "") return false;
  return mine === theirs || (theirs.length > 2 && (mine.includes(theirs) || theirs.includes(mine)));
}

/** Places of single values in rows, with their types: those of the answers, or else of the document. */
export function listFields({
  document,
  operation,
  rows,
  list,
}: Known): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const note = (place: string, value: unknown): void => {
    if (value !== null && typeof value !== "object") fields.set(place, typeof value);
  };
  for (const row of rows)
    for (const [name, value] of Object.entries(isObject(row) ? row : {})) {
      note(name, value);
      if (Array.isArray(value)) note(`${name}/*`, value[0] ?? null);
      if (isObject(value))
        for (const [inner, one] of Object.entries(value)) note(`${name}/${inner}`, one);
    }
  if (rows.length > 0 || list === undefined) return fields;
  const view = successView(document, operation);
  for (const [name, pointer] of (view && rowView(document, view, list.items))?.properties ?? []) {
    const [type = "object"] = document.schemas.view(pointer).types.filter((one) => one !== "null");
    if (!["object", "array"].includes(type)) fields.set(name, type === "integer" ? "number" : type);
  }
  return fields;
}

const schemaType = (known: Known, schema: string): string => {
  const [type = "string"] = typesOf(known, schema);
  return type === "integer" ? "number" : type;
};

/** Which field explains what a parameter lets through: of the same name first, and near ones, where answers can tell. */
export function* guessFilters(known: Known): Generator<Choice> {
  const of = known.operation.id;
  const fields = listFields(known);
  const isTried = known.rows.length > 0;
  for (const { name, by, schema } of listAsked(known)) {
    if (isPaging(name) || PROJECTION.test(name)) continue;
    if (SORT.test(name) || DIRECTION.test(name) || EXTRA.test(name)) continue;
    // Bounds are of ranges, unless there is a field of the very name.
    if (isTried && !fields.has(name) && toBound({ name, by, schema }) !== undefined) continue;
    const type = schemaType(known, schema);
    const same = fields.get(name) === type ? [name] : [];
    const near = [...fields.keys()].filter((field) => field !== name && isNear(name, field));
    const enums = known.document.schemas.view(schema).said["enum"];
    const isText = type === "string" && !Array.isArray(enums);
    const isSearch = isText && TEXT.test(name);
    const texts = isSearch
      ? [...fields].filter(([, one]) => one === "string").map(([field]) => field)
      : [];
    const tried = isTried ? [...new Set([...same, ...near, ...texts])].slice(0, MAX_FIELDS) : same;
    const ways = isText && isTried ? ["contains", "prefix", "equals", "folded"] : ["equals"];
    const guesses = ways.flatMap((match) =>
      [
        ...tried,
        ...(match === "contains" && texts.length > 1 ? [texts.slice(0, MAX_FIELDS)] : []),
      ].map((field): Guess => ({
        kind: "filter",
        fields: { of, by, field, ...(match !== "equals" && { match }) },
      })),
    );
    const values = Array.isArray(enums) ? enums : type === "boolean" ? [true, false] : [];
    const subsets = isTried
      ? values.slice(0, 2).map((value): Guess => ({
          kind: "subset",
          fields: { of, with: { [by]: value }, proper: true },
        }))
      : [];
    const all = [...guesses, ...subsets];
    if (all.length > 0) yield all;
  }
}

const MAX_FIELDS = 4;

interface Bound extends Asked {
  readonly isLow: boolean;
  /** The name without the word that makes it a bound. */
  readonly stem: string;
}

/** `created_after` and `created_before`, `minPrice`, `from` and `to`: bounds of a field of moments or numbers. */
export function* guessRanges(known: Known): Generator<Choice> {
  const of = known.operation.id;
  const bounds = listAsked(known).flatMap((one) => toBound(one) ?? []);
  const fields = [...listFields(known)].filter(
    ([name, type]) => type === "number" || isMoment(known, name),
  );
  if (known.rows.length === 0) return;
  for (const [stem, group] of Map.groupBy(bounds, (one) => one.stem)) {
    const from = group.find(({ isLow }) => isLow)?.by;
    const to = group.find(({ isLow }) => !isLow)?.by;
    const near = fields.filter(([name]) => stem !== "" && isNear(stem, name));
    const wide = near.length > 0 ? near : fields.filter(([name]) => isMoment(known, name));
    const guesses = wide.slice(0, 3).flatMap(([field]) =>
      ["closed", "half-open"].map((ends): Guess => ({
        kind: "range",
        fields: {
          of,
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          field,
          unit: unitOf(known, field, group[0]),
          ends,
        },
      })),
    );
    if (guesses.length > 0) yield guesses;
  }
}

function toBound(asked: Asked): Bound | undefined {
  const words = asked.name.split(/[_.\-[\]]+|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
  const word = words.find((one) => LOW.test(one) || HIGH.test(one));
  if (word === undefined) return undefined;
  const stem = words.filter((one) => one !== word && !/^(?:date|time)$/i.test(one)).join("_");
  return { ...asked, isLow: LOW.test(word), stem };
}

const firstOf = ({ rows }: Known, place: string): unknown =>
  rows.flatMap((row) => reach(row, place)).find((value) => value !== null);

const isMoment = (known: Known, field: string): boolean =>
  /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(String(firstOf(known, field)));

function unitOf(known: Known, field: string, asked: Asked | undefined): string {
  const format = asked && known.document.schemas.view(asked.schema).said["format"];
  if (typeof firstOf(known, field) === "number") return "number";
  return format === "date" || !/[T ]/.test(String(firstOf(known, field))) ? "day" : "instant";
}

/** Orders that can be asked for, and one that the prose of the document promises. */
export function* guessOrders(known: Known): Generator<Choice> {
  const of = known.operation.id;
  const fields = [...listFields(known).keys()];
  if (known.rows.length === 0) return;
  const asked = listAsked(known);
  const sort =
    asked.find(({ name }) => SORT.test(name) && !DIRECTION.test(name)) ??
    asked.find(({ name }) => SORT.test(name));
  const turn = asked.find((one) => one !== sort && DIRECTION.test(one.name));
  const choicesOf = ({ schema }: Asked): readonly unknown[] => {
    const { said, items } = known.document.schemas.view(schema);
    const inner = items === undefined ? said : known.document.schemas.view(items).said;
    return Array.isArray(inner["enum"]) ? inner["enum"] : [];
  };
  const turns = turn === undefined ? [undefined] : choicesOf(turn);
  for (const value of (sort === undefined ? [] : choicesOf(sort)).slice(0, MAX_ORDERS))
    for (const way of turns.slice(0, 2)) {
      const told = { [sort?.by ?? ""]: value, ...(turn !== undefined && { [turn.by]: way }) };
      const word = String(value).replaceAll(/^[-+]|[ :_.-]?(?:asc|desc)(?:ending)?$/gi, "");
      const named = fields.filter((field) => isNear(word, field) || isNear(field, word));
      const signs = /^-|desc/i.test(`${String(value)} ${String(way)}`) ? ["-", ""] : ["", "-"];
      if (named.length === 0)
        yield [toOrder(of, told, word, `the rows have no field like "${word}" to tell by`)];
      else
        yield named
          .slice(0, 2)
          .flatMap((field) => signs.map((sign) => toOrder(of, told, `${sign}${field}`)));
    }
  const isPromised = PROMISE.test(known.operation.text);
  yield fields
    .filter((field) => !isNumbering(known, field))
    .flatMap((field) =>
      [field, `-${field}`].map((by) =>
        toOrder(of, undefined, by, isPromised ? undefined : "the document promises no order"),
      ),
    );
}

const MAX_ORDERS = 6;
const PROMISE =
  /\b(?:sorted|ordered|newest|latest|oldest|most recent|chronolog\w*|ascending|descending|alphabetical\w*)\b/i;

const isNumbering = (known: Known, field: string): boolean =>
  typeof firstOf(known, field) === "boolean";

const toOrder = (of: string, told: JsonObject | undefined, by: string, doubt?: string): Guess => ({
  kind: "order",
  fields: { of, by, ...(told !== undefined && { with: told }) },
  ...(doubt !== undefined && { doubt }),
});

/** Integers beside the rows that are the number of all of them. */
export function* guessCounts(known: Known): Generator<Choice> {
  const of = known.operation.id;
  const { length } = known.rows;
  const totals = listBeside(known).filter(({ name, types, value }) =>
    known.page === undefined
      ? TOTAL.test(name) && types.includes("integer")
      : value === length && !isPaging(name),
  );
  for (const { place } of totals) yield [{ kind: "count", fields: { of, total: place } }];
  for (const name of ["X-Total-Count", "X-Total", "Total-Count"])
    if (known.page?.headers.has(name) === true)
      yield [{ kind: "count", fields: { of, total: `header:${name}` } }];
  const flag = listAsked(known).find(
    ({ name, schema }) => /count|total/i.test(name) && typesOf(known, schema).includes("boolean"),
  );
  const counted = known.page === undefined ? [] : ["@odata.count", "total_count", "total", "count"];
  if (flag !== undefined && counted.length > 0)
    yield counted.map((total) => ({
      kind: "count",
      fields: { of, total, ask: { [flag.by]: true } },
    }));
}

/** A thing below a list is what the list shows of it. */
export function* guessSame({ document, operation }: Known): Generator<Choice> {
  const below = itemOperation(document, operation);
  if (below !== undefined) yield [{ kind: "sameAs", fields: { of: below.id, as: operation.id } }];
}

/** `fields=id,name`: only these come. */
export function* guessProjections(known: Known): Generator<Choice> {
  const asked = listAsked(known).find(({ name }) => PROJECTION.test(name));
  const fields = [...listFields(known)].filter(([name]) => !name.includes("/"));
  const names = fields.map(([name]) => name).slice(0, 2);
  if (asked !== undefined && known.operation.method === "GET" && fields.length > 3)
    yield [{ kind: "projection", fields: { of: known.operation.id, by: asked.by, fields: names } }];
}

/** POST and GET at a collection; GET, PATCH or PUT, and DELETE below it. */
export function* guessLives({ document, operation }: Known): Generator<Choice> {
  const { id, method, path } = operation;
  if (method !== "POST") return;
  const all = [...document.operations.values()];
  const list = all.find((one) => one.method === "GET" && one.path === path);
  const below = all.filter(
    (one) => one.path.startsWith(`${path}/{`) && /^\/\{[^}/]+\}$/.test(one.path.slice(path.length)),
  );
  const by = (...methods: readonly string[]) =>
    below.find((one) => methods.includes(one.method))?.id;
  const [read, update, remove] = [by("GET"), by("PATCH", "PUT"), by("DELETE")];
  if (read === undefined) return;
  const life = {
    of: id,
    read,
    ...(update !== undefined && { update }),
    ...(remove !== undefined && { delete: remove }),
    ...(list !== undefined && { list: list.id }),
  };
  yield [{ kind: "lifecycle", fields: life }];
  yield [{ kind: "echo", fields: { of: id, body: "all" } }];
}

/** What is answered in bytes, and not in text of a known form. */
export function* guessBytes({ operation: { id, method, responses } }: Known): Generator<Choice> {
  const media = responses.find(({ status }) => status.startsWith("2"))?.media ?? [];
  const isBytes = media.length > 0 && media.every(({ type }) => !/json|text|xml|html/i.test(type));
  if (method === "GET" && isBytes) yield [{ kind: "bytes", fields: { of: id } }];
}
