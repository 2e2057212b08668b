// A POST may answer a thing that was there: the next of a queue, a free number, the one that has the same e-mail. None of them is changed.
import { expect, test } from "vitest";
import { toAnswer } from "../src/ask.ts";
import { createSecrets } from "../src/http/secrets.ts";
import { loadRelations } from "../src/index.ts";
import { createOwn } from "../src/own.ts";
import { derive } from "../src/relations/derive.ts";
import {
  type Asked,
  check,
  fields,
  inPath,
  isSignedIn,
  listOf,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
  toDocument,
} from "./styles.ts";

type Thing = Readonly<Record<string, unknown>>;
type Json = Readonly<Record<string, unknown>>;

interface Service {
  readonly things: readonly Thing[];
  readonly takes: Json;
  /** What a POST answers; undefined for what is created in the ordinary way. */
  readonly post: (body: Thing, things: Map<string, Thing>) => Reply;
}

const WORKER = { worker: { ...TEXT, minLength: 1 } };
const OLD = "2019-03-04T05:06:07Z";
const real = (count: number, toThing: (at: number) => Thing): readonly Thing[] =>
  Array.from({ length: count }, (_, at) => ({ id: String(at + 1), ...toThing(at + 1) }));

/** Gives the next free thing to the one who asks. */
const assign =
  (name: string, status: number, most = Infinity) =>
  (body: Thing, things: Map<string, Thing>): Reply => {
    const all = [...things.values()];
    const free = all.find((one) => one[name] === undefined);
    const isFull = all.filter((one) => one[name] !== undefined).length >= most;
    if (free === undefined || isFull) return { status: 409, body: { message: "you have one" } };
    const taken = { ...free, [name]: body[name] };
    things.set(String(free["id"]), taken);
    return { status, body: taken };
  };

const SERVICES: Readonly<Record<string, Service>> = {
  "the next of a queue, by 200": {
    things: real(20, (at) => ({ title: `real work ${at}` })),
    takes: WORKER,
    post: assign("worker", 200),
  },
  "the next of a queue, by 201": {
    things: real(20, (at) => ({ title: `real work ${at}` })),
    takes: WORKER,
    post: assign("worker", 201),
  },
  "one of a queue, and a second is refused": {
    things: real(20, (at) => ({ title: `real work ${at}` })),
    takes: WORKER,
    post: assign("worker", 201, 1),
  },
  "things of the same words, of other days": {
    things: real(20, (at) => ({ title: "call back", createdAt: OLD.replace("04", `0${at % 9}`) })),
    takes: WORKER,
    post: assign("worker", 201),
  },
  "a free number": {
    things: real(20, (at) => ({ number: `+49301234${at * 37 + 100}` })),
    takes: WORKER,
    post: assign("worker", 201),
  },
  "a free desk, known by numbers alone": {
    things: real(20, (at) => ({ desk: at * 37 + 100 })),
    takes: WORKER,
    post: assign("worker", 200),
  },
  "a singleton of the account, which takes the name": {
    things: [{ id: "me", name: "Jane", motto: "first of all" }],
    takes: { name: { ...TEXT, minLength: 1 } },
    post: (body, things) => {
      const one = { ...things.get("me"), ...body };
      things.set("me", one);
      return { status: 201, body: one };
    },
  },
  "the parent, which shows its last comment": {
    things: real(20, (at) => ({ title: `real post ${at}` })),
    takes: { text: { ...TEXT, minLength: 1 } },
    post: ({ text }, things) => {
      const parent = [...things.values()].find((one) => one["text"] === undefined);
      if (parent === undefined) return { status: 422, body: {} };
      const next = { ...parent, text };
      things.set(String(parent["id"]), next);
      return { status: 201, body: next };
    },
  },
  "the one that has the e-mail address": {
    things: [{ id: "7", email: "jane@example.org", name: "Jane Doe" }],
    takes: { email: { ...TEXT, format: "email", examples: ["jane@example.org"] } },
    post: ({ email }, things) => {
      const known = [...things.values()].find((one) => one["email"] === email);
      const made = known ?? { id: String(things.size + 100), email, name: "" };
      things.set(String(made["id"]), made);
      return { status: 200, body: made };
    },
  },
};

const ALLOW = { allow: "GET, HEAD, PATCH, DELETE" };
const OTHERS = { title: TEXT, number: TEXT, name: TEXT, motto: TEXT, createdAt: TEXT, text: TEXT };

function open({ things: seeds, takes, post }: Service) {
  const things = new Map(seeds.map((one) => [String(one["id"]), one]));
  const was = new Set(things.keys());
  const touched: string[] = [];
  let posts = 0;
  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const [, key] = steps;
    if (key === undefined) {
      const [name = ""] = Object.keys(takes);
      const sent = Object(body) as Thing;
      if (method !== "POST") return { status: 405, body: {}, headers: { allow: "POST" } };
      if (typeof sent[name] !== "string" || sent[name] === "") return { status: 400, body: {} };
      posts += 1;
      return post({ [name]: sent[name] }, things);
    }
    const thing = things.get(key);
    if (thing === undefined) return { status: 404, body: {} };
    if (method === "GET") return { status: 200, body: thing };
    if (!["PATCH", "DELETE"].includes(method)) return { status: 405, body: {}, headers: ALLOW };
    if (was.has(key)) touched.push(`${method} ${key}`);
    if (method === "DELETE") return { status: things.delete(key) ? 204 : 404 };
    things.set(key, { ...thing, ...Object(body) });
    return { status: 200, body: things.get(key) };
  };
  const thing = fields({ id: TEXT, ...OTHERS, desk: { type: "integer" }, ...takes }, ["id"]);
  const paths = {
    "/tasks": {
      post: operation("addTask", { 200: thing, 201: thing }, fields(takes, Object.keys(takes))),
    },
    "/tasks/{id}": {
      parameters: [inPath("id")],
      get: operation("getTask", { 200: thing }),
      patch: operation("patchTask", { 200: thing }, fields(takes)),
      delete: operation("deleteTask", { 204: null }),
    },
  };
  return { paths, reply, touched, posts: () => posts };
}

const RULES = [
  { lifecycle: { of: "addTask", read: "getTask", update: "patchTask", delete: "deleteTask" } },
];

test.each(Object.entries(SERVICES))("%s: nothing of others is touched", async (_name, service) => {
  const { paths, reply, touched, posts } = open(service);
  const report = await check(paths, reply, { mayWrite: true, rules: RULES });
  expect(touched).toEqual([]);
  expect(posts()).toBeGreaterThan(0);
  const told = report.skipped.filter((one) => one.operation === "patchTask");
  expect(told.map(({ why }) => why).join()).toContain("nothing of our own to try it on");
});

/** The natural key of a product, and what else it has; each service takes a POST with a known one for a change. */
const NATURAL: Readonly<
  Record<string, readonly [field: string, schema: Json, values: readonly unknown[]]>
> = {
  digits: ["sku", TEXT, ["12345", "23456", "34567", "45678"]],
  "digits of the document's example": ["sku", { ...TEXT, example: "12345" }, ["12345", "23456"]],
  capitals: ["code", TEXT, ["EUR", "USD", "GBP", "CHF"]],
  "a pattern": ["plate", { ...TEXT, pattern: "^[A-Z]{2}-\\d{4}$" }, ["AB-1234", "CD-2345"]],
  "an integer": ["number", { type: "integer" }, [1042, 1043, 1044]],
  "a date": ["day", { ...TEXT, format: "date" }, ["2026-03-02", "2026-03-03"]],
  "a moment": ["startsAt", TEXT, ["2026-03-02T10:00:00Z", "2026-03-03T10:00:00+01:00"]],
  "the key of another system": ["externalId", TEXT, ["a-1", "a-2", "a-3"]],
  "a UUID": [
    "reference",
    { ...TEXT, format: "uuid" },
    ["0b9d6a3c-5d2e-4c1f-8a7b-000000000001", "0b9d6a3c-5d2e-4c1f-8a7b-000000000002"],
  ],
};

function openShop([field, schema, values]: (typeof NATURAL)[string]) {
  const seeds = values.map((value, at) => ({ id: `p${at}`, [field]: value, title: "a product" }));
  const products = new Map<string, Thing & { readonly id: string }>(
    seeds.map((one) => [one.id, one]),
  );
  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const [, key] = steps;
    const sent = Object(body) as Thing;
    const isRight = typeof sent["title"] === "string" && typeof sent[field] === typeof values[0];
    if (key === undefined && method === "GET") return { status: 200, body: [...products.values()] };
    if (key === undefined) {
      // Rows alone tell what a title is.
      if (!isRight || sent["title"] !== "a product") return { status: 400, body: {} };
      const known = [...products.values()].find((one) => one[field] === sent[field]);
      const id = known?.id ?? `n${products.size}`;
      products.set(id, { ...sent, id });
      return { status: known === undefined ? 201 : 200, body: products.get(id) };
    }
    const product = products.get(key);
    if (product === undefined) return { status: 404, body: {} };
    if (method === "DELETE") return { status: products.delete(key) ? 204 : 404 };
    return { status: 200, body: product };
  };
  const takes = { [field]: schema, title: TEXT };
  const product = fields({ id: TEXT, ...takes }, ["id"]);
  const paths = {
    "/products": {
      get: operation("listProducts", { 200: listOf(product) }),
      post: operation(
        "putProduct",
        { 200: product, 201: product },
        fields(takes, [field, "title"]),
      ),
    },
    "/products/{id}": {
      parameters: [inPath("id")],
      get: operation("getProduct", { 200: product }),
      delete: operation("deleteProduct", { 204: null }),
    },
  };
  return { paths, reply, seeds, rest: () => [...products.values()] };
}

test.each(Object.entries(NATURAL))(
  "no body has the natural key of others, %s",
  async (_name, shop) => {
    const { paths, reply, seeds, rest } = openShop(shop);
    const report = await check(paths, reply, { mayWrite: true });
    expect(rest().slice(0, seeds.length)).toEqual(seeds);
    // A second POST of the body answers the same product, so nothing proves the first one.
    expect(rest().length).toBeGreaterThan(seeds.length);
    expect(report.left.map((one) => one.operation)).toContain("putProduct");
  },
);

/** What a run knows of products that it added: by POST, with their creations as they were answered. */
async function openOwn() {
  const thing = fields({ id: TEXT, sku: { ...TEXT, example: "12345" } }, ["id"]);
  const document = toDocument({
    "/products": { post: operation("addProduct", { 200: thing }, thing) },
    "/products/{id}": {
      parameters: [inPath("id")],
      delete: operation("deleteProduct", { 204: null }),
    },
  });
  const relations = await loadRelations(document);
  const derived = derive(document, relations);
  const own = createOwn({ document, relations, ...derived, mayWrite: true, mark: "probe-1" });
  const create = document.operations.get("addProduct");
  if (create === undefined) throw new Error("no operation addProduct");
  const add = (id: string, sku: string) => {
    const ask = { operation: create.id, body: { sku } };
    const sent = { method: "POST", url: "http://styles.test/products", headers: {} };
    const bytes = new TextEncoder().encode(JSON.stringify({ id, sku }));
    const headers = new Headers({ "content-type": "application/json" });
    const raw = { status: 200, headers, bytes, size: bytes.length, sha256: id, isCut: false };
    const answer = toAnswer(ask, { raw, sent, operation: create, isRead: true }, createSecrets());
    own.note(answer);
    return own.placesOf(answer);
  };
  return { own, add };
}

test("a proved creation says nothing of what has the value of an example", async () => {
  const { add } = await openOwn();
  expect(add("n1", "77777")).toBeUndefined();
  expect(add("n2", "77777")?.map(({ key }) => key)).toEqual(["n2"]);
  expect(add("n3", "88888")?.map(({ key }) => key)).toEqual(["n3"]);
  expect(add("p1", "12345")).toBeUndefined();
});

test("a new thing is compared with the one before, and with one of the same body", async () => {
  const { own, add } = await openOwn();
  for (const id of ["n1", "n2"]) add(id, "77777");
  add("n3", "88888");
  const [place] = add("n4", "77777") ?? [];
  if (place === undefined) throw new Error("n4 is no product of the run");
  expect(own.peersOf(place).map(({ key }) => key)).toEqual(["n3", "n1"]);
});
