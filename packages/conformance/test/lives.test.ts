// Things in other styles: how they are created, what is shown of them, and where their key stands. Each life is lived, and no more.
import { describe, expect, test } from "vitest";
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

interface Style {
  /** What is sent, and what is shown of one thing, by the schema of its fields. */
  readonly takes: (thing: Thing) => Thing;
  readonly shows: (thing: Thing) => Thing;
  readonly read: (body: unknown) => unknown;
  readonly wrap: (thing: Thing) => Thing;
  readonly created: (shown: Thing) => Reply;
  /** Whether only a client can give the key. */
  readonly isChosen?: true;
  /** Whether a change is sent to the collection, with the key in its body. */
  readonly isInBody?: true;
  /** What paths end in, and where a creation is sent. */
  readonly end?: string;
  readonly creation?: string;
  /** Whether the key follows the title. */
  readonly isSlug?: true;
  /** Whether a change says which one it is. */
  readonly isVersioned?: true;
  /** Whether all requests need a header and a parameter, and those that change something the ETag. */
  readonly isGuarded?: true;
}

const same = (thing: Thing): Thing => thing;
const inner =
  (...names: readonly string[]) =>
  (body: unknown): unknown =>
    names.reduce<unknown>(
      (one, name) => (typeof one === "object" && one !== null ? Reflect.get(one, name) : undefined),
      body,
    );
const PLAIN: Style = {
  takes: same,
  shows: same,
  read: (body) => body,
  wrap: same,
  created: (shown) => ({ status: 201, body: shown }),
};
const ticket = (thing: Thing): Thing => ({ ticket: thing });
const STYLES: Readonly<Record<string, Style>> = {
  "a key that no answer has": { ...PLAIN, created: () => ({ status: 201 }) },
  "204 and a key that no answer has": { ...PLAIN, created: () => ({ status: 204 }) },
  "202 and the thing": { ...PLAIN, created: (shown) => ({ status: 202, body: shown }) },
  "one envelope for what is sent and shown": {
    ...PLAIN,
    takes: (thing) => fields({ ticket: thing }, ["ticket"]),
    shows: (thing) => fields({ ticket: thing }, ["ticket"]),
    read: inner("ticket"),
    wrap: ticket,
    created: (shown) => ({ status: 201, body: shown }),
  },
  "an envelope for what is sent alone": {
    ...PLAIN,
    takes: (thing) => fields({ ticket: thing }, ["ticket"]),
    read: inner("ticket"),
  },
  "attributes inside of data": {
    ...PLAIN,
    takes: (thing) => fields({ data: fields({ attributes: thing }, ["attributes"]) }, ["data"]),
    read: inner("data", "attributes"),
  },
  "a key of the client's choice": { ...PLAIN, isChosen: true },
  "paths that end in a format": { ...PLAIN, end: ".json" },
  "a creation beside its collection": { ...PLAIN, creation: "/create" },
  "a key that follows the title": { ...PLAIN, isSlug: true },
  "a version in each change": { ...PLAIN, isVersioned: true },
  "a header, a parameter and an ETag that are required": { ...PLAIN, isGuarded: true },
  "a change at the collection, with the key in the body": { ...PLAIN, isInBody: true },
};

const FIELDS = { title: { ...TEXT, minLength: 1 }, note: TEXT };

function toPaths(style: Style) {
  const { takes, shows, created, isChosen, isInBody, end = "", creation = "" } = style;
  const version = style.isVersioned && { version: { type: "integer" } };
  const thing = fields({ id: TEXT, ...FIELDS, ...version }, ["id", "title"]);
  const told = created({}).body === undefined ? null : shows(thing);
  const sent = takes(fields({ ...((isChosen || isInBody) && { id: TEXT }), ...FIELDS }, ["title"]));
  const changed = style.isVersioned
    ? fields({ ...FIELDS, ...version }, ["title", "version"])
    : sent;
  const needed = style.isGuarded
    ? [
        { in: "header", name: "X-Version", required: true, schema: { ...TEXT, default: "2" } },
        { in: "query", name: "v", required: true, schema: { ...TEXT, enum: ["1"] } },
      ]
    : [];
  const guard = style.isGuarded
    ? [{ in: "header", name: "If-Match", required: true, schema: TEXT }]
    : [];
  const put = {
    ...operation("putTicket", { 200: shows(thing) }, changed),
    parameters: guard,
  };
  const post = operation("addTicket", { [created({}).status]: told }, sent);
  return {
    [`/tickets${end}`]: {
      parameters: needed,
      get: operation("listTickets", { 200: listOf(thing) }),
      ...(creation === "" && { post }),
      ...(isInBody && { put }),
    },
    ...(creation !== "" && { [`/tickets${creation}`]: { post } }),
    [`/tickets/{id}${end}`]: {
      parameters: [inPath("id"), ...needed],
      get: operation("getTicket", { 200: shows(thing) }),
      ...(!isInBody && { put }),
      delete: { ...operation("deleteTicket", { 204: null }), parameters: guard },
    },
  };
}

function serve(style: Style) {
  const { read, wrap, created, isChosen, isInBody, end = "", creation, isSlug } = style;
  const all = new Map<string, Thing>(
    ["a1", "a2", "a3"].map((id) => [id, { id, title: `Ticket ${id}`, note: "kept", version: 1 }]),
  );
  const seeds = new Set(all.keys());
  const touched: string[] = [];
  let born = 0;
  const toRow = ({ version, ...thing }: Thing): Thing => ({
    ...thing,
    ...(style.isVersioned && { version }),
  });
  const show = (thing: Thing): Thing => wrap(toRow(thing));
  const tagOf = ({ version }: Thing) => `"v${String(version)}"`;
  /** What a request lacks. */
  const findLack = ({ method, headers, query }: Asked, old: Thing | undefined) => {
    if (!style.isGuarded) return undefined;
    if (headers.get("x-version") !== "2" || query.get("v") !== "1") return 400;
    const tag = headers.get("if-match");
    if (!["PUT", "DELETE"].includes(method) || old === undefined || tag === "*") return undefined;
    return tag === null ? 428 : tag === tagOf(old) ? undefined : 412;
  };
  const reply = (asked: Asked): Reply => {
    if (!isSignedIn(asked)) return SIGN_IN;
    const { method, body, headers } = asked;
    const [first, second] = asked.steps.map((step) =>
      step.endsWith(end) ? step.slice(0, step.length - end.length) : step,
    );
    const isCreation = creation !== undefined && second === "create" && method === "POST";
    const came = read(body) as Thing | undefined;
    const inPathOrBody = isInBody && method === "PUT" ? String(came?.["id"]) : second;
    const id = isCreation ? undefined : inPathOrBody;
    const old = all.get(id ?? "");
    if (first !== "tickets" || (id !== undefined && old === undefined))
      return { status: 404, body: {} };
    const lack = findLack(asked, old);
    if (lack !== undefined) return { status: lack, body: {} };
    const tag = style.isGuarded && old ? { headers: { etag: tagOf(old) } } : {};
    if (method === "GET")
      return { status: 200, body: id ? show(old ?? {}) : [...all.values()].map(toRow), ...tag };
    if (["PUT", "DELETE"].includes(method) && seeds.has(id ?? "")) touched.push(`${method} ${id}`);
    if (method === "DELETE" && id !== undefined) {
      all.delete(id);
      return { status: 204 };
    }
    if (!["POST", "PUT"].includes(method))
      return { status: 405, headers: { allow: "GET, HEAD, POST, PUT, DELETE" } };
    if (!/^application\/json/i.test(headers.get("content-type") ?? ""))
      return { status: 415, body: {} };
    const { title, note = null, version } = came ?? {};
    const isText = typeof title === "string" && title !== "";
    const isRight =
      isText && (note === null ? came?.["note"] === undefined : typeof note === "string");
    const chosen = came?.["id"];
    if (!isRight || (isChosen && (typeof chosen !== "string" || chosen === "")))
      return { status: 400, body: {} };
    const next = Number(old?.["version"] ?? 0) + 1;
    if (style.isVersioned && method === "PUT" && !Number.isInteger(version))
      return { status: 400, body: {} };
    if (style.isVersioned && method === "PUT" && version !== next) return { status: 409, body: {} };
    const given = isChosen ? String(chosen) : `n${(born += 1)}`;
    const key = isSlug ? title.toLowerCase().replaceAll(/\W+/g, "-") : (id ?? given);
    if (key !== id && all.has(key)) return { status: 409, body: {} };
    if (id !== undefined) all.delete(id);
    const thing = { id: key, title, ...(note !== null && { note }), version: next };
    all.set(key, thing);
    return method === "POST" ? created(show(thing)) : { status: 200, body: show(thing) };
  };
  return { reply, touched, all };
}

const LIFE = {
  of: "addTicket",
  read: "getTicket",
  update: "putTicket",
  delete: "deleteTicket",
  list: "listTickets",
};
const RULES = [{ lifecycle: LIFE }, { echo: { of: "addTicket", body: "all" } }];
const CLAUSES = ["create addTicket", "read getTicket", "update getTicket", "delete deleteTicket"];

async function live(style: Style, more: Checked = {}, change = (reply: Reply): Reply => reply) {
  const { reply, touched, all } = serve(style);
  const rules = style.created({}).body === undefined ? RULES.slice(0, 1) : RULES;
  const { verdict, reason, findings, kept, left } = await check(
    toPaths(style),
    (asked) => (asked.method === "GET" ? change(reply(asked)) : reply(asked)),
    { rules, mayWrite: true, ...more },
  );
  return {
    verdict,
    reason,
    findings: findings.map(({ requirement, operation: id }) => `${requirement} ${id}`),
    kept: kept.map(({ requirement, operation: id }) => `${requirement} ${id}`),
    left,
    touched,
    rest: [...all.keys()],
  };
}

describe.each(Object.entries(STYLES))("%s", (_name, style) => {
  test("a whole life, and nothing is left or touched", async () => {
    const { kept, left, rest, ...others } = await live(style);
    expect(others).toEqual({ verdict: "kept", reason: undefined, findings: [], touched: [] });
    // What no answer and no list tells the key of is named.
    expect(rest.slice(0, 3)).toEqual(["a1", "a2", "a3"]);
    expect(rest.length - 3).toBe(left.flatMap(({ what }) => what).length);
    expect(kept).toEqual(expect.arrayContaining(CLAUSES.map((one) => `lifecycle.${one}`)));
  });
});

test("what was sent, and only other rows have, is a finding", async () => {
  const drop = (reply: Reply): Reply => {
    const { id, note: _note, ...thing } = (reply.body ?? {}) as Thing;
    return typeof id === "string" && !id.startsWith("a")
      ? { ...reply, body: { id, ...thing } }
      : reply;
  };
  const { findings } = await live(PLAIN, {}, drop);
  expect(findings).toContain("lifecycle.read getTicket");
});

test("what is deleted may be shown as deleted, and nothing else may", async () => {
  const marked = async (mark: Thing) => {
    const gone = new Map<string, Thing>();
    const { reply, all } = serve(PLAIN);
    const answer = (asked: Asked): Reply => {
      const [, id = ""] = asked.steps;
      if (asked.method === "DELETE") gone.set(id, { ...all.get(id), ...mark });
      const shown = gone.get(id);
      return asked.method === "GET" && isSignedIn(asked) && shown !== undefined
        ? { status: 200, body: shown }
        : reply(asked);
    };
    const relations = { world: "open", consistency: "10ms" };
    const report = await check(toPaths(PLAIN), answer, { rules: RULES, relations, mayWrite: true });
    return report.findings.map(({ requirement }) => requirement);
  };
  expect(await marked({ deleted: true })).toEqual([]);
  expect(await marked({})).toContain("lifecycle.gone");
});

describe("below what is of others", () => {
  const part = fields({ id: TEXT, name: TEXT }, ["id", "name"]);
  const paths = {
    "/boxes": { get: operation("listBoxes", { 200: listOf(fields({ id: TEXT }, ["id"])) }) },
    "/boxes/{boxId}/parts": {
      parameters: [inPath("boxId")],
      get: operation("listParts", { 200: listOf(part) }),
      post: operation("addPart", { 201: part }, fields({ name: TEXT }, ["name"])),
    },
    "/boxes/{boxId}/parts/{partId}": {
      parameters: [inPath("partId"), inPath("boxId")],
      get: operation("getPart", { 200: part }),
    },
  };
  const boxes = Array.from({ length: 12 }, (_, index) => ({ id: `b${index}` }));
  const serveParts =
    (asked: string[]) =>
    (one: Asked): Reply => {
      if (!isSignedIn(one)) return SIGN_IN;
      const { method, steps } = one;
      const [first, box, below, key] = steps;
      if (method !== "GET") asked.push(`${method} /${steps.join("/")}`);
      if (method !== "GET") return { status: 405, headers: { allow: "GET, HEAD, POST" } };
      if (first !== "boxes") return { status: 404, body: {} };
      if (box === undefined) return { status: 200, body: boxes };
      const parts = box === "b11" ? ["p1", "p2"].map((id) => ({ id, name: id })) : [];
      const found = parts.find(({ id }) => id === key);
      const isThere = below === "parts" && boxes.some(({ id }) => id === box);
      if (!isThere || (key !== undefined && found === undefined)) return { status: 404, body: {} };
      return { status: 200, body: found ?? parts };
    };

  test("nothing is created, and the reason says so; parents are asked until one has children", async () => {
    const writes: string[] = [];
    const rules = [{ sameAs: { of: "getPart", as: "listParts" } }];
    const report = await check(paths, serveParts(writes), { rules, mayWrite: true });
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe("kept");
    expect(writes.filter((one) => !one.startsWith("PROBE"))).toEqual([]);
    const why = "nothing of our own to try it on";
    expect(report.unseen).toEqual([{ operation: "addPart", why, isExcused: true }]);
    expect(report.kept.map(({ requirement }) => requirement)).toContain("sameAs.same");
  });
});

describe("rows of several sorts", () => {
  const sort = (name: string, more: Thing = {}) =>
    fields({ type: { const: name }, id: TEXT, ...more }, ["type", "id"]);
  const entry = { oneOf: [sort("file", { size: { type: "integer" } }), sort("folder")] };
  const paths = {
    "/entries": { get: operation("listEntries", { 200: fields({ entries: listOf(entry) }) }) },
    "/files/{fileId}": {
      parameters: [inPath("fileId")],
      get: operation("getFile", { 200: sort("file", { size: { type: "integer" } }) }),
    },
    "/folders/{folder_id}": {
      parameters: [inPath("folder_id")],
      get: operation("getFolder", { 200: sort("folder") }),
    },
  };
  const rows = [
    { type: "folder", id: "d1" },
    { type: "file", id: "f1", size: 3 },
    { type: "folder", id: "d2" },
  ];

  test("each operation gets the keys of its own sort", async () => {
    const asked = new Set<string>();
    const report = await check(paths, (one): Reply => {
      if (!isSignedIn(one)) return SIGN_IN;
      const [first, id] = one.steps;
      if (one.method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
      if (first === "entries") return { status: 200, body: { entries: rows } };
      asked.add(one.steps.join("/"));
      const found = rows.find((row) => row.id === id && `${row.type}s` === first);
      return found ? { status: 200, body: found } : { status: 404, body: {} };
    });
    expect({ verdict: report.verdict, findings: report.findings }).toEqual({
      verdict: "kept",
      findings: [],
    });
    expect([...asked].filter((one) => /files\/d\d$|folders\/f\d$/.test(one))).toEqual([]);
  });
});

describe("what a document says in its own way", () => {
  const thing = fields({ id: TEXT, owner: { nullable: true, allOf: [fields({ mail: TEXT })] } });
  const list = operation("listThings", { 200: listOf(thing) });

  test("null beside allOf is one note, and no finding", () => {
    const loose = toDocument({ "/things": { get: list } }, { openapi: "3.0.3" });
    expect(loose.notes.map(({ text }) => text)).toEqual([
      "nullable stands without a type, here first: null is let through",
    ]);
    expect(toDocument({ "/things": { get: list } }).notes).toEqual([]);
  });

  test("an order that prose promises is compared, and no other", async () => {
    const style = { in: "query", name: "style", schema: { ...TEXT, default: "plain" } };
    const rows = [{ id: "a" }, { id: "b" }];
    const findIn = async (description: string) => {
      const get = { ...list, description, parameters: [style] };
      const { findings } = await check({ "/things": { get } }, (asked): Reply => {
        if (!isSignedIn(asked)) return SIGN_IN;
        if (asked.method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
        return { status: 200, body: asked.query.has("style") ? rows.toReversed() : rows };
      });
      return findings.map(({ requirement }) => requirement);
    };
    expect(await findIn("All things.")).toEqual([]);
    expect(await findIn("The newest things first.")).toContain("default.same");
  });

  test("what is read only in words alone is not sent", async () => {
    const odd = fields({
      name: TEXT,
      serial: { ...TEXT, description: "Set by the service. Read-only." },
    });
    const shown = fields({ id: TEXT, name: TEXT, serial: TEXT }, ["id"]);
    const sent: unknown[] = [];
    await check(
      {
        "/things": {
          get: operation("listThings", { 200: listOf(shown) }),
          post: {
            ...operation("addThing", { 201: shown }),
            requestBody: { required: true, ...content(odd) },
          },
        },
        "/things/{id}": {
          get: { ...operation("getThing", { 200: shown }), parameters: [inPath("id")] },
        },
      },
      (asked): Reply => {
        if (!isSignedIn(asked)) return SIGN_IN;
        if (asked.method === "POST") sent.push(asked.body);
        return asked.method === "POST" ? { status: 400, body: {} } : { status: 200, body: [] };
      },
      { mayWrite: true },
    );
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((one) => JSON.stringify(one ?? "").includes("serial"))).toEqual([]);
  });
});

describe("what wrong bodies prove", () => {
  const FORM = {
    title: { ...TEXT, minLength: 1 },
    state: { type: "string", enum: ["open", "closed"] },
  };
  const shown = fields({ id: TEXT, ...FORM }, ["id", "title"]);
  const paths = {
    "/tickets": {
      get: operation("listTickets", { 200: listOf(shown) }),
      post: operation("addTicket", { 201: shown }, fields(FORM, ["title"])),
    },
    "/tickets/{id}": {
      parameters: [inPath("id")],
      get: operation("getTicket", { 200: shown }),
      patch: operation("patchTicket", { 200: shown }, fields(FORM, ["title"])),
    },
  };
  /** `isHeeded`: whether the state is read at all. */
  const findIn = async (isHeeded: boolean) => {
    const all: Thing[] = [{ id: "a1", title: "A", state: "open" }];
    const { findings } = await check(
      paths,
      (asked): Reply => {
        if (!isSignedIn(asked)) return SIGN_IN;
        const { method, steps, body, headers } = asked;
        const thing = all.find(({ id }) => id === steps[1]);
        if (steps[0] !== "tickets" || (steps[1] !== undefined && thing === undefined))
          return { status: 404, body: {} };
        if (method === "GET") return { status: 200, body: thing ?? all };
        if (!["POST", "PATCH"].includes(method))
          return { status: 405, headers: { allow: "GET, HEAD, POST, PATCH" } };
        if (!/^application\/json/i.test(headers.get("content-type") ?? ""))
          return { status: 415, body: {} };
        const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
        const sent: Thing = isObject ? { ...body } : {};
        const { title = thing?.["title"], state = "open" } = sent;
        if (!isObject || typeof title !== "string" || title === "")
          return { status: 400, body: {} };
        const kept = {
          id: thing?.["id"] ?? `n${all.length}`,
          title,
          state: isHeeded ? state : "open",
        };
        if (thing === undefined) all.push(kept);
        else all.splice(all.indexOf(thing), 1, kept);
        return { status: method === "POST" ? 201 : 200, body: kept };
      },
      { mayWrite: true },
    );
    return findings
      .filter(({ requirement }) => requirement === "input.refused")
      .map(({ fault, operation: id }) => `${id}: ${fault}`);
  };

  test("a field that is not used may hold anything, also where what is sent happens to be what all have", async () => {
    expect(await findIn(false)).toEqual([]);
    expect((await findIn(true)).join()).toContain("addTicket: a body whose state is");
  });

  test("a patch may leave out what its schema requires of the whole", async () => {
    expect((await findIn(true)).filter((one) => one.includes("without title"))).toEqual([]);
  });
});

test("what is set below a thing is found, and taken away again", async () => {
  const star = { parameters: [inPath("id")] };
  const paths = {
    ...toPaths(PLAIN),
    "/tickets/{id}/star": {
      ...star,
      get: operation("isStarred", { 204: null }),
      put: operation("star", { 204: null }),
      delete: operation("unstar", { 204: null }),
    },
  };
  const { reply, all } = serve(PLAIN);
  const stars = new Set<string>();
  const touched: string[] = [];
  const report = await check(
    paths,
    (asked): Reply => {
      const [, id = "", below] = asked.steps;
      if (below !== "star") return reply(asked);
      if (!isSignedIn(asked)) return SIGN_IN;
      if (!["GET", "PUT", "DELETE"].includes(asked.method))
        return { status: 405, headers: { allow: "GET, PUT, DELETE" } };
      if (asked.method !== "GET" && id.startsWith("a")) touched.push(`${asked.method} ${id}`);
      if (!all.has(id)) return { status: 404, body: {} };
      if (asked.method === "PUT") stars.add(id);
      if (asked.method === "DELETE") stars.delete(id);
      return asked.method === "GET" && !stars.has(id) ? { status: 404, body: {} } : { status: 204 };
    },
    { rules: RULES, mayWrite: true },
  );
  expect({ verdict: report.verdict, findings: report.findings, touched }).toEqual({
    verdict: "kept",
    findings: [],
    touched: [],
  });
  expect(report.unseen).toEqual([]);
});
