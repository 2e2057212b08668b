// What is written to services that nobody here wrote: names, forms, wrappers, and searches by POST.
import { describe, expect, test } from "vitest";
import {
  type Thing,
  type Paths,
  THING,
  things,
  inQuery,
  listing,
  getting,
  summarise,
  KEPT,
  serve,
} from "./foreign/things.ts";
import {
  type Asked,
  type Checked,
  content,
  fields,
  inPath,
  isSignedIn,
  listOf,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
} from "./styles.ts";

describe("what is written", () => {
  const named = fields({ name: { ...TEXT, minLength: 1 }, note: TEXT }, ["name"]);
  const NOTED = fields({ id: TEXT, name: TEXT, note: TEXT }, ["id", "name"]);
  const paths: Paths = {
    "/things": {
      get: listing("listThings", NOTED),
      post: operation("addThing", { 201: NOTED }, named),
    },
    "/things/{id}": {
      get: getting("getThing", NOTED),
      put: { ...operation("putThing", { 200: NOTED }, named), parameters: [inPath("id")] },
      delete: { ...operation("deleteThing", { 204: null }), parameters: [inPath("id")] },
    },
  };
  const LIFE = {
    of: "addThing",
    read: "getThing",
    update: "putThing",
    delete: "deleteThing",
    list: "listThings",
  };
  const lifecycle = [{ lifecycle: LIFE }, { echo: { of: "addThing", body: "all" } }];

  interface Habits {
    readonly isUnique?: boolean;
    readonly lag?: number;
    readonly toKept?: (text: string) => string;
    /** Whether a PUT leaves what it does not name. */
    readonly isKeeping?: boolean;
    readonly isLoose?: boolean;
  }
  function store({ isUnique, lag = 0, toKept = (text) => text, isKeeping, isLoose }: Habits = {}) {
    const all = new Map<string, Thing>(
      things("t", 3).map((one) => [String(one["id"]), { ...one, at: -Infinity }]),
    );
    let born = 0;
    let lists = 0;
    const show = ({ at: _at, ...thing }: Thing) => thing;
    const reply = (asked: Asked): Reply => {
      if (!isSignedIn(asked)) return SIGN_IN;
      const { method, steps, headers } = asked;
      const [, id] = steps;
      const old = id === undefined ? undefined : all.get(id);
      if (steps[0] !== "things" || (id !== undefined && old === undefined))
        return { status: 404, body: {} };
      if (method === "DELETE" && id !== undefined) {
        all.delete(id);
        return { status: 204 };
      }
      if (method === "GET" && old !== undefined) return { status: 200, body: show(old) };
      if (method === "GET") {
        lists += 1;
        const due = [...all.values()].filter(({ at }) => lists - Number(at) > lag);
        return { status: 200, body: { items: due.map(show) } };
      }
      if (method !== "POST" && method !== "PUT")
        return { status: 405, headers: { allow: "GET, HEAD, POST, PUT, DELETE" } };
      const { name, note, count } = (asked.body ?? {}) as Thing;
      const isRead = isLoose || /^application\/json/i.test(headers.get("content-type") ?? "");
      if (!isRead) return { status: 415, body: {} };
      const isText = [name, note ?? ""].every((one) => typeof one === "string") && name !== "";
      if (!isText) return { status: 400, body: {} };
      const isTaken = [...all.values()].some(
        (one) => one !== old && one["name"] === toKept(String(name)),
      );
      if (isUnique && isTaken) return { status: 409, body: {} };
      const key = id ?? `n${(born += 1)}`;
      const kept = isKeeping ? old : undefined;
      const thing = {
        ...kept,
        id: key,
        name: toKept(String(name)),
        ...(note !== undefined && { note }),
        ...(count !== undefined && { count }),
        at: old?.["at"] ?? lists,
      };
      all.set(key, thing);
      return { status: method === "POST" ? 201 : 200, body: show(thing) };
    };
    return { all, reply };
  }
  const live = (habits: Habits, more: Checked = {}) =>
    summarise(paths, store(habits).reply, { rules: lifecycle, mayWrite: true, ...more });

  test("names that must be unique are so for each creation, and nothing is left", async () => {
    const { all, reply } = store({ isUnique: true });
    expect(await summarise(paths, reply, { rules: lifecycle, mayWrite: true })).toMatchObject(KEPT);
    expect([...all.keys()]).toEqual(["t0", "t1", "t2"]);
  });

  test("a list may lag behind a write for a while, which is told", async () => {
    const { observed, ...rest } = await live({ lag: 2 });
    expect(rest).toMatchObject(KEPT);
    expect(observed).toContainEqual(
      expect.stringMatching(/^lifecycle\.listed: it shows after \d\.\d s$/),
    );
    const relations = { consistency: "100ms" };
    expect((await live({ lag: Infinity }, { relations })).findings).toContain(
      "lifecycle.listed listThings",
    );
  });

  test("a PUT may keep what it leaves out, unless the rule says that it replaces", async () => {
    const { observed, ...rest } = await live({ isKeeping: true });
    expect(rest).toMatchObject(KEPT);
    expect(observed).toContainEqual(expect.stringContaining("was left out of a PUT"));
    const rules = [{ lifecycle: { ...LIFE, put: "replaces" } }];
    expect((await live({ isKeeping: true }, { rules })).findings).toContain(
      "lifecycle.update getThing",
    );
  });

  test("a text that is kept in another form is told, and one that is kept wrongly is a finding", async () => {
    const rules = [{ lifecycle: { ...LIFE, update: undefined } }];
    const { observed, ...rest } = await live({ toKept: (text) => text.toUpperCase() }, { rules });
    expect(rest).toMatchObject({ findings: [] });
    expect(observed).toContainEqual(expect.stringMatching(/^lifecycle\.normal: name is "PROBE"/));
    const { findings } = await live({ toKept: (text) => `${text}x` }, { rules });
    expect(findings).toContain("lifecycle.read getThing");
  });

  test("a PATCH may add to a list, and one that is lost is a finding", async () => {
    const TAGGED = fields({ id: TEXT, name: TEXT, tags: listOf(TEXT) }, ["id", "name"]);
    const takes = fields({ name: TEXT, tags: listOf(TEXT) }, ["name"]);
    const tagging: Paths = {
      "/things": {
        get: listing("listThings", TAGGED),
        post: operation("addThing", { 201: TAGGED }, takes),
      },
      "/things/{id}": {
        parameters: [inPath("id")],
        get: operation("getThing", { 200: TAGGED }),
        patch: operation("tagThing", { 200: TAGGED }, fields({ tags: listOf(TEXT) }, ["tags"])),
        delete: operation("deleteThing", { 204: null }),
      },
    };
    const rules = [{ lifecycle: { ...LIFE, update: "tagThing" } }];
    const faultsOf = async (isLost: boolean) => {
      const { all, reply } = store();
      const adding = (asked: Asked): Reply => {
        const old = all.get(asked.steps[1] ?? "");
        const { tags } = Object(asked.body) as { tags?: unknown };
        const isRight =
          tags === undefined ||
          (Array.isArray(tags) && tags.every((one) => typeof one === "string"));
        if (asked.method === "POST" && isSignedIn(asked)) {
          const came = isRight ? reply(asked) : { status: 400, body: {} };
          if (came.status !== 201 || tags === undefined) return came;
          const thing = { ...Object(came.body), tags } as Thing;
          all.set(String(thing["id"]), { ...thing, at: 0 });
          return { ...came, body: thing };
        }
        if (asked.method !== "PATCH" || old === undefined || !isSignedIn(asked))
          return reply(asked);
        if (!Array.isArray(tags) || !isRight) return { status: 400, body: {} };
        const both = [...new Set([old["tags"] ?? [], tags].flat())];
        if (!isLost) all.set(String(old["id"]), { ...old, tags: both });
        return reply({ ...asked, method: "GET" });
      };
      return (await summarise(tagging, adding, { rules, mayWrite: true })).findings;
    };
    expect(await faultsOf(true)).toContain("lifecycle.update getThing");
    expect(await faultsOf(false)).toEqual([]);
  });

  test.each([
    ["application/x-www-form-urlencoded", (text: string) => new URLSearchParams(text)],
    [
      "multipart/form-data",
      (text: string) =>
        new Map(
          Array.from(
            text.matchAll(/name="(\w+)"(; filename=")?.*?\r\n\r\n(.*?)\r\n--/gs),
            ([, name = "", file, value = ""]) => [name, file ? `file ${value}` : value],
          ),
        ),
    ],
  ] as const)("a body in a form: %s", async (type, parseForm) => {
    const schema = fields(
      {
        name: { ...TEXT, minLength: 1 },
        count: { type: "integer" },
        scan: { ...TEXT, format: "binary" },
      },
      ["name", "count"],
    );
    const KEPT_FORM = fields({ id: TEXT, name: TEXT, count: { type: "integer" } }, ["id", "name"]);
    const requestBody = { required: true, content: { [type]: { schema } } };
    const form: Paths = {
      "/things": {
        get: listing("listThings", KEPT_FORM),
        post: { ...operation("addThing", { 201: KEPT_FORM }), requestBody },
      },
      "/things/{id}": {
        get: getting("getThing", KEPT_FORM),
        delete: { ...operation("deleteThing", { 204: null }), parameters: [inPath("id")] },
      },
    };
    const { all, reply } = store({ isLoose: true });
    const files: string[] = [];
    const reading = (asked: Asked): Reply => {
      if (asked.method !== "POST") return reply(asked);
      if (!asked.headers.get("content-type")?.startsWith(type)) return { status: 415, body: {} };
      const came = parseForm(asked.text);
      const count = came.get("count") ?? "";
      files.push(came.get("scan") ?? "");
      if (!/^-?\d+$/.test(count)) return { status: 400, body: {} };
      return reply({ ...asked, body: { name: came.get("name") ?? "", count: Number(count) } });
    };
    const rules = [
      {
        lifecycle: { of: "addThing", read: "getThing", delete: "deleteThing", list: "listThings" },
      },
      { echo: { of: "addThing", body: ["name", "count"] } },
    ];
    expect(await summarise(form, reading, { rules, mayWrite: true })).toMatchObject(KEPT);
    expect([...all.keys()]).toEqual(["t0", "t1", "t2"]);
    expect(files).toContain(type.startsWith("multi") ? "file probe" : "probe");
    const losing = (asked: Asked): Reply => {
      const came = reading(asked);
      const { count: _count, ...thing } = (came.body ?? {}) as Thing;
      return asked.method === "POST" && came.status === 201
        ? { ...came, body: { ...thing, count: 77 } }
        : came;
    };
    expect((await summarise(form, losing, { rules, mayWrite: true })).findings).toContain(
      "echo.echo addThing",
    );
  });

  test("JSON that says that it is plain text may be read: that is only recommended", async () => {
    expect(await live({ isLoose: true })).toMatchObject(KEPT);
    expect((await live({ isLoose: true }, { isStrict: true })).findings).toContain(
      "http.media-type addThing",
    );
  });

  test("a creation may be in conflict, whether the document says so or not", async () => {
    const strict = {
      ...paths,
      "/things": {
        ...paths["/things"],
        post: {
          ...operation("addThing", { 201: NOTED }, named),
          responses: { 201: { description: "", ...content(NOTED) } },
        },
      },
    };
    const { reply } = store({ isUnique: true });
    const { findings } = await summarise(strict, reply, { rules: lifecycle, mayWrite: true });
    expect(findings.filter((one) => one.startsWith("answer.status"))).toEqual([]);
  });
});

test("what wraps a thing in a request wraps it in the answer, whatever its collection is called", async () => {
  const made = new Map<string, Thing>();
  const wrapped = fields({ crate: fields({ code: TEXT, name: TEXT }, ["code", "name"]) }, [
    "crate",
  ]);
  const paths = {
    "/boxes": { post: operation("addBox", { 200: wrapped }, wrapped) },
    "/boxes/{code}": {
      parameters: [inPath("code")],
      get: operation("getBox", { 200: wrapped }),
      delete: operation("deleteBox", { 204: null }),
    },
  };
  const reply = (asked: Asked): Reply => {
    const { steps, method, body } = asked;
    const [, code] = steps;
    if (!isSignedIn(asked)) return SIGN_IN;
    const crate = Object(Object(body)["crate"]) as Thing;
    if (code === undefined) {
      if (method !== "POST") return { status: 405, body: {} };
      const isRight = [crate["code"], crate["name"]].every((one) => typeof one === "string");
      const isNew = isRight && !made.has(String(crate["code"]));
      if (!isNew || !/^application\/json/i.test(asked.headers.get("content-type") ?? ""))
        return { status: 422, body: {} };
      made.set(String(crate["code"]), crate);
      return { status: 200, body: { crate } };
    }
    const one = made.get(code);
    if (one === undefined) return { status: 404, body: {} };
    if (method === "GET") return { status: 200, body: { crate: one } };
    if (method !== "DELETE") return { status: 405, body: {} };
    made.delete(code);
    return { status: 204 };
  };
  expect(await summarise(paths, reply, { mayWrite: true })).toMatchObject(KEPT);
  expect(made.size).toBe(0);
});

test("a search by POST that its owner calls safe is seen at work without writes", async () => {
  const paths = {
    "/things/search": {
      post: {
        ...operation(
          "searchThings",
          { 200: fields({ items: listOf(THING) }, ["items"]) },
          fields({ name: TEXT }),
        ),
        // Nothing says which of them is the later one.
        parameters: ["from", "to"].map((name) => ({
          ...inQuery(name, { ...TEXT, format: "date" }),
          required: true,
        })),
      },
    },
    "/things/{id}": { get: getting("getThing") },
  };
  const reply = (asked: Asked): Reply => {
    const { method, steps, headers, query } = asked;
    if (steps[1] !== "search") return serve({ things: things("t") })(asked);
    if (!isSignedIn(asked)) return SIGN_IN;
    if (method !== "POST") return { status: 405, headers: { allow: "POST" } };
    if (!/^application\/json/i.test(headers.get("content-type") ?? ""))
      return { status: 415, body: {} };
    const days = ["from", "to"].map((one) => query.get(one) ?? "");
    if (!days.every((day) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))))
      return { status: 400, body: {} };
    const { name } = Object(asked.body) as { name?: unknown };
    if (asked.body === undefined || !["string", "undefined"].includes(typeof name))
      return { status: 400, body: {} };
    return {
      status: 200,
      body: { items: things("t").filter((one) => name === undefined || one["name"] === name) },
    };
  };
  const relations = { safe: "searchThings", values: { id: { literal: "t1" } } };
  expect(await summarise(paths, reply, { relations })).toMatchObject(KEPT);
});
