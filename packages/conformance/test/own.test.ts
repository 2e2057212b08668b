// Whatever a document, relations and answers say: nothing is changed that the check did not create. Other styles of services are
// in own.verify.ts.
import { describe, expect, test } from "vitest";
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
import { HARM, open, PLAIN, RULES, run, STYLES, type Style, toPaths } from "./widgets.ts";

test.each(HARM)("%s: nothing of others is touched", async (_about, faults) => {
  const { touched, rest, seeds, report } = await run(PLAIN, faults);
  expect(touched).toEqual([]);
  expect(rest).toEqual(seeds);
  expect(report.left).toEqual([]);
});

test("what no list showed is not taken for created, whatever the status says", async () => {
  const { reply, touched, rest } = open(PLAIN, { getOrCreate: true });
  const withFew = (asked: Asked): Reply => {
    const came = reply(asked);
    const isList = asked.method === "GET" && asked.steps.join() === "widgets";
    return isList && came.status === 200
      ? { ...came, body: PLAIN.wrapAll(PLAIN.seeds.slice(1)) }
      : came;
  };
  const report = await check(toPaths(PLAIN), withFew, { mayWrite: true, rules: RULES });
  expect(touched).toEqual([]);
  expect(rest()).toEqual(PLAIN.seeds);
  const why = "its answer, 201, does not say whether it was created";
  expect(report.left).toEqual([{ operation: "addWidget", what: ["/widgets/t0"], why }]);
});

test("a PUT that creates what was deleted is lawful where the document says so, and is deleted again", async () => {
  const { report, touched, rest, seeds } = await run(PLAIN, { upsert: true });
  expect(report.findings).toEqual([]);
  expect(touched).toEqual([]);
  expect(rest.map(({ name }) => name)).toEqual(seeds.map(({ name }) => name));
});

test("where nothing can be created, nothing is changed, and the report says so", async () => {
  const { "/widgets": widgets, ...others } = toPaths(PLAIN);
  const { reply, touched } = open(PLAIN, {});
  const paths = { "/widgets": { ...widgets, post: undefined }, ...others };
  const report = await check(paths, reply, { mayWrite: true });
  // A PUT at a key of the check might create: it is tried once, and refused.
  expect(touched.filter((one) => !/^PUT \/widgets\/probe-[-\da-f]+$/.test(one))).toEqual([]);
  expect(touched.length).toBeLessThanOrEqual(2);
  expect(report.reason).toBeUndefined();
  expect(report.findings).toEqual([]);
  expect(new Set(report.unseen.map(({ why }) => why))).toEqual(
    new Set(["nothing of our own to try it on"]),
  );
  expect(report.unseen.map((one) => one.operation)).toContain("deleteAccount");
});

test("no rule, list or source of values leads to a write of something else", async () => {
  const { reply, touched } = open(PLAIN, { anybody: true });
  const rules = [
    ...RULES,
    { stable: { of: ["putSettings", "clearWidgets", "resetWidgets", "archiveWidget"] } },
    { echo: { of: "putSettings", body: "all" } },
    { perCaller: { of: ["deleteWidget", "clearWidgets"], made: "addWidget", between: "disjoint" } },
    { perCaller: { of: "deleteAccount", made: "addWidget", between: "disjoint" } },
    { distinct: { of: "archiveWidget" } },
  ];
  const relations = {
    lists: { clearWidgets: { items: "items" }, resetWidgets: { items: "" } },
    values: { widgetKey: "clearWidgets", id: "listWidgets" },
  };
  const second = { headers: { Authorization: "Bearer another-one-of-ours" } };
  const more = { mayWrite: true, rules, relations, target: { second } };
  await check(toPaths(PLAIN), reply, more);
  expect(touched).toEqual([]);
});

test("what is declared safe is sent, and without leave nothing else", async () => {
  const { reply, touched } = open(PLAIN, {});
  await check(toPaths(PLAIN), reply, { rules: RULES, relations: { safe: "resetWidgets" } });
  expect([...new Set(touched)]).toEqual(["POST /widgets-reset"]);
});

test("the key of what is below something is never taken for a key of that", async () => {
  const part = fields({ id: TEXT, name: TEXT }, ["id", "name"]);
  const takes = fields({ name: { ...TEXT, minLength: 1 } }, ["name"]);
  const inWidget = [inPath("widgetKey")];
  const paths = {
    ...toPaths(PLAIN),
    "/widgets/{widgetKey}/parts": {
      parameters: inWidget,
      get: operation("listParts", { 200: listOf(part) }),
      post: operation("addPart", { 201: part }, takes),
    },
    "/widgets/{widgetKey}/parts/{partId}": {
      parameters: [...inWidget, inPath("partId")],
      get: operation("getPart", { 200: part }),
    },
  };
  const { reply } = open(PLAIN, {});
  const parts: { id: string; name: unknown }[] = [];
  const asked: string[] = [];
  const withParts = (one: Asked): Reply => {
    const { method, steps, body } = one;
    asked.push(`${method} ${steps[1] ?? ""}`);
    if (steps[2] !== "parts" || !isSignedIn(one)) return reply(one);
    if (method === "GET" && steps[3] === undefined) return { status: 200, body: parts };
    const found = parts.find(({ id }) => id === steps[3]);
    if (method === "GET") return found ? { status: 200, body: found } : { status: 404, body: {} };
    const name = (body as { name?: unknown } | undefined)?.name;
    if (method !== "POST" || typeof name !== "string" || name === "") return reply(one);
    parts.push({ id: `part-${parts.length}`, name });
    return { status: 201, body: parts.at(-1) };
  };
  const rules = [...RULES, { lifecycle: { of: "addPart", read: "getPart", list: "listParts" } }];
  await check(paths, withParts, { mayWrite: true, rules });
  expect(parts.length).toBeGreaterThan(0);
  expect(asked.filter((one) => one.includes("part-"))).toEqual([]);
});

/** A service that answers 200 to a creation. */
async function checkOk(change = (body: unknown): unknown => body) {
  const { reply, rest } = open(PLAIN, {});
  const withOk = (asked: Asked): Reply => {
    const came = reply(asked);
    return came.status === 201 ? { status: 200, body: change(came.body), headers: {} } : came;
  };
  const report = await check(toPaths(PLAIN), withOk, { mayWrite: true });
  return { left: report.left, rest: rest() };
}

test("what a creation that answers 200 gave is the run's, as the same body has another key each time", async () => {
  expect(await checkOk()).toEqual({ left: [], rest: PLAIN.seeds });
});

test("what may have been created is named, where its answer does not say so, and not tried again", async () => {
  const { left } = await checkOk((body) => ({ ...Object(body), id: "unlisted" }));
  expect(left).toEqual([
    {
      operation: "addWidget",
      why: "its answer, 200, does not say whether it was created",
      what: ["/widgets/unlisted"],
    },
  ]);
});

test("what is done below a collection never names what was there", async () => {
  const ids = fields({ ids: listOf(TEXT) }, ["ids"]);
  const from = { in: "query", name: "from", required: true, schema: TEXT };
  const paths = {
    ...toPaths(PLAIN),
    "/widgets/bulk-delete": { post: operation("bulkDelete", { 200: fields({}) }, ids) },
    "/widgets/{widgetKey}/merge": {
      parameters: [inPath("widgetKey"), from],
      post: operation("mergeWidget", { 200: fields({}) }, fields({ into: TEXT }, ["into"])),
    },
  };
  const { reply } = open(PLAIN, {});
  const sent: string[] = [];
  const withMore = (one: Asked): Reply => {
    const isMore = one.method === "POST" && /bulk|merge/.test(one.steps.join());
    if (isMore) sent.push(`${JSON.stringify(one.body)} ${one.query.toString()}`);
    return isMore && isSignedIn(one) ? { status: 200, body: {} } : reply(one);
  };
  const rules = [...RULES, { echo: { of: "bulkDelete", body: "all" } }];
  const source = "listWidgets#items/*/id";
  const relations = { values: { from: source, into: source, ids: source } };
  await check(paths, withMore, { mayWrite: true, rules, relations });
  expect(sent.filter((one) => /\bt\d\b/.test(one))).toEqual([]);
  // What the check created is named all the same.
  expect(sent.some((one) => /from=n\d/.test(one))).toBe(true);
});

const NUMBERS = "an envelope beside scalars, 200 for what is created, numbers as keys";

/** Each change answers the key of a thing that was there: of an event or a job, for one. */
async function checkOther(style: Style, { isListed = true, isAway = false } = {}) {
  const { reply, touched, rest } = open(style, {});
  const [other = {}, ...listed] = style.seeds;
  const away = new Set<string>();
  const report = await check(
    toPaths(style),
    (asked) => {
      const { method, steps } = asked;
      const [, key = ""] = steps;
      if (away.has(key) && isSignedIn(asked)) return { status: 404, body: {} };
      const came = reply(asked);
      if (["PUT", "PATCH"].includes(method) && came.status === 200) {
        if (isAway) away.add(key);
        return { ...came, body: style.wrap({ ...other, name: "changed" }) };
      }
      const isList = method === "GET" && steps.join() === "widgets" && came.status === 200;
      return isList && !isListed ? { ...came, body: style.wrapAll(listed) } : came;
    },
    { mayWrite: true, rules: RULES },
  );
  return { report, touched, rest: rest().filter((one) => !style.seeds.includes(one)), away };
}

describe.each([
  ["text", PLAIN],
  ["a number", STYLES[NUMBERS] ?? PLAIN],
])("a change that answers the key of another thing, %s", (_name, style) => {
  test.each([true, false])("leads to no write of that (listed: %s)", async (isListed) => {
    const { report, touched, rest } = await checkOther(style, { isListed });
    expect({ touched, rest, left: report.left }).toEqual({ touched: [], rest: [], left: [] });
  });

  test.each([true, false])(
    "nor where the own one went elsewhere, which is named (listed: %s)",
    async (isListed) => {
      const { report, touched, rest, away } = await checkOther(style, { isListed, isAway: true });
      expect(touched).toEqual([]);
      expect(away.size).toBeGreaterThan(0);
      const named = report.left.flatMap(({ what }) => what);
      expect(named.toSorted()).toEqual(
        rest.map((one) => `/widgets/${String(one[style.key])}`).toSorted(),
      );
      expect(report.left.map(({ why }) => why).join()).toContain("may be that of something else");
    },
  );
});

test("a row that somebody else creates meanwhile is not claimed, where what was sent has no name", async () => {
  const kind = { type: "string", enum: ["open"] };
  const thing = fields({ id: TEXT, kind }, ["id", "kind"]);
  const paths = {
    "/jobs": {
      get: operation("listJobs", { 200: listOf(thing) }),
      post: operation("addJob", { 204: null }, fields({ kind }, ["kind"])),
    },
    "/jobs/{id}": {
      parameters: [inPath("id")],
      get: operation("getJob", { 200: thing }),
      delete: operation("deleteJob", { 204: null }),
    },
  };
  const jobs = [{ id: "j0", kind: "open" }];
  const deleted: string[] = [];
  const reply = (asked: Asked): Reply => {
    const { method, steps } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const [, id] = steps;
    if (id === undefined && method === "GET") return { status: 200, body: jobs };
    if (id === undefined && method === "POST") {
      // Its own is made later.
      jobs.push({ id: `other-${jobs.length}`, kind: "open" });
      return { status: 204 };
    }
    const job = jobs.find((one) => one.id === id);
    if (job === undefined) return { status: 404, body: {} };
    if (method === "DELETE") deleted.push(job.id);
    return method === "DELETE" ? { status: 204 } : { status: 200, body: job };
  };
  const rules = [
    { lifecycle: { of: "addJob", read: "getJob", delete: "deleteJob", list: "listJobs" } },
  ];
  const report = await check(paths, reply, { mayWrite: true, rules });
  expect(jobs.length).toBeGreaterThan(1);
  expect(deleted).toEqual([]);
  expect(report.left.map(({ operation: id }) => id)).toContain("addJob");
});

test("a key that the schema gives as its example is no proof of a creation", async () => {
  const code = { type: "string", pattern: "^[A-Z]{3}$", examples: ["EUR"] };
  const thing = fields({ code, name: TEXT }, ["code", "name"]);
  const paths = {
    "/codes": {
      get: operation("listCodes", { 200: listOf(thing) }),
      post: operation("addCode", { 200: thing }, thing),
    },
    "/codes/{code}": {
      parameters: [inPath("code", code)],
      get: operation("getCode", { 200: thing }),
      delete: operation("deleteCode", { 204: null }),
    },
  };
  const written: string[] = [];
  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const there = { code: "EUR", name: "Euro" };
    if (method === "POST" && steps[1] === undefined)
      return JSON.stringify(body ?? "").includes('"EUR"')
        ? { status: 200, body: there }
        : { status: 400, body: {} };
    if (method === "DELETE") written.push(steps.join("/"));
    // No list shows it.
    if (steps[1] === undefined) return { status: 200, body: [] };
    return steps[1] === "EUR" ? { status: 200, body: there } : { status: 404, body: {} };
  };
  await check(paths, reply, { mayWrite: true });
  expect(written).toEqual([]);
});

test("the parts of a thing may be called as anything: a list of them names no other thing", async () => {
  const field = fields({ name: TEXT }, ["name"]);
  const table = fields({ name: TEXT, fields: listOf(field) }, ["name", "fields"]);
  const takes = fields({ fields: listOf(field) }, ["fields"]);
  const inTable = [inPath("table")];
  const paths = {
    "/tables": {
      get: operation("listTables", { 200: listOf(table) }),
      post: operation("addTable", { 201: table }, table),
    },
    "/tables/{table}": {
      parameters: inTable,
      get: operation("getTable", { 200: table }),
      patch: operation("addFields", { 200: table }, takes),
      delete: operation("deleteTable", { 204: null }),
    },
  };
  const tables = new Map([["t0", { name: "t0", fields: [{ name: "title" }] }]]);
  const changed: string[] = [];
  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const [, name = ""] = steps;
    const one = tables.get(name);
    if (name !== "" && one === undefined) return { status: 404, body: {} };
    if (method === "GET") return { status: 200, body: one ?? [...tables.values()] };
    if (method === "DELETE") return { status: tables.delete(name) ? 204 : 404 };
    const sent = Object(body) as { name?: string; fields?: { name: string }[] };
    if (!Array.isArray(sent.fields)) return { status: 400, body: {} };
    const key = one?.name ?? sent.name ?? "";
    if (one !== undefined) changed.push(name);
    if (one === undefined && (key === "" || tables.has(key))) return { status: 409, body: {} };
    tables.set(key, { name: key, fields: sent.fields });
    return { status: one === undefined ? 201 : 200, body: tables.get(key) };
  };
  const report = await check(paths, reply, { mayWrite: true });
  expect(report.unseen).toEqual([]);
  expect(changed.length).toBeGreaterThan(0);
  expect([...new Set(changed)].filter((one) => !one.startsWith("probe-"))).toEqual([]);
  expect([...tables.keys()]).toEqual(["t0"]);
});
