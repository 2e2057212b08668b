// What the document shows by itself: which operations give lists, what makes a row itself, and where values come from.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { type ApiDocument, isJson, type Operation } from "../document/document.ts";
import type { View } from "../document/schemas.ts";
import type { ListInfo, Relations } from "./relations.ts";

export interface Derived {
  readonly lists: ReadonlyMap<string, ListInfo>;
  readonly values: Readonly<Record<string, string>>;
}

/** What the owner says comes first; the rest is derived. */
export function derive(document: ApiDocument, relations: Relations): Derived {
  const lists = new Map<string, ListInfo>();
  const values: Record<string, string> = { ...relations.values };
  for (const operation of document.operations.values()) {
    const told = relations.lists[operation.id];
    const isReading = operation.method === "GET" || relations.safe.includes(operation.id);
    if (told === undefined && !isReading) continue;
    const info = toListInfo(document, operation, told);
    if (info === undefined) continue;
    lists.set(operation.id, info);
    const below = itemOperation(document, operation);
    const [key] = info.key;
    if (below !== undefined && key !== undefined && key !== "*")
      values[below.parameter] ??= operation.id;
  }
  for (const [name, source] of [...fromLinks(document), ...fromCreations(document)])
    values[name] ??= source;
  return { lists, values };
}

/** A link of a success, `parameters: { bookingId: $response.body#/id }`, says where values of a parameter come from. */
function* fromLinks({ operations }: ApiDocument): Generator<readonly [string, string]> {
  for (const { id, responses } of operations.values())
    for (const { status, links } of responses) {
      if (!status.startsWith("2")) continue;
      for (const { parameters } of links)
        for (const [name, expression] of Object.entries(isObject(parameters) ? parameters : {})) {
          const [, place] = /^\$response\.body#\/(.+)$/.exec(String(expression)) ?? [];
          if (place !== undefined) yield [name.replace(/^(?:path|query)\./, ""), `${id}#${place}`];
        }
    }
}

/** `ticketId` of /tickets/{ticketId} is what a POST gives under that name, or POST /tickets as `id`. */
function* fromCreations(document: ApiDocument): Generator<readonly [string, string]> {
  const operations = [...document.operations.values()];
  for (const { parameters, path } of operations)
    for (const { name } of parameters.filter((one) => one.in === "path")) {
      const creation = operations.find((one) => {
        const given = one.method === "POST" ? successView(document, one)?.properties : undefined;
        const isAbove = path.startsWith(`${one.path}/{${name}}`);
        return given?.has(name) === true || (isAbove && given?.has("id") === true);
      });
      if (creation !== undefined) yield [name, creation.id];
    }
}

function toListInfo(
  document: ApiDocument,
  operation: Operation,
  told: Partial<ListInfo> | undefined,
): ListInfo | undefined {
  const view = successView(document, operation);
  const items = told?.items ?? (view && findItems(document, view));
  if (items === undefined) return undefined;
  const row = view && rowView(document, view, items);
  const parameter = itemOperation(document, operation)?.parameter;
  const found = findKeyName([...(row?.properties.keys() ?? [])], parameter);
  return {
    items,
    key: told?.key ?? [found ?? "*"],
    open: told?.open ?? openOf(document, operation),
  };
}

/** /trains/{trainId} is found by `trainId`, or by the `id` of a train; /issues/{issue_number} by its `number` and not by its `id`. */
export function findKeyName(names: readonly string[], parameter = ""): string | undefined {
  const isEnd = (name: string) =>
    /^\w\w+$/.test(name) && new RegExp(`[a-z\\d]_?${name}$`, "i").test(parameter);
  const [end] = names.filter(isEnd).toSorted((one, other) => other.length - one.length);
  return [parameter, end, "id", "Id", "uuid", "code"].find(
    (name) => name !== undefined && names.includes(name),
  );
}

/** `state=all`, where a parameter offers that and does not assume it. */
function openOf({ schemas }: ApiDocument, { parameters }: Operation): JsonObject {
  return Object.fromEntries(
    parameters.flatMap(({ name, in: where, schema }) => {
      const said = where !== "query" || schema === undefined ? {} : schemas.view(schema).said;
      const listed = Array.isArray(said["enum"]) ? said["enum"] : [];
      return listed.includes("all") && said["default"] !== "all" ? [[name, "all"]] : [];
    }),
  );
}

/** Path parameters that nothing is known to give values of: what has them cannot be asked until `values` says where. */
export function listUnsourced(
  { operations, schemas }: ApiDocument,
  values: Readonly<Record<string, string>>,
): readonly string[] {
  const names = [...operations.values()].flatMap(({ parameters }) =>
    parameters
      .filter(({ name, in: where, schema, examples }) => {
        const said = schema === undefined ? {} : schemas.view(schema).said;
        const isShown = ["example", "examples", "enum", "const"].some((key) => key in said);
        return where === "path" && values[name] === undefined && examples.length === 0 && !isShown;
      })
      .map(({ name }) => name),
  );
  return [...new Set(names)];
}

/** The schema of the first success that is JSON. */
export function successView(document: ApiDocument, { responses }: Operation): View | undefined {
  const success = responses.find(({ status }) => status.startsWith("2"));
  const schema = success?.media.find(({ type }) => isJson(type))?.schema;
  return schema === undefined ? undefined : document.schemas.view(schema);
}

/** The answer itself if it is an array, or the only array in it. */
function findItems(document: ApiDocument, view: View): string | undefined {
  if (view.items !== undefined) return "";
  const arrays = [...view.properties].filter(([, pointer]) => {
    const { items } = document.schemas.view(pointer);
    return items !== undefined && document.schemas.view(items).properties.size > 0;
  });
  return arrays.length === 1 ? arrays[0]?.[0] : undefined;
}

/** The schema of the rows of a list. */
export function rowView(document: ApiDocument, view: View, items: string): View | undefined {
  const steps = items === "" ? [] : items.split("/");
  const array = steps.reduce<View | undefined>((inner, name) => {
    const pointer = inner?.properties.get(name);
    return pointer === undefined ? undefined : document.schemas.view(pointer);
  }, view);
  return array?.items === undefined ? undefined : document.schemas.view(array.items);
}

/** `GET /events/{eventId}` for `GET /events`. */
export function itemOperation(
  { operations }: ApiDocument,
  { path }: Operation,
): { readonly id: string; readonly parameter: string } | undefined {
  for (const { id, method, path: other } of operations.values()) {
    const [, parameter] = other.startsWith(`${path}/`)
      ? (/^\/\{([^}/]+)\}$/.exec(other.slice(path.length)) ?? [])
      : [];
    if (method === "GET" && parameter !== undefined) return { id, parameter };
  }
  return undefined;
}
