// Guesses of what selects and sorts rows: filters, ranges, orders, totals, and parameters that name fields.
import type { JsonObject } from "@call-media/contract-diff";
import {
  type Asked,
  type Choice,
  firstOf,
  type Guess,
  isNear,
  type Known,
  listAsked,
  listBeside,
  listFields,
  schemaType,
  typesOf,
} from "./known.ts";
import { TOTAL } from "../values/pages.ts";
import { reach } from "../values/places.ts";
import { isPaging } from "./guess-pages.ts";
import { toBound } from "./guess-ranges.ts";

const SORT = /sort|order_?by|^order$/i;
const DIRECTION = /direction|^dir$|^desc$|sort_?order|^order$/i;
const PROJECTION = /^(?:\$?select|fields|opt_fields|only|include_fields|fields\[\w+\])$/i;
const EXTRA = /expand|include|embed|format|locale|time_?zone|lang/i;
const TEXT = /search|query|term|^q$|filter|name|match|typeahead|keyword|contains/i;

/** Fields that a parameter may filter by: the field of the same name first, then similar ones if responses can decide. */
export function* guessFilters(known: Known): Generator<Choice> {
  const of = known.operation.id;
  const fields = listFields(known);
  const isTried = known.rows.length > 0;
  for (const { name, by, schema } of listAsked(known)) {
    if (isPaging(name) || known.paged.has(by) || PROJECTION.test(name)) continue;
    if (SORT.test(name) || DIRECTION.test(name) || EXTRA.test(name)) continue;
    // Bounds belong to ranges, unless a field has exactly this name.
    if (isTried && !fields.has(name) && toBound({ name, by, schema }) !== undefined) continue;
    const type = schemaType(known, schema);
    const same = fields.get(name) === type ? [name] : [];
    const near = [...fields.keys()].filter((field) => field !== name && isNear(name, field));
    const enums = known.document.schemas.view(schema).said["enum"];
    const isFree = type === "string" && !Array.isArray(enums);
    const isSearch = isFree && TEXT.test(name);
    const texts = isSearch
      ? [...fields].filter(([, one]) => one === "string").map(([field]) => field)
      : [];
    const tried = isTried ? [...new Set([...same, ...near, ...texts])].slice(0, MAX_FIELDS) : same;
    const ways = isFree && isTried ? ["contains", "prefix", "equals", "folded"] : ["equals"];
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
    const written = isTried && isFree ? guessExpressions(known, { of, by, fields, name }) : [];
    const all = [...written, ...guesses, ...subsets];
    if (all.length > 0) yield all;
  }
}

const MAX_FIELDS = 4;

interface Expressed {
  readonly of: string;
  readonly by: string;
  readonly name: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** `filter=userName eq "ann"`, in the languages of SCIM, OData and others. */
function guessExpressions({ rows }: Known, { of, by, name, fields }: Expressed): Guess[] {
  if (!EXPRESSION.test(name)) return [];
  const told = [...fields].filter(
    ([field, type]) =>
      type === "string" &&
      !field.includes("*") &&
      new Set(rows.flatMap((row) => reach(row, field)).map(String)).size > 1,
  );
  return told.slice(0, 2).flatMap(([field]) =>
    WRITTEN.map((to): Guess => ({
      kind: "filter",
      fields: { of, by, field, as: `${field.replaceAll("/", ".")}${to}` },
    })),
  );
}

const EXPRESSION = /^\$?filter(?:_by|by)?$/i;
const WRITTEN = [' eq "{}"', " eq '{}'", '="{}"', ":={}"];

/** Orders that parameters offer, and one that the prose of the document promises. */
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
  const ways = turn === undefined ? [undefined] : choicesOf(turn);
  const signed = ways.filter((way) => /asc|desc/i.test(String(way)));
  const turns = signed.length > 1 ? signed : ways;
  for (const value of toSorts(known, sort, { fields, choicesOf, isTurned: turn !== undefined }))
    for (const way of turns.slice(0, 2)) {
      const told = { [sort?.by ?? ""]: value, ...(turn !== undefined && { [turn.by]: way }) };
      const word = String(value).replaceAll(/^[-+]|[ :_.,-]?(?:asc|desc)(?:ending)?$/gi, "");
      // A direction alone, such as `order=desc`, is one of age.
      const named =
        word === ""
          ? findMoments(known, fields)
          : fields.filter((field) => isNear(word, field) || isNear(field, word));
      const signs = /^-|desc/i.test(`${String(value)} ${String(way)}`) ? ["-", ""] : ["", "-"];
      if (named.length === 0)
        yield [
          toOrder({ of, by: word, with: told }, `the rows have no field like "${word}" to tell by`),
        ];
      else
        yield named
          .slice(0, 2)
          .flatMap((field) =>
            signs.map((sign) => toOrder({ of, by: `${sign}${field}`, with: told })),
          );
    }
  const told = findPromised(known, fields);
  const isPromised = told !== undefined;
  yield (told ?? fields.filter((field) => typeof firstOf(known, field) !== "boolean")).flatMap(
    (field) =>
      [field, `-${field}`].map((by) =>
        toOrder({ of, by }, isPromised ? undefined : "the document promises no order"),
      ),
  );
}

interface Sorts {
  readonly fields: readonly string[];
  readonly choicesOf: (asked: Asked) => readonly unknown[];
  /** True if another parameter has the direction. */
  readonly isTurned: boolean;
}

/** What a parameter may sort by: the values that its schema lists, or else names of fields. */
function toSorts(known: Known, sort: Asked | undefined, { fields, choicesOf, isTurned }: Sorts) {
  if (sort === undefined) return [];
  const listed = choicesOf(sort);
  const type = schemaType(known, sort.schema);
  if (listed.length > 0 || !["string", "array"].includes(type)) return listed.slice(0, MAX_ORDERS);
  // `sort=name,desc`, as Spring has it.
  const { words } = known.operation.parameters.find(({ name }) => name === sort.name) ?? {};
  const isSpelled = type === "array" || words?.has("desc") === true;
  const plain = fields.filter(
    (field) => !field.includes("/") && ["string", "number"].includes(typeof firstOf(known, field)),
  );
  const down = (field: string) => (isSpelled ? [`${field},desc`] : []);
  return plain
    .slice(0, 3)
    .flatMap((field) => (isTurned ? [field] : [field, ...down(field), `-${field}`]));
}

/** Fields of the promised order: the named fields, or moments for "newest first". Undefined if the prose promises no order. */
function findPromised(known: Known, fields: readonly string[]): readonly string[] | undefined {
  const { text } = known.operation;
  if (!PROMISE.test(text)) return undefined;
  const words = text.split(/[^\w]+/).filter((word) => word.length > 1);
  const named = fields.filter((field) =>
    words.some((word) => word.toLowerCase() === field.toLowerCase().replace(/^.*\//, "")),
  );
  return named.length > 0 ? named : AGE.test(text) ? findMoments(known, fields) : fields;
}

/** Fields with moments, those of a creation first. */
const findMoments = (known: Known, fields: readonly string[]): readonly string[] =>
  fields
    .filter((field) => /^\d{4}-\d\d-\d\d/.test(String(firstOf(known, field))))
    .toSorted((one, other) => Number(/creat/i.test(other)) - Number(/creat/i.test(one)));

const AGE = /newest|latest|oldest|recent|chronolog/i;
const MAX_ORDERS = 6;
const PROMISE =
  /\b(?:sorted|ordered|newest|latest|oldest|most recent|chronolog\w*|ascending|descending|alphabetical\w*)\b/i;

const toOrder = (fields: JsonObject, doubt?: string): Guess => ({
  kind: "order",
  fields,
  ...(doubt !== undefined && { doubt }),
});

/** Numbers of other things than rows, which may be equal today. */
const OTHER_TOTAL =
  /pages?$|amount|price|cost|value|bytes|seconds|minutes|duration|quantity|points|score/i;

/** Integers next to the rows that give their total number. */
export function* guessCounts(known: Known): Generator<Choice> {
  const of = known.operation.id;
  const { length } = known.rows;
  const totals = listBeside(known).filter(({ name, types, value }) =>
    known.page === undefined
      ? TOTAL.test(name) && types.includes("integer")
      : value === length && !isPaging(name) && !OTHER_TOTAL.test(name),
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

/** `fields=id,name`: the response has only these fields. */
export function* guessProjections(known: Known): Generator<Choice> {
  const asked = listAsked(known).find(({ name }) => PROJECTION.test(name));
  const fields = [...listFields(known)].filter(([name]) => !name.includes("/"));
  const names = fields.map(([name]) => name).slice(0, 2);
  if (asked !== undefined && known.operation.method === "GET" && fields.length > 3)
    yield [{ kind: "projection", fields: { of: known.operation.id, by: asked.by, fields: names } }];
}
