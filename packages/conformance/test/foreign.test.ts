// Documents that nobody here wrote: names, shapes and lawful habits of other services raise no alarm, and drift is still seen.
import { describe, expect, test } from "vitest";
import { toWord } from "../src/items.ts";
import { explain, loadRelations, toFirstRelations } from "../src/index.ts";
import {
  type Asked,
  check,
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
  toDocument,
} from "./styles.ts";

type Thing = Readonly<Record<string, unknown>>;
type Paths = Readonly<Record<string, object>>;

const THING = fields({ id: TEXT, name: TEXT }, ["id", "name"]);
const things = (letter: string, count = 9): Thing[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${letter}${index}`,
    name: `${letter} ${index}`,
  }));
const inQuery = (name: string, schema: object = TEXT) => ({ in: "query", name, schema });
const listing = (id: string, rows: object, more: object = {}) => ({
  ...operation(id, { 200: fields({ items: listOf(rows as Thing) }, ["items"]) }),
  ...more,
});
const getting = (id: string, thing: object = THING, name = "id") => ({
  ...operation(id, { 200: thing as Thing }),
  parameters: [inPath(name)],
});
const summarise = async (paths: Paths, reply: (asked: Asked) => Reply, more: Checked = {}) => {
  const { verdict, findings, observations, reason } = await check(paths, reply, more);
  return {
    verdict,
    reason,
    findings: findings.map(({ requirement, operation: id }) => `${requirement} ${id}`),
    observed: observations.map(({ requirement, observed }) => `${requirement}: ${observed}`),
  };
};
const KEPT = { verdict: "kept", reason: undefined, findings: [] };

/** Collections of things by their path, each thing below its key. */
const serve =
  (
    all: Readonly<Record<string, readonly Thing[]>>,
    change = (reply: Reply, _asked: Asked): Reply => reply,
  ) =>
  (asked: Asked): Reply => {
    if (!isSignedIn(asked)) return SIGN_IN;
    const { steps, method } = asked;
    if (method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
    const whole = all[steps.join("/")];
    if (whole !== undefined) return change({ status: 200, body: { items: whole } }, asked);
    const one = all[steps.slice(0, -1).join("/")]?.find(({ id }) => id === steps.at(-1));
    return one === undefined
      ? { status: 404, body: {} }
      : change({ status: 200, body: one }, asked);
  };

/** Pages by their number. */
function toPage(reply: Reply, { query }: Asked): Reply {
  const { items } = reply.body as { items: readonly Thing[] };
  const [number, size] = ["page", "limit"].map((name) => Number(query.get(name) ?? 1));
  if (!(Number(number) > 0 && Number(size) > 0 && Number(size) <= 50))
    return { status: 400, body: {} };
  const from = (Number(number) - 1) * Number(size);
  return { ...reply, body: { items: items.slice(from, from + Number(size)) } };
}

const THINGS: Paths = {
  "/things": { get: listing("listThings", THING) },
  "/things/{id}": { get: getting("getThing") },
};

describe("values belong to an operation and a parameter", () => {
  const paths: Paths = {
    ...THINGS,
    "/users": { get: listing("listUsers", THING) },
    "/users/{id}": { get: getting("getUser") },
    "/users/{id}/parts": { get: { ...listing("listParts", THING), parameters: [inPath("id")] } },
  };
  const all = { things: things("t"), users: things("u", 2), "users/u0/parts": things("p", 2) };

  test("one name in two paths has the values of each collection", async () => {
    const asked = new Set<string>();
    const reply = serve(all);
    const noting = (one: Asked) => {
      if (isSignedIn(one) && one.method === "GET") asked.add(one.steps.join("/"));
      return reply(one);
    };
    expect(await summarise(paths, noting)).toMatchObject(KEPT);
    expect([...asked]).toEqual(expect.arrayContaining(["things/t0", "users/u0", "users/u0/parts"]));
    expect([...asked].filter((one) => /things\/u|users\/t/.test(one))).toEqual([]);
  });

  test("a service that mixes them up is still seen", async () => {
    const { findings } = await summarise(
      paths,
      serve({ ...all, users: things("t", 2) }, (reply) => reply),
      {
        rules: [{ sameAs: { of: "getUser", as: "listThings" } }],
      },
    );
    expect(findings).toContain("sameAs.same getUser");
  });

  test("they are named by operation, by path, or by name, and listed so", async () => {
    const values = {
      "getUser.id": "listThings#items/*/id",
      "/users/{id}/parts.id": { literal: ["u0"] },
    };
    const document = toDocument(paths, { "x-relations": { values } });
    const told = explain(document, await loadRelations(document), {
      mayWrite: false,
      hasSecond: false,
    });
    expect(told.values).toEqual({
      "getThing.id": "listThings",
      "getUser.id": "listThings#items/*/id",
    });
    expect(told.unsourced).toEqual([]);
    const wrong = toDocument(paths, { "x-relations": { values: { "getUsr.id": "listThings" } } });
    await expect(loadRelations(wrong)).rejects.toThrow(
      'no operation "getUsr" in the document. Did you mean "getUser"?',
    );
  });

  test("a literal of the relations, or in backquotes of the description, is tried", async () => {
    const one = (description: string): Paths => ({
      "/folders/{folder}": {
        get: {
          ...operation("getFolder", { 200: THING }),
          parameters: [{ ...inPath("folder"), description }],
        },
      },
    });
    const reply = serve({ folders: [{ id: "0", name: "root" }] });
    expect(await summarise(one("The root is `0`."), reply)).toMatchObject(KEPT);
    // What prose says is only believed once it worked.
    expect(await summarise(one("Not `zero`."), reply)).toMatchObject({
      verdict: "unable",
      findings: [],
    });
    const values = { "getFolder.folder": { literal: "0" } };
    expect(await summarise(one(""), reply, { relations: { values } })).toMatchObject(KEPT);
  });
});

describe("values that only look right are tried, and no finding where they are refused", () => {
  const NAMED = { $ref: "#/components/schemas/Named" };
  const properties = { ...THING.properties, author: fields({ username: TEXT }) };
  const components = {
    securitySchemes: { main: { type: "http", scheme: "bearer" } },
    schemas: { Named: { ...THING, properties } },
  };
  const paths: Paths = {
    "/pets/search": { get: listing("searchPets", NAMED) },
    "/pet/{petId}": { get: getting("getPet", NAMED, "petId") },
    "/profiles/{username}": { get: getting("getProfile", THING, "username") },
    "/Services": { get: listing("listServices", fields({ service_sid: TEXT, name: TEXT })) },
    "/Services/{ServiceSid}": { get: getting("getService", fields({}), "ServiceSid") },
  };
  const pets = things("p", 3).map((one, index) => ({
    ...one,
    author: { username: `ann${index}` },
  }));
  const reply =
    (profiles: readonly Thing[]) =>
    (asked: Asked): Reply => {
      const [first, second] = asked.steps;
      if (first === "Services" && isSignedIn(asked) && asked.method === "GET") {
        const items = [1, 2].map((one) => ({ service_sid: `IS${one}`, name: `service ${one}` }));
        const one = items.find((item) => item.service_sid === second);
        if (second === undefined) return { status: 200, body: { items } };
        return one === undefined ? { status: 404, body: {} } : { status: 200, body: {} };
      }
      return serve({ "pets/search": pets, pet: pets, profiles })(asked);
    };

  test("keys of a list of the same things, fields of the name, names in another notation", async () => {
    const known = things("x", 1).map((one) => ({ ...one, id: "ann0" }));
    expect(await summarise(paths, reply(known), { more: { components } })).toMatchObject(KEPT);
    expect(await summarise(paths, reply([]), { more: { components } })).toMatchObject({
      verdict: "unable",
      findings: [],
    });
  });
});

describe("the shape of an answer", () => {
  const owner = fields({ id: TEXT, mail: TEXT });
  test.each<readonly [about: string, list: object, line: string]>([
    [
      "rows in an allOf, beside another array",
      {
        allOf: [
          fields({ warnings: listOf(fields({ text: TEXT })) }),
          fields({ entries: listOf(THING) }),
        ],
      },
      "items: entries, key: id",
    ],
    [
      "rows of one of several schemas have the fields of any",
      fields({ rows: listOf({ oneOf: [fields({ kind: TEXT }), fields({ number: TEXT })] }) }),
      "items: rows, key: number",
    ],
    [
      "rows below another object",
      fields({ data: fields({ things: listOf(THING) }) }),
      "items: data/things, key: id",
    ],
    [
      "a thing with an array is no list",
      fields({ id: TEXT, aliases: listOf(fields({ alias: TEXT })), owner }),
      "none",
    ],
  ])("%s", (_about, list, line) => {
    const document = toDocument({
      "/things": { get: operation("listThings", { 200: list as Thing }) },
    });
    const written = toFirstRelations(document)
      .split("\n")
      .find((one) => one.includes("listThings:"));
    expect(written ?? "none").toContain(line);
  });

  test("what ends in a key is a thing, whatever arrays it has; lists: none says it of others", async () => {
    const tagged = fields({ id: TEXT, name: TEXT, items: listOf(fields({ id: TEXT })) }, [
      "id",
      "name",
    ]);
    const paths = { ...THINGS, "/things/{id}": { get: getting("getThing", tagged) } };
    const rules = [{ sameAs: { of: "getThing", as: "listThings" } }];
    const reply = (body: (thing: Thing) => Thing) =>
      serve({ things: things("t") }, (came) => {
        const thing = came.body as Thing;
        return "items" in thing ? came : { ...came, body: body(thing) };
      });
    expect(
      await summarise(
        paths,
        reply((one) => ({ ...one, items: [] })),
        { rules },
      ),
    ).toMatchObject(KEPT);
    const renamed = reply((one) => ({ ...one, name: "other", items: [] }));
    expect((await summarise(paths, renamed, { rules })).findings).toEqual(["sameAs.same getThing"]);
    const document = toDocument(THINGS, { "x-relations": { lists: { listThings: "none" } } });
    const told = explain(document, await loadRelations(document), {
      mayWrite: false,
      hasSecond: false,
    });
    expect(told.lists).toEqual({});
  });

  test("the first plain answer has the last word: rows of which the document says nothing, a key that two share", async () => {
    const vague = {
      ...THINGS,
      "/things": { get: operation("listThings", { 200: { type: "object" } }) },
    };
    const rules = [{ sameAs: { of: "getThing", as: "listThings" } }];
    expect(await summarise(vague, serve({ things: things("t") }), { rules })).toMatchObject(KEPT);
    // Slugs that two of them share are no keys, so that nothing is there twice.
    const tags = things("t").map((_, index) => ({ slug: `s${index % 8}`, name: `tag ${index}` }));
    const row = fields({ slug: TEXT, name: TEXT });
    const page = { ...inQuery("page", { type: "integer", minimum: 1 }) };
    const limit = inQuery("limit", { type: "integer", minimum: 1, maximum: 50 });
    const paths = { "/tags": { get: listing("listTags", row, { parameters: [page, limit] }) } };
    const { findings } = await summarise(paths, serve({ tags }, toPage), {
      rules: [{ page: { of: "listTags", index: "page", from: 1, size: "limit" } }],
    });
    expect(findings).toEqual([]);
  });
});

describe("lawful habits", () => {
  const PAGE = { of: "listThings", size: "limit", cursor: "cursor", next: "next" };
  const limit = { type: "integer", minimum: 1, maximum: 50 };
  const rows = fields({ items: listOf(THING), next: { type: ["string", "null"] } }, ["items"]);
  const paged: Paths = {
    "/things": {
      get: {
        ...operation("listThings", { 200: rows }),
        parameters: [inQuery("limit", limit), inQuery("cursor")],
      },
    },
  };
  /** `after`: where the cursor of the last rows leads. */
  const walk =
    (after: (count: number) => string | null) =>
    (asked: Asked): Reply => {
      if (!isSignedIn(asked)) return SIGN_IN;
      if (asked.method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
      const [size, from] = [
        Number(asked.query.get("limit") ?? 5),
        (asked.query.get("cursor") ?? "c0").slice(1),
      ];
      if (!(size > 0 && size <= 50) || !/^\d+$/.test(from)) return { status: 400, body: {} };
      const items = things("t").slice(Number(from), Number(from) + size);
      const end = Number(from) + items.length;
      return {
        status: 200,
        body: { items, next: end < 9 ? `c${end}` : items.length > 0 ? after(9) : null },
      };
    };

  test("a cursor may lead to an empty page, unless the rule says more", async () => {
    const empty = walk((count) => `c${count}`);
    expect(await summarise(paged, empty, { rules: [{ page: PAGE }] })).toMatchObject(KEPT);
    for (const [reply, last, clause] of [
      [empty, null, "next"],
      [walk(() => null), "empty", "next"],
      [walk(() => "c0"), "either", "circle"],
    ] as const)
      expect(
        (await summarise(paged, reply, { rules: [{ page: { ...PAGE, last } }] })).findings,
      ).toContain(`page.${clause} listThings`);
  });

  test("a list without a rule of order comes in any, each time", async () => {
    let turn = 0;
    const shuffled = serve({ things: things("t") }, (reply) => {
      const { items } = reply.body as { items?: readonly Thing[] };
      turn += 1;
      const cut = turn % 9;
      return items === undefined
        ? reply
        : { ...reply, body: { items: [...items.slice(cut), ...items.slice(0, cut)] } };
    });
    expect(await summarise(THINGS, shuffled)).toMatchObject(KEPT);
    const rules = [{ order: { of: "listThings", by: "id" } }];
    expect((await summarise(THINGS, shuffled, { rules })).findings).toContain(
      "order.order listThings",
    );
  });

  test("the length of a compressed answer is that of its coded bytes; of a plain one it still counts", async () => {
    const file = {
      200: { description: "", content: { "application/octet-stream": {} } },
      404: { description: "" },
    };
    const paths: Paths = {
      ...THINGS,
      "/things/{id}/file": {
        get: { operationId: "getFile", parameters: [inPath("id")], responses: file },
      },
    };
    const send =
      (toHeaders: (isPlain: boolean) => Readonly<Record<string, string>>) =>
      (asked: Asked): Reply => {
        const [, id, last] = asked.steps;
        if (last !== "file" || !isSignedIn(asked) || asked.method !== "GET")
          return serve({ things: things("t") })(asked);
        const isPlain = asked.headers.get("accept-encoding") === "identity";
        const type = { "content-type": "application/octet-stream" };
        return { status: 200, body: `file of ${id}`, headers: { ...type, ...toHeaders(isPlain) } };
      };
    const rules = [{ bytes: { of: "getFile" } }];
    const coded = { "content-encoding": "gzip", "content-length": "7", vary: "Accept-Encoding" };
    expect(
      await summarise(
        paths,
        send((isPlain) => (isPlain ? {} : coded)),
        { rules },
      ),
    ).toMatchObject(KEPT);
    const short = send(() => ({ "content-length": "7" }));
    expect((await summarise(paths, short, { rules })).findings).toContain("bytes.length getFile");
  });

  test("null of a nullable allOf, as generators of 3.0 write it, and no other type", async () => {
    const more = { openapi: "3.0.3" };
    for (const nullable of [
      { nullable: true, allOf: [{ $ref: "#/paths/~1things~1{id}/x-owner" }] },
      { nullable: true, $ref: "#/paths/~1things~1{id}/x-owner" },
    ]) {
      const owned = fields({ id: TEXT, name: TEXT, owner: nullable }, ["id", "name"]);
      const paths = {
        ...THINGS,
        "/things/{id}": { get: getting("getThing", owned), "x-owner": fields({ mail: TEXT }) },
      };
      const owning = (owner: unknown) =>
        serve({ things: things("t") }, (reply) => {
          const thing = reply.body as Thing;
          return "items" in thing ? reply : { ...reply, body: { ...thing, owner } };
        });
      expect(await summarise(paths, owning(null), { more })).toMatchObject(KEPT);
      expect(await summarise(paths, owning({ mail: "a" }), { more })).toMatchObject(KEPT);
      for (const wrong of ["ada", { mail: 1 }, { male: "a" }])
        expect((await summarise(paths, owning(wrong), { more })).findings).toEqual([
          "answer.schema getThing",
        ]);
    }
  });

  test("a field that is required is documented, though no property says what it has", async () => {
    const odd = fields({ id: TEXT, name: TEXT }, ["id", "name", "departure"]);
    const paths = { ...THINGS, "/things/{id}": { get: getting("getThing", odd) } };
    const more = (extra: Thing) =>
      serve({ things: things("t") }, (reply) => {
        const thing = reply.body as Thing;
        return "items" in thing ? reply : { ...reply, body: { ...thing, ...extra } };
      });
    expect(await summarise(paths, more({ departure: "A" }))).toMatchObject(KEPT);
    for (const extra of [{}, { departure: "A", arrival: "B" }])
      expect((await summarise(paths, more(extra))).findings).toEqual(["answer.schema getThing"]);
  });

  test("a hole in the access is one finding, with the widest way in", async () => {
    const open = (asked: Asked) =>
      serve({ things: things("t") })({
        ...asked,
        headers: new Headers({ authorization: "Bearer abCD-1234ef-own" }),
      });
    const paths = {
      "/things": { get: listing("listThings", THING, { parameters: [inQuery("q")] }) },
    };
    const { findings } = await check(paths, open);
    expect(findings.map(({ requirement, fault }) => `${requirement}: ${fault}`)).toEqual([
      "auth.refused: GET with no credentials is answered 200",
    ]);
  });
});

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

test("what RFC 9110 asks of 401 and 405 is due where the document promises it, and else recommended", async () => {
  const bare = (asked: Asked): Reply => {
    const isPlain = asked.headers.get("authorization")?.startsWith("Bearer ") === true;
    if (!isSignedIn(asked) || !isPlain) return { status: 401, body: {} };
    return asked.method === "GET"
      ? serve({ things: things("t") })(asked)
      : { status: 405, body: {} };
  };
  const all = ["auth.challenge listThings", "auth.scheme-case listThings", "http.allow listThings"];
  expect(await summarise(THINGS, bare)).toMatchObject(KEPT);
  const { findings } = await summarise(THINGS, bare, { isStrict: true });
  expect(findings).toEqual(expect.arrayContaining(all));
  const said = (name: string) => ({ description: "", headers: { [name]: { schema: TEXT } } });
  const told = Object.fromEntries(
    Object.entries(THINGS).map(([path, { get }]: [string, { get?: Thing }]) => {
      const responses = {
        ...Object(get?.["responses"]),
        401: said("WWW-Authenticate"),
        405: said("Allow"),
      };
      return [path, { get: { ...get, responses } }];
    }),
  );
  const due = (await summarise(told, bare)).findings;
  expect(due).toEqual(expect.arrayContaining(all));
});

test.each([
  ["taxes", "tax"],
  ["addresses", "address"],
  ["batches", "batch"],
  ["caches", "cache"],
  ["houses", "house"],
  ["entries", "entry"],
])("/%s are of one %s", (path, word) => {
  expect(toWord(`/v1/${path}`)).toBe(toWord(word));
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

test("a number that cannot be read may be ignored where the document has no answer for wrong input", async () => {
  const page = { parameters: [inQuery("page", { type: "integer" })] };
  const told = listing("listThings", THING, page);
  const { "4XX": _refusal, ...responses } = Object(told["responses"]) as Thing;
  const reply = serve({ things: things("t") });
  const without = { "/things": { get: { ...told, responses } } };
  expect(await summarise(without, reply)).toMatchObject(KEPT);
  const strict = await summarise(without, reply, { isStrict: true });
  expect(strict.findings).toContain("input.refused listThings");
  const due = await summarise({ "/things": { get: told } }, reply);
  expect(due.findings).toContain("input.refused listThings");
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
