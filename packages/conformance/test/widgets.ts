// A service of widgets in several styles, which keeps count of what it was asked to change that it had not created.
import {
  type Asked,
  check,
  type Checked,
  fields,
  inPath,
  isSignedIn,
  listOf,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
} from "./styles.ts";

type Thing = Readonly<Record<string, unknown>>;

export interface Style {
  readonly key: string;
  /** Around one thing, and around all. */
  readonly wrap: (thing: Thing) => unknown;
  readonly wrapAll: (things: readonly Thing[]) => unknown;
  readonly schema: (thing: object) => object;
  readonly listSchema: (thing: object) => object;
  /** What the creation answers. */
  readonly created: (thing: Thing, address: string) => Reply;
  readonly createdSchema: (thing: object) => object | null;
  readonly createdStatus: 200 | 201;
  readonly newKey: (count: number) => string | number;
  readonly seeds: readonly Thing[];
  /** What all paths end in. */
  readonly end?: "/";
}

const plain = (thing: Thing): unknown => thing;
const same = (schema: object) => schema;
const names = ["Ada", "Ben", "Cy", "Dot"];

export const PLAIN: Style = {
  key: "id",
  wrap: plain,
  wrapAll: (things) => ({ items: things }),
  schema: same,
  listSchema: (thing) => fields({ items: listOf({ ...thing }) }, ["items"]),
  created: (thing) => ({ status: 201, body: thing }),
  createdSchema: same,
  createdStatus: 201,
  newKey: (count) => `n${count}`,
  seeds: names.map((name, index) => ({ id: `t${index}`, name })),
};

export const STYLES: Readonly<Record<string, Style>> = {
  plain: PLAIN,
  "a key of another name, given by the Location alone": {
    ...PLAIN,
    key: "sku",
    wrapAll: (things) => things,
    listSchema: (thing) => listOf({ ...thing }),
    created: (_thing, address) => ({ status: 201, headers: { location: address } }),
    createdSchema: () => null,
    newKey: (count) => `X-${count}00`,
    seeds: names.map((name, index) => ({ sku: `W-${index}`, name })),
  },
  "an envelope beside scalars, 200 for what is created, numbers as keys": {
    ...PLAIN,
    wrap: (thing) => ({ ok: true, result: thing }),
    wrapAll: (things) => ({ ok: true, result: things }),
    schema: (thing) => fields({ ok: { type: "boolean" }, result: thing }),
    listSchema: (thing) => fields({ ok: { type: "boolean" }, result: listOf({ ...thing }) }),
    created: (thing) => ({ status: 200, body: { ok: true, result: thing } }),
    createdSchema: (thing) => fields({ ok: { type: "boolean" }, result: thing }),
    createdStatus: 200,
    newKey: (count) => 100 + count,
    seeds: names.map((name, index) => ({ id: index + 1, name })),
  },
  "all in one object by their keys, paths that end in a slash": {
    ...PLAIN,
    wrapAll: (things) => ({ all: Object.fromEntries(things.map((one) => [one["id"], one])) }),
    listSchema: () => fields({ all: { type: "object" } }, ["all"]),
    end: "/",
  },
  "one below data, at an address of another host": {
    ...PLAIN,
    wrap: (thing) => ({ data: thing }),
    wrapAll: (things) => ({ data: things }),
    schema: (thing) => fields({ data: thing }),
    listSchema: (thing) => fields({ data: listOf({ ...thing }) }),
    created: (thing, address) => ({
      status: 201,
      body: { data: thing },
      headers: { location: `https://inner.test:8443${address}` },
    }),
    createdSchema: (thing) => fields({ data: thing }),
  },
};

/** `/widgets` with parts and an action below each, a setting, and ways to lose everything at once. */
export function toPaths(style: Style) {
  const { key, schema, listSchema, createdSchema, createdStatus, seeds, end } = style;
  const type = { type: typeof seeds[0]?.[key] };
  const thing = fields({ [key]: type, name: TEXT }, [key, "name"]);
  const body = fields({ name: { ...TEXT, minLength: 1 } }, ["name"]);
  const wrapped = schema(thing) as Thing;
  const below = { parameters: [inPath("widgetKey", type)] };
  const paths: Readonly<Record<string, Thing>> = {
    "/widgets": {
      get: operation("listWidgets", { 200: listSchema(thing) as Thing }),
      post: operation("addWidget", { [createdStatus]: createdSchema(thing) as Thing }, body),
      delete: operation("clearWidgets", { 204: null }),
    },
    "/widgets/{widgetKey}": {
      ...below,
      get: operation("getWidget", { 200: wrapped }),
      put: operation("putWidget", { 200: wrapped, 201: wrapped }, body),
      patch: operation("patchWidget", { 200: wrapped }, body),
      delete: operation("deleteWidget", { 204: null }),
    },
    "/widgets/{widgetKey}/archive": { ...below, post: operation("archiveWidget", { 204: null }) },
    "/widgets/{widgetKey}/parts": {
      ...below,
      get: operation("listParts", { 200: listOf(fields({ id: TEXT }, ["id"])) }),
    },
    "/settings": { put: operation("putSettings", { 200: fields({}) }, fields({ theme: TEXT })) },
    "/widgets-reset": { post: operation("resetWidgets", { 204: null }) },
    "/accounts": { get: operation("listAccounts", { 200: listOf(fields({ id: type }, ["id"])) }) },
    "/accounts/{id}": {
      parameters: [inPath("id", type)],
      get: operation("getAccount", { 200: fields({ id: type }, ["id"]) }),
      delete: operation("deleteAccount", { 204: null }),
    },
  };
  return end === undefined
    ? paths
    : Object.fromEntries(Object.entries(paths).map(([path, item]) => [`${path}${end}`, item]));
}

export const RULES = [
  {
    lifecycle: {
      of: "addWidget",
      read: "getWidget",
      update: "putWidget",
      delete: "deleteWidget",
      list: "listWidgets",
    },
  },
  { sameAs: { of: "getWidget", as: "listWidgets" } },
  { echo: { of: "addWidget", body: "all" } },
];

export type Faults = Partial<Record<"anybody" | "lenient" | "getOrCreate" | "upsert", true>>;

/** Ways in which a careless check would do harm. */
export const HARM = [
  ["as it should be", {}],
  ["writes need no credentials", { anybody: true }],
  ["a key is read as far as it is one", { lenient: true }],
  ["what is created is what was there", { getOrCreate: true }],
] as const;

const OTHER_METHOD: Reply = {
  status: 405,
  body: {},
  headers: { allow: "GET, HEAD, POST, PUT, PATCH, DELETE" },
};

/** What a service of a style does, and what it was asked to change that it had not created for the check. */
export function open({ key, seeds, newKey, wrap, wrapAll, created }: Style, faults: Faults) {
  const things = new Map(seeds.map((thing) => [String(thing[key]), thing]));
  const mine = new Set<string>();
  const touched: string[] = [];

  const create = (name: unknown): Reply => {
    const thing = faults.getOrCreate ? seeds[0] : { [key]: newKey(mine.size + 1), name };
    const text = String(thing?.[key]);
    if (!faults.getOrCreate) mine.add(text);
    things.set(text, thing ?? {});
    return created(thing ?? {}, `/widgets/${text}`);
  };

  const change = (text: string, method: string, name: unknown): Reply => {
    const thing = { ...things.get(text), ...(method === "DELETE" ? {} : { name }) };
    if (method === "DELETE") things.delete(text);
    else things.set(text, thing);
    return method === "DELETE" ? { status: 204 } : { status: 200, body: wrap(thing) };
  };

  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    const [collection, given, below] = steps;
    const text = faults.lenient ? given?.replace(/[a-z]$/, "") : given;
    const isWrite = ["POST", "PUT", "PATCH", "DELETE"].includes(method);
    const isCreation = collection === "widgets" && given === undefined && method === "POST";
    if (isWrite && !isCreation && !(collection === "widgets" && mine.has(text ?? "")))
      touched.push(`${method} /${steps.join("/")}`);
    if (!isSignedIn(asked) && !(faults.anybody && isWrite)) return SIGN_IN;
    const type = asked.headers.get("content-type") ?? "application/json";
    if (!/^application\/json/i.test(type)) return { status: 415, body: {} };
    const name = typeof body === "object" && body !== null ? Reflect.get(body, "name") : undefined;
    const isRight = typeof name === "string" && name !== "";
    // Accounts have the keys that the next things get.
    if (collection === "accounts") {
      const ids = [1, 2, 3, 4].map(newKey);
      if (method !== "GET") return OTHER_METHOD;
      if (given === undefined) return { status: 200, body: ids.map((id) => ({ id })) };
      const id = ids.find((one) => String(one) === given);
      return id === undefined ? { status: 404, body: {} } : { status: 200, body: { id } };
    }
    if (collection !== "widgets") return isWrite ? { status: 204 } : { status: 404, body: {} };
    if (text === undefined && method === "GET")
      return { status: 200, body: wrapAll([...things.values()]) };
    if (text === undefined)
      return method !== "POST" ? OTHER_METHOD : isRight ? create(name) : { status: 400, body: {} };
    const thing = things.get(text);
    if (thing === undefined) {
      if (!faults.upsert || method !== "PUT" || !isRight) return { status: 404, body: {} };
      things.set(text, { [key]: text });
      return { ...change(text, method, name), status: 201 };
    }
    if (below === "parts")
      return method === "GET" ? { status: 200, body: [{ id: "p1" }] } : OTHER_METHOD;
    if (below === "archive") return method === "POST" ? { status: 204 } : OTHER_METHOD;
    if (method === "GET") return { status: 200, body: wrap(thing) };
    if (!isWrite || method === "POST") return OTHER_METHOD;
    return method === "DELETE" || isRight ? change(text, method, name) : { status: 400, body: {} };
  };
  return { reply, touched, rest: () => [...things.values()] };
}

export async function run(style: Style, faults: Faults, more: Checked = {}) {
  const { reply, touched, rest } = open(style, faults);
  const report = await check(toPaths(style), reply, { mayWrite: true, rules: RULES, ...more });
  return { report, touched, rest: rest(), seeds: style.seeds };
}
