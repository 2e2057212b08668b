// Where only a PUT makes things, at keys that clients choose: they are tried at keys of the check that GET answers 404 for.
import { expect, test } from "vitest";
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
} from "./styles.ts";

type Things = Map<string, Readonly<Record<string, unknown>>>;

const bucket = fields({ name: TEXT, note: TEXT }, ["name", "note"]);
const item = fields({ key: TEXT, value: TEXT }, ["key", "value"]);
const PATHS = {
  "/buckets": { get: operation("listBuckets", { 200: listOf(bucket) }) },
  "/buckets/{name}": {
    parameters: [inPath("name")],
    get: operation("getBucket", { 200: bucket }),
    put: operation("putBucket", { 200: bucket, 201: bucket }, fields({ note: TEXT }, ["note"])),
    delete: operation("deleteBucket", { 204: null }),
  },
  "/buckets/{name}/items/{key}": {
    parameters: [inPath("name"), inPath("key")],
    get: operation("getItem", { 200: item }),
    put: operation("putItem", { 200: item, 201: item }, fields({ value: TEXT }, ["value"])),
    delete: operation("deleteItem", { 204: null }),
  },
};
const LIFE = {
  of: "putBucket",
  read: "getBucket",
  update: "putBucket",
  delete: "deleteBucket",
  list: "listBuckets",
};

interface Habits {
  /** The status of what is new. */
  readonly made?: 200 | 201;
  /** Every key is there already, of somebody. */
  readonly isFull?: boolean;
  readonly loses?: boolean;
}

function serve({ made = 201, isFull = false, loses = false }: Habits) {
  const buckets: Things = new Map([["b0", { name: "b0", note: "of others" }]]);
  const items: Things = new Map([["b0/i0", { key: "i0", value: "of others" }]]);
  const mine = new Set<string>();
  const touched: string[] = [];
  const reply = (asked: Asked): Reply => {
    const { method, steps, body, headers } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const [, name, , key] = steps;
    if (name === undefined)
      return method === "GET"
        ? { status: 200, body: [...buckets.values()] }
        : { status: 405, headers: { allow: "GET, HEAD" } };
    const [all, id] = key === undefined ? [buckets, name] : [items, `${name}/${key}`];
    const known = all.get(id) ?? (isFull ? { name, note: "of somebody" } : undefined);
    const isWrite = ["POST", "PUT", "PATCH", "DELETE"].includes(method);
    if (isWrite && known !== undefined && !mine.has(id)) touched.push(`${method} ${id}`);
    if (key !== undefined && !buckets.has(name)) return { status: 404, body: {} };
    if (method === "GET") return known ? { status: 200, body: known } : { status: 404, body: {} };
    if (method === "DELETE") return all.delete(id) ? { status: 204 } : { status: 404, body: {} };
    if (method !== "PUT") return { status: 405, headers: { allow: "GET, HEAD, PUT, DELETE" } };
    if (!/^application\/json/i.test(headers.get("content-type") ?? ""))
      return { status: 415, body: {} };
    const field = key === undefined ? "note" : "value";
    const sent = typeof body === "object" && body !== null ? Reflect.get(body, field) : undefined;
    if (typeof sent !== "string") return { status: 400, body: {} };
    const text = loses && known !== undefined ? known[field] : sent;
    const thing = { ...(key === undefined ? { name } : { key }), [field]: text };
    all.set(id, thing);
    mine.add(id);
    return { status: known === undefined ? made : 200, body: thing };
  };
  return { reply, touched, rest: () => [...buckets.keys(), ...items.keys()] };
}

async function run(habits: Habits = {}) {
  const { reply, touched, rest } = serve(habits);
  const relations = { lists: { listBuckets: { key: "name" } } };
  const more = { mayWrite: true, rules: [{ lifecycle: LIFE }], relations };
  const report = await check(PATHS, reply, more);
  return { report, touched, rest: rest() };
}

test.each([200, 201] as const)("a whole life, %s for what is new", async (made) => {
  const { report, touched, rest } = await run({ made });
  expect({
    findings: report.findings.map(({ fault }) => fault),
    touched,
    left: report.left,
  }).toEqual({
    findings: [],
    touched: [],
    left: [],
  });
  expect(rest).toEqual(["b0", "b0/i0"]);
  const kept = report.kept.map(({ requirement, operation: id }) => `${requirement} ${id}`);
  expect(kept).toEqual(
    expect.arrayContaining([
      "lifecycle.create putBucket",
      "lifecycle.listed listBuckets",
      "lifecycle.update getBucket",
      "lifecycle.gone getBucket",
      "answer.success putItem",
      "auth.refused putItem",
    ]),
  );
});

test("a change that is lost is a finding", async () => {
  const { report } = await run({ loses: true });
  expect(report.findings.map(({ requirement }) => requirement)).toContain("lifecycle.update");
});

test("where every key has something, nothing is changed, and the report says why", async () => {
  const { report, touched } = await run({ isFull: true });
  expect(touched).toEqual([]);
  expect(report.unseen.map(({ operation: id, why }) => `${id}: ${why}`).join("\n")).toContain(
    "putBucket: nothing of our own to try it on",
  );
});
