// The shape of an operation's response: a list, with the place and key of its rows, or a thing. Responses override it.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { type ApiDocument, mayBeJson, type Operation } from "../document/document.ts";
import type { View } from "../document/schemas.ts";
import { isAt, isItemPath, toItems, toWord } from "../items.ts";
import { ASIDE } from "../values/fields.ts";
import { at, toBare, toIdentity } from "../values/places.ts";
import type { ListInfo, Told } from "./relations.ts";

/** Common names of the array of rows. */
const USUAL = /^(?:items|data|results?|entries|values?|records|rows|list|content|elements)?$/i;

const MAX_DEPTH = 2;

/** The owner's information has precedence; the rest is from the document. */
export function toListInfo(
  document: ApiDocument,
  operation: Operation,
  told: Told | undefined,
): ListInfo | undefined {
  if (told === "none") return undefined;
  const view = successView(document, operation);
  const items = told?.items ?? (view && findItems(document, operation, view));
  if (items === undefined) return undefined;
  const row = view && rowView(document, view, items);
  return {
    items,
    key: told?.key ?? [(row && keyOf(document, operation, row)) ?? "*"],
    open: told?.open ?? openOf(document, operation),
  };
}

/** The array that is most likely the list, if there are several: its rows have a key, or are what the path below it returns. */
function findItems(document: ApiDocument, operation: Operation, view: View): string | undefined {
  if (view.items !== undefined) return "";
  // An array in a thing is a part of it.
  if (isItemPath(operation.path)) return undefined;
  const below = itemOperation(document, operation);
  const target = below && document.operations.get(below.id);
  const thing = target && successView(document, target);
  const scored = [...arraysOf(document, view, [])].map(({ place, row }) => {
    const name = place.at(-1) ?? "";
    const isLikePath = toWord(name) === toWord(operation.path);
    const score =
      (thing !== undefined && isSameThing(document, row, thing) ? 4 : 0) +
      (keyOf(document, operation, row) === undefined ? 0 : 3) +
      (isLikePath ? 3 : 0) +
      (USUAL.test(name) ? 2 : 0) -
      place.length;
    return { place: place.join("/"), score };
  });
  const [best] = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  return best?.place;
}

interface Rows {
  readonly place: readonly string[];
  readonly row: View;
}

function* arraysOf(document: ApiDocument, view: View, place: readonly string[]): Generator<Rows> {
  for (const [name, pointer] of view.properties) {
    const inner = document.schemas.view(pointer);
    const row = inner.items === undefined ? undefined : unite(document, inner.items);
    if (row !== undefined && row.properties.size > 0) yield { place: [...place, name], row };
    if (row === undefined && place.length < MAX_DEPTH - 1)
      yield* arraysOf(document, inner, [...place, name]);
  }
}

/** Rows with a choice of schemas may have the fields of any. */
function unite({ schemas }: ApiDocument, pointer: string, depth = 0): View {
  const view = schemas.view(pointer);
  if (view.choices.length === 0 || depth > MAX_DEPTH) return view;
  const choices = view.choices.map((one) => unite({ schemas } as ApiDocument, one, depth + 1));
  const properties = choices.flatMap((one) => [...one.properties]);
  return { ...view, properties: new Map([...properties, ...view.properties]) };
}

const SORT = ["type", "kind", "object", "resource_type", "resourceType", "@type"];

/** The field that distinguishes several sorts of rows, and its possible values. */
export function sortsOf(
  document: ApiDocument,
  view: View,
  items: string,
): { readonly place: string; readonly values: readonly string[] } | undefined {
  const array = arrayAt(document, view, items);
  const row = array?.items === undefined ? undefined : document.schemas.view(array.items);
  const sorts = row === undefined ? [] : [row, ...row.choices.map(document.schemas.view)];
  const { discriminator } = row?.said ?? {};
  const told = isObject(discriminator) ? String(discriminator["propertyName"]) : undefined;
  for (const place of [...(told === undefined ? [] : [told]), ...SORT]) {
    const values = sorts.flatMap(({ properties }) => {
      const pointer = properties.get(place);
      const said = pointer === undefined ? {} : document.schemas.view(pointer).said;
      return [said["const"], said["enum"]].flat().filter((one) => typeof one === "string");
    });
    if (values.length > 1) return { place, values };
  }
  return undefined;
}

/** True if a row is the same thing that another operation returns singly. */
export const isSameThing = ({ schemas }: ApiDocument, row: View, thing: View): boolean =>
  [thing, ...envelopeOf(thing).map((pointer) => schemas.view(pointer))].some(
    ({ pointer }) => pointer === row.pointer,
  );

/** `{ team: { ... } }` and `{ data: { ... } }`: one member and otherwise only links. */
function envelopeOf({ properties }: View): readonly string[] {
  const inner = [...properties].filter(([name]) => !ASIDE.test(name));
  return inner.length === 1 ? inner.map(([, pointer]) => pointer) : [];
}

function keyOf(document: ApiDocument, operation: Operation, row: View): string | undefined {
  const parameter = itemOperation(document, operation)?.parameter;
  const namesOf = (view: View): readonly string[] =>
    [...view.properties]
      .filter(([, pointer]) => {
        const { types, properties, items } = document.schemas.view(pointer);
        const isWhole = properties.size > 0 || items !== undefined;
        return !isWhole && !types.includes("object") && !types.includes("array");
      })
      .map(([name]) => name);
  const found = findKeyName(namesOf(row), parameter, operation.path);
  const about = row.properties.get(ABOUT);
  if (found !== undefined || about === undefined) return found;
  const inner = findKeyName(namesOf(document.schemas.view(about)), parameter);
  return inner && `${ABOUT}/${inner}`;
}

/** A wrapper for the descriptive fields of a thing, including its name. */
const ABOUT = "metadata";

/**
 * /trains/{trainId} uses `trainId` or the `id` of a train. /issues/{issue_number} uses the `number` and not the `id`. `collection`: its
 * path, as rows of /requests/{id} may have a `requestId`.
 */
export function findKeyName(
  names: readonly string[],
  parameter = "",
  collection = "",
): string | undefined {
  const isEnd = (name: string) =>
    /^\w\w+$/.test(name) && new RegExp(`[a-z\\d]_?${name}$`, "i").test(parameter);
  const same = names.find((name) => toBare(name) === toBare(parameter));
  const [end] = names.filter(isEnd).toSorted((one, other) => other.length - one.length);
  const word = toBare(toWord(collection));
  // `external_customer_id` of /customers is the `external_id` of a customer.
  const short = names.find(
    (name) => word !== "" && toBare(name) === toBare(parameter).replace(word, ""),
  );
  const worded = names.find(
    (name) => word !== "" && WORDED.some((one) => toBare(name) === word + one),
  );
  return [parameter, same, end, short, ...IDS, worded, ...OTHER_KEYS].find(
    (name) => name !== undefined && names.includes(name),
  );
}

const IDS = ["id", "Id", "ID", "uuid", "gid", "sid"];
const WORDED = ["id", "uuid", "key", "code", "number"];
/** A name is the last resort: nothing says that a path has names. */
export const NAME = "name";
const OTHER_KEYS = ["key", "code", "number", "slug", NAME];

/** `state=all`, if a parameter offers that and it is not the default. */
function openOf({ schemas }: ApiDocument, { parameters }: Operation): JsonObject {
  return Object.fromEntries(
    parameters.flatMap(({ name, in: where, schema }) => {
      const said = where !== "query" || schema === undefined ? {} : schemas.view(schema).said;
      const listed = Array.isArray(said["enum"]) ? said["enum"] : [];
      return listed.includes("all") && said["default"] !== "all" ? [[name, "all"]] : [];
    }),
  );
}

/** The schema of the first JSON success. */
export function successView(document: ApiDocument, { responses }: Operation): View | undefined {
  const success = responses.find(({ status }) => status.startsWith("2"));
  const schema = success?.media.find(({ type }) => mayBeJson(type))?.schema;
  return schema === undefined ? undefined : document.schemas.view(schema);
}

const arrayAt = (document: ApiDocument, view: View, items: string): View | undefined =>
  (items === "" ? [] : items.split("/")).reduce<View | undefined>((inner, name) => {
    const pointer = inner?.properties.get(name);
    return pointer === undefined ? undefined : document.schemas.view(pointer);
  }, view);

/** The schema of the rows of a list. */
export function rowView(document: ApiDocument, view: View, items: string): View | undefined {
  const array = arrayAt(document, view, items);
  return array?.items === undefined ? undefined : unite(document, array.items);
}

/** `GET /events/{eventId}` for `GET /events`. */
export function itemOperation(
  { operations }: ApiDocument,
  { path }: Operation,
): { readonly id: string; readonly parameter: string } | undefined {
  for (const { id, method, path: other } of operations.values()) {
    const item = toItems(other).at(-1);
    const isBelow = item !== undefined && isAt(item.collection, path) && isAt(item.template, other);
    if (method === "GET" && isBelow) return { id, parameter: item.name };
  }
  return undefined;
}

/** Corrects a list by its first plain response: the place if the rows are elsewhere, and a key that two rows share. */
export function confirmList(
  json: unknown,
  known: ListInfo | undefined,
  told: Told | undefined,
): ListInfo | undefined {
  if (told === "none") return undefined;
  const isThere = known !== undefined && Array.isArray(at(json, known.items));
  const items = isThere || told?.items !== undefined ? known?.items : findArray(json);
  if (items === undefined) return undefined;
  const rows = [at(json, items)].flat();
  const key = known?.key ?? [findKeyName(Object.keys(isObject(rows[0]) ? rows[0] : {})) ?? "*"];
  return {
    items,
    key: told?.key === undefined && isShared(rows, key) ? ["*"] : key,
    open: known?.open ?? {},
  };
}

/** The array in a response that the document does not describe, or describes differently. */
function findArray(json: unknown): string | undefined {
  if (Array.isArray(json)) return json.some(isObject) ? "" : undefined;
  const names = Object.entries(isObject(json) ? json : {}).filter(
    ([name, value]) => USUAL.test(name) && Array.isArray(value) && value.some(isObject),
  );
  return names.length === 1 ? names[0]?.[0] : undefined;
}

/** True if two different rows have the same key, or if a row has none. */
function isShared(rows: readonly unknown[], key: readonly string[]): boolean {
  if (key.includes("*")) return false;
  const byKey = Map.groupBy(rows, (row) => toIdentity(key.map((place) => at(row, place) ?? null)));
  return [...byKey.values()].some((same) => new Set(same.map(toIdentity)).size > 1);
}
