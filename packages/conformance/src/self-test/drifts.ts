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

interface MechanicalDrift {
  readonly says: string;
  /** Undefined if the drift cannot be inserted. */
  readonly change: (scene: Scene) => Taped | undefined;
}

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

export const drifts: readonly MechanicalDrift[] = [
  {
    says: "a required field is lost in one row",
    change: (scene) => {
      const name = requiredOf(scene);
      return name === undefined
        ? undefined
        : withOne(scene, ({ [name]: _lost, ...others }) => others);
    },
  },
  {
    says: "a row has a field that is not documented",
    change: (scene) => withOne(scene, (one) => ({ ...one, notDocumented: 1 })),
  },
  {
    says: "a number or boolean comes as a text",
    change: (scene) => {
      const name = Object.entries(isObject(scene.json) ? scene.json : {}).find(
        ([, value]) => typeof value === "number" || typeof value === "boolean",
      )?.[0];
      return name === undefined || !isItem(scene)
        ? undefined
        : withOne(scene, (one) => ({ ...one, [name]: String(one[name]) }));
    },
  },
  {
    says: "a success has a status that is not documented",
    change: (scene) => (isRead(scene) ? { ...scene.taped, status: 218 } : undefined),
  },
  {
    says: "JSON says that it is HTML",
    change: (scene) =>
      isRead(scene) && scene.json !== undefined
        ? withHeaders(scene, { "Content-Type": "text/html" })
        : undefined,
  },
  {
    says: "a JSON body ends in its middle",
    change: (scene) =>
      isRead(scene) && scene.json !== undefined && scene.taped.bytes.length > 2
        ? {
            ...withHeaders(scene, { "Content-Length": undefined }),
            bytes: scene.taped.bytes.slice(0, scene.taped.bytes.length >> 1),
          }
        : undefined,
  },
  {
    says: "an unknown identifier is answered 500",
    change: ({ taped }) => (taped.status === 404 ? { ...taped, status: 500 } : undefined),
  },
  {
    says: "401 does not say which credentials are wanted",
    change: (scene) =>
      scene.taped.status === 401
        ? withHeaders(scene, { "WWW-Authenticate": undefined })
        : undefined,
  },
  {
    says: "the second page is the first one again",
    change: (scene) => {
      const rule = pageRule(scene);
      if (rule?.kind !== "page" || rule.index === undefined) return undefined;
      const from = String(rule.from === "either" ? 0 : (rule.from ?? 0));
      const index = scene.url.searchParams.get(rule.index);
      return index === null || index === from || !isRead(scene)
        ? undefined
        : withQuery(scene, { [rule.index]: from });
    },
  },
  {
    says: "the last row of a page is lost",
    change: (scene) => withRows(scene, 2, (rows) => rows.slice(0, -1)),
  },
  {
    says: "a row comes twice",
    change: (scene) => withRows(scene, 2, ([first, ...rows]) => [first, first, ...rows.slice(1)]),
  },
  {
    says: "two rows change places",
    change: (scene) => withRows(scene, 2, ([first, second, ...rows]) => [second, first, ...rows]),
  },
  {
    says: "a filter is ignored",
    change: (scene) => {
      const name = selectors(scene).find((one) => scene.url.searchParams.has(one));
      return name === undefined || !isRead(scene)
        ? undefined
        : withQuery(scene, { [name]: undefined });
    },
  },
  {
    says: "a total counts one more",
    change: (scene) => {
      const rules = scene.relations.rules.filter(({ of }) =>
        of.includes(scene.operation?.id ?? ""),
      );
      const place = rules.flatMap((rule) =>
        rule.kind === "page" || rule.kind === "count" ? [rule.total] : [],
      )[0];
      const total = place === undefined ? undefined : at(scene.json, place);
      return typeof total !== "number" || place === undefined || !isRead(scene)
        ? undefined
        : withJson(scene, put(scene.json, place.split("/"), total + 1));
    },
  },
  {
    says: "the second caller is answered as the first one",
    change: (scene) => (scene.who === "second" ? scene.like({ method: "GET" }) : undefined),
  },
  {
    says: "without credentials the first caller's answer comes",
    change: (scene) =>
      scene.who === "other" && scene.taped.status === 401 && scene.request.method === "GET"
        ? scene.like({})
        : undefined,
  },
  {
    says: "HEAD is 404 where GET succeeds",
    change: ({ request, taped }) =>
      request.method === "HEAD" && taped.status === 200 ? { ...taped, status: 404 } : undefined,
  },
  {
    says: "an ETag stays the same for ever",
    change: (scene) =>
      isRead(scene) && scene.taped.headers.has("ETag")
        ? withHeaders(scene, { ETag: '"self-test"' })
        : undefined,
  },
  {
    says: "wrong parameters succeed",
    change: ({ request, taped, success }) =>
      request.method === "GET" && taped.status === 400 ? success : undefined,
  },
  {
    says: "wrong bodies succeed",
    change: ({ request, taped, success }) =>
      request.body !== "" && [400, 422].includes(taped.status) ? success : undefined,
  },
  {
    says: "what is read by its key differs from its row in the list",
    change: (scene) =>
      isItem(scene)
        ? withOne(scene, (one) => {
            const name = Object.entries(one).find(
              ([key, value]) => typeof value === "string" && !/id$|code$|at$|date|links/i.test(key),
            )?.[0];
            return name === undefined ? one : { ...one, [name]: `${String(one[name])} 2` };
          })
        : undefined,
  },
  {
    says: "what was created is not found",
    change: (scene) =>
      isRead(scene) && scene.created.has(scene.url.pathname)
        ? { ...scene.taped, status: 404 }
        : undefined,
  },
  {
    says: "a change is confirmed and not kept",
    change: (scene) =>
      isRead(scene) && scene.changed.has(scene.url.pathname) ? scene.before : undefined,
  },
  {
    says: "what was deleted is still there",
    change: (scene) =>
      scene.request.method === "GET" && scene.deleted.has(scene.url.pathname)
        ? scene.before
        : undefined,
  },
];
