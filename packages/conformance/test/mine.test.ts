// Guesses that were tried on live answers: which become rules, which comments, and that the file reads back and raises no alarm.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkApi, loadRelations, mineRelations } from "../src/index.ts";
import { serve as servePages, STYLES, toPaths } from "./page-styles.ts";
import {
  type Asked,
  fields,
  inPath,
  isSignedIn,
  listOf,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
  toDocument,
  toFetch,
  TOKEN,
} from "./styles.ts";

type Json = Readonly<Record<string, unknown>>;

const target = (reply: (asked: Asked) => Reply) => ({
  baseUrl: "http://mine.test",
  first: { headers: { Authorization: `Bearer ${TOKEN}` } },
  fetch: toFetch(reply),
});

/** The mined file, its rules as they read back, and what a check by it finds of another service. */
async function mine(paths: Json, reply: (asked: Asked) => Reply, mayWrite = false) {
  const document = toDocument(paths);
  const found = await mineRelations({
    document,
    relations: await loadRelations(document),
    target: target(reply),
    options: { mayWrite },
  });
  const folder = await mkdtemp(join(tmpdir(), "mine-"));
  const file = join(folder, "relations.yaml");
  await writeFile(file, found.text);
  const relations = await loadRelations(document, [file]);
  await rm(folder, { recursive: true });
  const lines = found.text.split("\n");
  return {
    ...found,
    relations,
    ruled: relations.rules.map(({ kind, of }) => `${kind} ${of.join()}`),
    comments: lines.filter((line) => /^# {2}- \w+:/.test(line)),
    check: async (other: (asked: Asked) => Reply = reply) =>
      await checkApi({ document, relations, target: target(other), options: { mayWrite } }),
  };
}

describe.each(Object.entries(STYLES))("pages: %s", (_name, style) => {
  test("the walk decides which style it is, and the clean service has no finding", async () => {
    const { ruled, text, check } = await mine(toPaths(style), servePages(style));
    expect(ruled, text).toContain("page listThings");
    const { findings, verdict } = await check();
    expect([findings, verdict]).toEqual([[], "kept"]);
    const lossy = servePages(style, {
      cut: (from, size, all) =>
        all.filter(({ id }) => size > 9 || id !== "t5").slice(from, from + size),
    });
    expect((await check(lossy)).findings.map(({ requirement }) => requirement)).toContain(
      "page.whole",
    );
  });
});

interface Row {
  readonly id: string;
  readonly city: string;
  readonly kind: string;
  readonly size: number;
  readonly note: string;
}

const CITIES = ["Northam", "Northampton", "Kings Norton", "Southam", "Eastport", "Westport"];
const ROWS: readonly Row[] = Array.from({ length: 12 }, (_, index) => ({
  id: `r${(index * 5) % 12}`,
  city: CITIES[index % 6] ?? "",
  kind: ["open", "shut", "lost"][index % 3] ?? "",
  size: (index * 7) % 12,
  note: `note ${index}`,
}));

const ROW = fields({ id: TEXT, city: TEXT, kind: TEXT, size: { type: "integer" }, note: TEXT }, [
  "id",
]);
const inQuery = (name: string, schema: object = TEXT) => ({ in: "query", name, schema });
const toRows = (parameters: readonly object[], more: object = {}) => ({
  "/rows": {
    get: {
      ...operation("listRows", { 200: fields({ rows: listOf(ROW) }, ["rows"]) }),
      parameters,
      ...more,
    },
  },
  "/rows/{id}": {
    get: { ...operation("getRow", { 200: ROW }), parameters: [inPath("id")] },
  },
});

const serve =
  (
    select: (rows: readonly Row[], query: URLSearchParams) => readonly unknown[] = (rows) => rows,
    all: () => readonly Row[] = () => ROWS,
  ) =>
  (asked: Asked): Reply => {
    if (!isSignedIn(asked)) return SIGN_IN;
    if (asked.method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
    const [, id] = asked.steps;
    if (id === undefined) return { status: 200, body: { rows: select(all(), asked.query) } };
    const row = all().find((one) => one.id === id);
    return row === undefined ? { status: 404, body: {} } : { status: 200, body: row };
  };

const byText =
  (isMatch: (city: string, asked: string) => boolean) =>
  (rows: readonly Row[], query: URLSearchParams): readonly Row[] =>
    rows.filter(({ city }) => isMatch(city.toLowerCase(), (query.get("city") ?? "").toLowerCase()));

test.each<readonly [way: string, isMatch: (city: string, asked: string) => boolean]>([
  ["contains", (city, asked) => city.includes(asked)],
  ["prefix", (city, asked) => city.startsWith(asked)],
  ["equals", (city, asked) => asked === "" || city === asked],
])("a filter of a text is tried with parts of it: %s", async (way, isMatch) => {
  const { relations, check, text } = await mine(toRows([inQuery("city")]), serve(byText(isMatch)));
  const filters = relations.rules.filter(({ kind }) => kind === "filter");
  expect(filters, text).toMatchObject([
    { by: ["city"], field: ["city"], ...(way !== "equals" && { match: way }) },
  ]);
  expect((await check()).findings).toEqual([]);
  const ignored = await check(serve());
  expect(ignored.findings.map(({ requirement }) => requirement)).toContain("filter.match");
});

test.each<readonly [first: number, schema: object]>([
  [0, { type: "integer", minimum: 0 }],
  [0, { type: "integer", default: 0 }],
  [1, { type: "integer", minimum: 0, default: 1 }],
  [1, { type: "integer", minimum: 1 }],
  [1, { type: "integer", minimum: 0 }],
])("pages are counted from %i, as the service does: %j", async (first, schema) => {
  const index = { ...inQuery("pageIndex", schema), required: true };
  const { relations, text } = await mine(
    toRows([index]),
    serve((rows, query) => {
      const from = (Number(query.get("pageIndex") ?? first) - first) * 5;
      return from < 0 ? rows.slice(0, 5) : rows.slice(from, from + 5);
    }),
  );
  expect(
    relations.rules.filter(({ kind }) => kind === "page"),
    text,
  ).toMatchObject([{ index: "pageIndex", from: first }]);
});

test("a projection that is ignored is a comment that says so; one that works is a rule", async () => {
  const paths = toRows([inQuery("fields")]);
  const { ruled, text } = await mine(paths, serve());
  expect(ruled).not.toContain("projection listRows");
  expect(text).toMatch(/# .*with fields=id,city come 3 other fields, such as "kind"/);
  const working = serve((rows, query) => {
    const asked = query.get("fields")?.split(",") ?? [];
    const names = ["id", ...asked.filter((name) => name in (rows[0] ?? {}))];
    const isShown = (name: string) => names.length === 1 || names.includes(name);
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => isShown(name))),
    );
  });
  const found = await mine(paths, working);
  expect(found.ruled).toContain("projection listRows");
  expect((await found.check()).findings).toEqual([]);
  expect((await found.check(serve())).findings.map(({ requirement }) => requirement)).toContain(
    "projection.others",
  );
});

test("an order that nobody promised is a comment, one that is asked for or promised a rule", async () => {
  const bySize = serve((rows) => rows.toSorted((one, other) => one.size - other.size));
  const plain = await mine(toRows([]), bySize);
  expect(plain.ruled).toEqual(["sameAs getRow"]);
  expect(plain.comments).toEqual([
    "#  - order: { of: listRows, by: size } # the document promises no order",
  ]);
  const promised = await mine(toRows([], { description: "Sorted by size." }), bySize);
  expect(promised.ruled).toContain("order listRows");
  const sort = inQuery("sort", { type: "string", enum: ["size", "-size", "rank"] });
  const sorting = serve((rows, query) => {
    const sign = query.get("sort")?.startsWith("-") === true ? -1 : 1;
    return query.has("sort") ? rows.toSorted((one, other) => (one.size - other.size) * sign) : rows;
  });
  const asked = await mine(toRows([sort]), sorting);
  expect(asked.ruled.filter((one) => one === "order listRows")).toHaveLength(2);
  expect(asked.text).toContain('the rows have no field like "rank"');
  const { findings } = await asked.check(serve());
  expect(findings.map(({ requirement }) => requirement)).toContain("order.order");
});

test("a flag with which no row comes is no rule: rows of another kind may come tomorrow", async () => {
  const flag = inQuery("archived", { type: "boolean" });
  const none = serve((rows, query) => (query.get("archived") === "true" ? [] : rows));
  const { ruled, text } = await mine(toRows([flag]), none);
  expect(ruled).not.toContain("subset listRows");
  expect(text).toContain("no row comes with it, so it tells nothing");
  const some = serve((rows, query) => (query.get("archived") === "true" ? rows.slice(2) : rows));
  expect((await mine(toRows([flag]), some)).ruled).toContain("subset listRows");
});

test("a direction without a field is tried as one of age", async () => {
  const AGED = fields({ id: TEXT, created_at: { ...TEXT, format: "date-time" } }, ["id"]);
  const days = [5, 2, 9, 1, 7, 4, 8];
  const rows = days.map((day) => ({ id: `r${day}`, created_at: `2031-03-0${day}T08:00:00Z` }));
  const reply =
    (isIgnored: boolean) =>
    (asked: Asked): Reply => {
      if (!isSignedIn(asked)) return SIGN_IN;
      if (asked.method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
      const way = asked.query.get("order") ?? "desc";
      if (!["asc", "desc"].includes(way)) return { status: 400, body: {} };
      const sorted = rows.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1));
      return {
        status: 200,
        body: { rows: way === "asc" || isIgnored ? sorted : sorted.toReversed() },
      };
    };
  const order = inQuery("order", { type: "string", enum: ["asc", "desc"] });
  const list = operation("listRows", { 200: fields({ rows: listOf(AGED) }, ["rows"]) });
  const found = await mine({ "/rows": { get: { ...list, parameters: [order] } } }, reply(false));
  expect(found.ruled.filter((one) => one === "order listRows")).toHaveLength(2);
  expect((await found.check()).findings).toEqual([]);
  const { findings } = await found.check(reply(true));
  expect(findings.map(({ requirement }) => requirement)).toContain("order.order");
});

test("what holds in one pass and not in the other is no rule", async () => {
  const asked = new Set<string>();
  const fading = serve((rows, query) => {
    const kind = query.get("kind");
    // Each is asked once in each pass.
    const isAgain = asked.has(query.toString());
    asked.add(query.toString());
    const found = rows.filter((row) => kind === null || row.kind === kind);
    return isAgain && kind !== null ? rows : found;
  });
  const { ruled, text } = await mine(toRows([inQuery("kind")]), fading);
  expect(ruled).not.toContain("filter listRows");
  expect(text).toMatch(/# +held once, not twice: .* comes and does not match/);
});

test("a rule that was mined on rows proves nothing where there are none: not green", async () => {
  const { ruled, check } = await mine(
    toRows([inQuery("kind")]),
    serve((rows, query) => rows.filter(({ kind }) => (query.get("kind") ?? kind) === kind)),
  );
  expect(ruled).toContain("filter listRows");
  const { verdict, reason } = await check(serve(undefined, () => []));
  expect([verdict, reason]).toEqual(["unable", expect.stringContaining("nothing was there")]);
});

test("one whose answers end lines or comments writes no rule of its own", async () => {
  const bad = 'x\n  - page: { of: listRows, index: no }\u2028 # {"';
  const { ruled, text } = await mine(
    toRows([inQuery("kind"), inQuery("fields")]),
    serve(undefined, () => ROWS.map((row) => ({ ...row, kind: bad + row.kind, [bad]: 1 }))),
  );
  expect(ruled).toEqual(["sameAs getRow"]);
  expect(text.split("\n").filter((line) => !/^(?:#|\w+:| {2})/.test(line))).toEqual([""]);
});

test("what could not be tried twice is no rule, and the end is told", async () => {
  const document = toDocument(toRows([inQuery("kind")]));
  const selecting = serve((rows, query) =>
    rows.filter(({ kind }) => (query.get("kind") ?? kind) === kind),
  );
  const { text, rules, reason } = await mineRelations({
    document,
    relations: await loadRelations(document),
    target: target(selecting),
    options: { maxRequests: 18 },
  });
  expect([rules, reason]).toEqual([expect.any(Number), expect.stringMatching(/budget of 18/)]);
  expect(rules).toBeLessThan(2);
  expect(text).toMatch(/# It ended early: the budget of 18 requests/);
  expect(text).toContain("held once: the end came before the second try");
});

test("of lists without a row the file says so, and of fields with other numbers no filter is guessed", async () => {
  const none = await mine(
    toRows([inQuery("kind")]),
    serve(undefined, () => []),
  );
  expect(none.text).toContain("# Nothing could be tried on listRows: no row was found there.");
  expect(none.comments).toEqual([]);
  const numbered = await mine(
    toRows([inQuery("note_2")]),
    serve(undefined, () => ROWS.map((row) => ({ ...row, note_1: row.city }))),
  );
  expect(numbered.text).not.toContain("note_1");
});

describe("with --write", () => {
  const named = fields({ city: { ...TEXT, minLength: 1 } }, ["city"]);
  const paths = {
    "/rows": {
      get: operation("listRows", { 200: fields({ rows: listOf(ROW) }, ["rows"]) }),
      post: operation("addRow", { 201: ROW }, named),
    },
    "/rows/{id}": {
      get: { ...operation("getRow", { 200: ROW }), parameters: [inPath("id")] },
      delete: { ...operation("deleteRow", { 204: null }), parameters: [inPath("id")] },
    },
  };
  function store(isListed = true) {
    const rows = new Map(ROWS.map((row) => [row.id, { ...row, isSeed: true }]));
    const touched: string[] = [];
    let born = 0;
    const reply = (asked: Asked): Reply => {
      const { method, steps, body, headers } = asked;
      const [, id] = steps;
      if (!isSignedIn(asked)) return SIGN_IN;
      if (method === "GET")
        return serve(undefined, () =>
          [...rows.values()]
            .filter(({ isSeed }) => id !== undefined || isSeed || isListed)
            .map(({ isSeed: _isSeed, ...row }) => row),
        )(asked);
      const row = id === undefined ? undefined : rows.get(id);
      if (method === "POST" && id === undefined) {
        if (!/json/i.test(headers.get("content-type") ?? "")) return { status: 415, body: {} };
        const { city } = (body ?? {}) as Partial<Row>;
        if (typeof city !== "string" || city === "") return { status: 400, body: {} };
        const made = { id: `n${(born += 1)}`, city, kind: "open", size: 1, note: "" };
        rows.set(made.id, { ...made, isSeed: false });
        return { status: 201, body: made };
      }
      if (row === undefined) return { status: 404, body: {} };
      if (method !== "DELETE") return { status: 405, headers: { allow: "GET, HEAD, DELETE" } };
      if (row.isSeed) touched.push(row.id);
      rows.delete(row.id);
      return { status: 204 };
    };
    return { rows, touched, reply };
  }

  test("lives are lived twice, and nothing of others is touched or left", async () => {
    const { rows, touched, reply } = store();
    const { ruled, check, left, text } = await mine(paths, reply, true);
    expect(ruled, text).toEqual(["sameAs getRow", "lifecycle addRow", "echo addRow"]);
    expect([left, touched, rows.size]).toEqual([[], [], ROWS.length]);
    const { findings, verdict } = await check();
    expect([findings, verdict]).toEqual([[], "kept"]);
    const staying = store();
    const lost = await check((asked) =>
      asked.method === "DELETE" && isSignedIn(asked) && staying.rows.has(asked.steps[1] ?? "")
        ? { status: 204 }
        : staying.reply(asked),
    );
    expect(lost.findings.map(({ requirement }) => requirement)).toContain("lifecycle.gone");
  });

  test("a clause that does not hold is left out, and said", async () => {
    const { relations, text } = await mine(paths, store(false).reply, true);
    const life = relations.rules.find(({ kind }) => kind === "lifecycle");
    expect(life?.only).not.toContain("listed");
    expect(text).toMatch(/Left out, listed: /);
  });

  test("what is left is named without secrets", async () => {
    const { reply } = store();
    const { left } = await mine(
      paths,
      (asked) => {
        if (asked.method === "DELETE") return { status: 403, body: {} };
        const came = reply(asked);
        const headers = { location: `/rows/n1?key=${TOKEN}` };
        return came.status === 201 ? { ...came, headers } : came;
      },
      true,
    );
    expect(left.length).toBeGreaterThan(0);
    expect(JSON.stringify(left)).not.toContain(TOKEN);
  });

  test("without it they are comments", async () => {
    const { ruled, text } = await mine(paths, store().reply);
    expect(ruled).toEqual(["sameAs getRow"]);
    expect(text).toMatch(/^# {2}- lifecycle: .*# not tried: needs --write$/m);
  });
});

test("what a parameter sorts and filters by is tried, also where its schema is one or null", async () => {
  const rows = Array.from({ length: 9 }, (_, at) => ({
    id: `t${at}`,
    title: `title ${(at * 7) % 9}`,
    size: (at * 5) % 9,
    isOpen: at % 3 === 0,
    state: at % 2 === 0 ? "new" : "done",
  }));
  const orNull = (schema: Json) => ({ anyOf: [schema, { type: "null" }] });
  const directions = { ...TEXT, enum: ["default", "ascending", "descending"] };
  const states = orNull({ ...TEXT, enum: ["new", "done"] });
  const thing = fields(
    { id: TEXT, title: TEXT, size: { type: "integer" }, isOpen: { type: "boolean" }, state: TEXT },
    ["id"],
  );
  const paths = {
    "/things": {
      get: {
        ...operation("listThings", { 200: listOf(thing) }),
        parameters: [
          inQuery("sortKey", orNull(TEXT)),
          inQuery("sortDirection", directions),
          inQuery("state", states),
          inQuery("open", listOf({ type: "integer" })),
        ],
      },
    },
  };
  const reply =
    (isSorted: boolean) =>
    (asked: Asked): Reply => {
      if (!isSignedIn(asked)) return SIGN_IN;
      if (asked.method !== "GET") return { status: 405, body: {}, headers: { allow: "GET, HEAD" } };
      const [key, direction, state] = ["sortKey", "sortDirection", "state"].map((name) =>
        asked.query.get(name),
      );
      const isWrong =
        ![null, "default", "ascending", "descending"].includes(direction ?? null) ||
        ![null, "new", "done"].includes(state ?? null) ||
        asked.query.getAll("open").some((one) => !/^\d+$/.test(one));
      if (isWrong) return { status: 400, body: {} };
      const found = rows.filter((one) => state === null || one.state === state);
      const valueOf = (row: (typeof rows)[number]): string | number =>
        key === "title" || key === "size" ? row[key] : row.id;
      const sorted = isSorted
        ? found.toSorted((one, other) => (valueOf(one) < valueOf(other) ? -1 : 1))
        : found;
      return { status: 200, body: direction === "descending" ? sorted.toReversed() : sorted };
    };
  const { text, check } = await mine(paths, reply(true));
  const [ruled = ""] = text.split("# Guesses");
  for (const one of ["title", "size"]) {
    expect(ruled).toContain(`by: ${one}, with: { sortKey: ${one}, sortDirection: ascending }`);
    expect(ruled).toContain(`by: "-${one}", with: { sortKey: ${one}, sortDirection: descending }`);
  }
  expect(ruled).toContain("by: state, field: state");
  // The values of the field are no numbers: nothing was tried with them.
  expect(ruled).not.toContain("isOpen");
  expect((await check()).verdict).toBe("kept");
  const { findings } = await check(reply(false));
  expect(findings.map(({ requirement }) => requirement)).toContain("order.order");
});
