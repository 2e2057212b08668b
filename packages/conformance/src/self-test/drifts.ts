// Mechanical drifts: ways in which the recorded responses could have been wrong.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { ApiDocument, Operation } from "../document/document.ts";
import { rowView, successView } from "../relations/shape.ts";
import type { ListInfo, Relations } from "../relations/relations.ts";
import { at } from "../values/places.ts";
import type { Request, Taped } from "./tape.ts";

/** One response of a replay, with the information for changing it. */
export interface Scene {
  readonly request: Request;
  readonly url: URL;
  /** Undefined if the path belongs to no operation. HEAD belongs to GET. */
  readonly operation: Operation | undefined;
  readonly taped: Taped;
  /** The JSON body; undefined for any other. */
  readonly json: unknown;
  /** The first run's response to this request with other parts. */
  readonly like: (other: Partial<Request>) => Taped | undefined;
  /** In the first run, the first success of a request by the first caller without a body, at a matching URL. */
  readonly another: (fits: (url: URL) => boolean) => Taped | undefined;
  /** The first success of the operation in the first run. */
  readonly success: Taped | undefined;
  readonly who: "first" | "second" | "other";
  readonly list: ListInfo | undefined;
  readonly document: ApiDocument;
  readonly relations: Relations;
  /** Paths that this replay has changed or deleted so far. */
  readonly changed: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
  /** Paths of things that the first run created. */
  readonly created: ReadonlySet<string>;
  /** The first success of GET at this path. */
  readonly before: Taped | undefined;
}

/** Undefined if the drift cannot be inserted. */
type Change = (scene: Scene) => Taped | undefined;

const isRead = ({ request, taped }: Scene) => request.method === "GET" && taped.status === 200;
const isItem = (scene: Scene) => isRead(scene) && scene.list === undefined && isObject(scene.json);

export const withJson = ({ taped: { status, headers } }: Scene, json: unknown): Taped => {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  const written = new Headers(headers);
  if (written.has("Content-Length")) written.set("Content-Length", String(bytes.length));
  return { status, headers: written, bytes };
};

const withHeaders = (
  { taped }: Scene,
  changes: Readonly<Record<string, string | undefined>>,
): Taped => {
  const headers = new Headers(taped.headers);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  return { ...taped, headers };
};

/** The same response with other rows; undefined if it has fewer than `least`. */
function withRows(
  scene: Scene,
  least: number,
  change: (rows: readonly unknown[]) => unknown[],
): Taped | undefined {
  const { list, json } = scene;
  if (list === undefined || !isRead(scene)) return undefined;
  const rows = list.items === "" ? json : at(json, list.items);
  if (!Array.isArray(rows) || rows.length < least) return undefined;
  return withJson(scene, put(json, list.items === "" ? [] : list.items.split("/"), change(rows)));
}

function put(value: unknown, [key, ...rest]: readonly string[], inner: unknown): unknown {
  if (key === undefined) return inner;
  return isObject(value) ? { ...value, [key]: put(value[key], rest, inner) } : value;
}

/** One row of a list, or the thing itself. */
function withOne(scene: Scene, change: (one: JsonObject) => JsonObject): Taped | undefined {
  if (isItem(scene)) return withJson(scene, change(scene.json as JsonObject)); // checked by isItem
  return withRows(scene, 1, (rows) =>
    rows.map((row, index) => (index === rows.length >> 1 && isObject(row) ? change(row) : row)),
  );
}

/** A field that its schema requires. */
function requiredOf({ operation, document, list }: Scene): string | undefined {
  const view = operation && successView(document, operation);
  const row = view && (list === undefined ? view : rowView(document, view, list.items));
  return row === undefined ? undefined : [...row.required][0];
}

/** The response to the same request with parameters removed or set. */
function withQuery(scene: Scene, changes: Readonly<Record<string, string | undefined>>) {
  const url = new URL(scene.url);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  const written = url.search.replaceAll("+", "%20");
  return scene.like({ url: `${url.origin}${url.pathname}${written}` });
}

/** Parameters that select rows according to the relations. */
function selectors({ operation, relations: { rules } }: Scene): readonly string[] {
  return rules
    .filter(({ of }) => operation !== undefined && of.includes(operation.id))
    .flatMap((rule) => (rule.kind === "filter" ? rule.by : []))
    .filter((name) => !name.includes("/"));
}

const pageRule = ({ operation, relations: { rules } }: Scene) =>
  rules.find((rule) => rule.kind === "page" && rule.of.includes(operation?.id ?? ""));

const when =
  (fits: (scene: Scene) => boolean, change: Change): Change =>
  (scene) =>
    fits(scene) ? change(scene) : undefined;

const withStatus = ({ taped }: Scene, status: number): Taped => ({ ...taped, status });
const isRefused = ({ taped }: Scene): boolean => taped.status === 401;
const isReadJson = (scene: Scene): boolean => isRead(scene) && scene.json !== undefined;
const isAt = (paths: ReadonlySet<string>, { url }: Scene): boolean => paths.has(url.pathname);

/** The place of a total according to the relations. */
const totalOf = ({ operation, relations: { rules } }: Scene): string | undefined =>
  rules
    .filter(({ of }) => of.includes(operation?.id ?? ""))
    .flatMap((rule) => (rule.kind === "page" || rule.kind === "count" ? [rule.total] : []))[0];

/** The first field of a thing, with its value, that fits. */
const findField = ({ json }: Scene, fits: (name: string, value: unknown) => boolean) =>
  Object.entries(isObject(json) ? json : {}).find(([name, value]) => fits(name, value));

const setField = (
  scene: Scene,
  [name]: readonly [string, unknown],
  edit: (text: string) => string,
) => withOne(scene, (one) => ({ ...one, [name]: edit(String(one[name])) }));

/** By what a service would say of them. */
export const drifts: Readonly<Record<string, Change>> = {
  "a required field is lost in one row": (scene) => {
    const name = requiredOf(scene);
    return name === undefined
      ? undefined
      : withOne(scene, ({ [name]: _lost, ...others }) => others);
  },
  "a row has a field that is not documented": (scene) =>
    withOne(scene, (one) => ({ ...one, notDocumented: 1 })),
  "a number or boolean comes as a text": when(isItem, (scene) => {
    const found = findField(scene, (_, value) => ["number", "boolean"].includes(typeof value));
    return found && setField(scene, found, (text) => text);
  }),
  "a success has a status that is not documented": when(isRead, (scene) => withStatus(scene, 218)),
  "JSON says that it is HTML": when(isReadJson, (scene) =>
    withHeaders(scene, { "Content-Type": "text/html" }),
  ),
  "a JSON body ends in its middle": when(
    (scene) => isReadJson(scene) && scene.taped.bytes.length > 2,
    (scene) => ({
      ...withHeaders(scene, { "Content-Length": undefined }),
      bytes: scene.taped.bytes.slice(0, scene.taped.bytes.length >> 1),
    }),
  ),
  "an unknown identifier is answered 500": when(
    ({ taped }) => taped.status === 404,
    (scene) => withStatus(scene, 500),
  ),
  "401 does not say which credentials are wanted": when(isRefused, (scene) =>
    withHeaders(scene, { "WWW-Authenticate": undefined }),
  ),
  "the second page is the first one again": when(isRead, (scene) => {
    const rule = pageRule(scene);
    if (rule?.kind !== "page" || rule.index === undefined) return undefined;
    const from = String(rule.from === "either" ? 0 : (rule.from ?? 0));
    const index = scene.url.searchParams.get(rule.index);
    return index === null || index === from ? undefined : withQuery(scene, { [rule.index]: from });
  }),
  "the last row of a page is lost": (scene) => withRows(scene, 2, (rows) => rows.slice(0, -1)),
  "a row comes twice": (scene) =>
    withRows(scene, 2, ([first, ...rows]) => [first, first, ...rows.slice(1)]),
  "two rows change places": (scene) =>
    withRows(scene, 2, ([first, second, ...rows]) => [second, first, ...rows]),
  "a filter is ignored": when(isRead, (scene) => {
    const name = selectors(scene).find((one) => scene.url.searchParams.has(one));
    return name === undefined ? undefined : withQuery(scene, { [name]: undefined });
  }),
  "a total counts one more": when(isRead, (scene) => {
    const place = totalOf(scene);
    const total = place === undefined ? undefined : at(scene.json, place);
    return typeof total !== "number" || place === undefined
      ? undefined
      : withJson(scene, put(scene.json, place.split("/"), total + 1));
  }),
  "the second caller is answered as the first one": when(
    ({ who }) => who === "second",
    ({ like }) => like({ method: "GET" }),
  ),
  "without credentials the first caller's answer comes": when(
    (scene) => scene.who === "other" && isRefused(scene) && scene.request.method === "GET",
    ({ like }) => like({}),
  ),
  "HEAD is 404 where GET succeeds": when(
    ({ request, taped }) => request.method === "HEAD" && taped.status === 200,
    (scene) => withStatus(scene, 404),
  ),
  "an ETag stays the same for ever": when(
    (scene) => isRead(scene) && scene.taped.headers.has("ETag"),
    (scene) => withHeaders(scene, { ETag: '"self-test"' }),
  ),
  "wrong parameters succeed": when(
    ({ request, taped }) => request.method === "GET" && taped.status === 400,
    ({ success }) => success,
  ),
  "wrong bodies succeed": when(
    ({ request, taped }) => request.body !== "" && [400, 422].includes(taped.status),
    ({ success }) => success,
  ),
  "what is read by its key differs from its row in the list": when(isItem, (scene) => {
    const found = findField(
      scene,
      (name, value) => typeof value === "string" && !/id$|code$|at$|date|links/i.test(name),
    );
    return found && setField(scene, found, (text) => `${text} 2`);
  }),
  "what was created is not found": when(
    (scene) => isRead(scene) && isAt(scene.created, scene),
    (scene) => withStatus(scene, 404),
  ),
  "a change is confirmed and not kept": when(
    (scene) => isRead(scene) && isAt(scene.changed, scene),
    ({ before }) => before,
  ),
  "what was deleted is still there": when(
    (scene) => scene.request.method === "GET" && isAt(scene.deleted, scene),
    ({ before }) => before,
  ),
};
