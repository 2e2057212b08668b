// What public documents of others say, and services of theirs do, that raises no alarm.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { findKeyName } from "../src/relations/shape.ts";
import {
  getting,
  KEPT,
  listing,
  serve,
  summarise,
  THING,
  THINGS,
  things,
} from "./foreign/things.ts";
import { INTEGER, isText, NAME, notAllowed, type Row, toFields } from "./foreign/tables.ts";
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
  toFetch,
} from "./styles.ts";

test("the parameter's name less the word of its collection is the key", () => {
  const names = ["lago_id", "slug", "external_id", "name"];
  expect(findKeyName(names, "external_customer_id", "/customers")).toBe("external_id");
  expect(findKeyName(["slug", "name"], "external_customer_id", "/customers")).toBe("slug");
});

test("what fits two schemas of a oneOf fits, and what fits none does not", async () => {
  const size = { oneOf: [TEXT, INTEGER, { type: "number" }] };
  const thing = fields({ ...THING.properties, size }, ["id", "name"]);
  const paths = {
    "/things": { get: listing("listThings", thing) },
    "/things/{id}": { get: getting("getThing", thing) },
  };
  const sized = (value: unknown) =>
    serve({ things: things("t").map((one) => ({ ...one, size: value })) });
  expect(await summarise(paths, sized(14))).toMatchObject(KEPT);
  expect((await summarise(paths, sized(true))).findings).toContain("answer.schema listThings");
});

test("an operation that always fails, as the document says, is not asked for a success", async () => {
  const broken = (description: string) => ({
    ...THINGS,
    "/broken": { get: { ...operation("break", { 200: THING }), description } },
  });
  const reply = serve({ things: things("t") }, (one) => one);
  const failing = (asked: Asked): Reply =>
    asked.steps[0] === "broken" && isSignedIn(asked) && asked.method === "GET"
      ? { status: 400, body: {} }
      : reply(asked);
  expect(await summarise(broken("Always fails."), failing)).toMatchObject(KEPT);
  expect((await summarise(broken("Fails seldom."), failing)).findings).toContain(
    "answer.success break",
  );
});

/** A thing with a validator, whose note is kept in lower case or not at all. */
function openNotes(keep: (note: string, was: unknown) => unknown, isNullRefused = false) {
  const rows = new Map<string, Row>([["n1", { id: "n1", name: "first", note: "seed" }]]);
  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const key = steps[1];
    const was = rows.get(key ?? "");
    if (key !== undefined && was === undefined) return { status: 404, body: {} };
    if (method === "GET" && was === undefined) return { status: 200, body: [...rows.values()] };
    const tag = `"${createHash("sha256")
      .update(JSON.stringify(was ?? ""))
      .digest("hex")}"`;
    if (method === "GET")
      return asked.headers.get("if-none-match") === tag
        ? { status: 304, headers: { etag: tag } }
        : { status: 200, body: was, headers: { etag: tag } };
    if (method === "DELETE" && key !== undefined) return { status: rows.delete(key) ? 204 : 404 };
    const isCreation = key === undefined && method === "POST";
    if (!isCreation && (key === undefined || method !== "PATCH"))
      return notAllowed("GET", "HEAD", ...(key === undefined ? ["POST"] : ["PATCH", "DELETE"]));
    if (typeof body !== "object" || Array.isArray(body)) return { status: 400, body: {} };
    const { name, note }: Row = { ...was, ...body };
    const isNote =
      note === undefined || typeof note === "string" || (note === null && !isNullRefused);
    if (!isText(name) || !isNote) return { status: 400, body: {} };
    const id = key ?? `n${rows.size + 100}`;
    const kept = isText(note) && isText(was?.["note"]) ? keep(note, was["note"]) : note;
    rows.set(id, { id, name, ...(kept !== undefined && { note: kept }) });
    return { status: isCreation ? 201 : 200, body: rows.get(id) };
  };
  const note = { type: ["string", "null"] };
  const thing = fields({ id: TEXT, name: TEXT, note }, ["id", "name"]);
  const sent = fields({ name: NAME, note }, ["name"]);
  const paths = {
    "/notes": {
      get: operation("listNotes", { 200: listOf(thing) }),
      post: operation("addNote", { 201: thing }, sent),
    },
    "/notes/{noteId}": {
      parameters: [inPath("noteId")],
      get: operation("getNote", { 200: thing }),
      patch: operation("patchNote", { 200: thing }, fields({ name: NAME, note })),
      delete: operation("deleteNote", { 204: null }),
    },
  };
  const life = { of: "addNote", read: "getNote", update: "patchNote", delete: "deleteNote" };
  const rules = [{ lifecycle: life }];
  return summarise(paths, reply, { mayWrite: true, rules });
}

test("the tag of what a change left as it was stays", async () => {
  const { findings } = await openNotes((_note, was) => was);
  expect(findings).toContain("lifecycle.update getNote");
  expect(findings.filter((one) => one.startsWith("lifecycle.validators"))).toEqual([]);
});

test("null may be refused where the schema allows it, and a change that is lost is found", async () => {
  expect(await openNotes((note) => note, true)).toMatchObject(KEPT);
  const { findings } = await openNotes((_note, was) => was, true);
  expect(findings).toContain("lifecycle.update getNote");
});

const only = (properties: Row, required: readonly string[] = []) => ({
  ...fields(properties, required),
  additionalProperties: false,
});

test("parts of an allOf that are closed each are closed together", async () => {
  const thing = {
    allOf: [only({ id: TEXT }, ["id"]), only({ name: TEXT })],
    additionalProperties: false,
  };
  const paths = {
    "/things": { get: listing("listThings", thing) },
    "/things/{id}": { get: getting("getThing", thing) },
  };
  expect(await summarise(paths, serve({ things: things("t") }))).toMatchObject(KEPT);
  const more = serve({ things: things("t").map((one) => ({ ...one, size: 1 })) });
  expect((await summarise(paths, more)).findings).toContain("answer.schema getThing");
});

test("a response may repeat its own address, and may not be another one", async () => {
  const thing = fields({ ...THING.properties, self: TEXT }, ["id", "name"]);
  const paths = {
    "/things": { get: listing("listThings", thing) },
    "/things/{id}": { get: getting("getThing", thing) },
  };
  const repeat = (change: (one: Row) => Row) => (asked: Asked, path: string) => {
    const came = serve({ things: things("t") })(asked);
    return asked.steps.length < 2 || came.status !== 200
      ? came
      : { ...came, body: change({ ...toFields(came.body), self: path }) };
  };
  const checkAt = async (reply: ReturnType<typeof repeat>) => {
    const seen: string[] = [];
    const target: typeof fetch = async (input, init) => {
      seen.push(new URL(input instanceof Request ? input.url : input).pathname);
      return await toFetch((asked) => reply(asked, seen.at(-1) ?? ""))(input, init);
    };
    const { findings } = await check(paths, () => SIGN_IN, { target: { fetch: target } });
    return findings.map(({ requirement }) => requirement);
  };
  expect(await checkAt(repeat((one) => one))).toEqual([]);
  const other = (one: Row): Row =>
    String(one["self"]).includes("%") ? { ...one, name: "another" } : one;
  expect(await checkAt(repeat(other))).toContain("http.encoding");
});

/** Rooms whose size is sent as text and shown as a number, and which say what they are. */
function openRooms(keep: (size: string, was: Row | undefined) => number) {
  const rows = new Map<string, Row>([["r1", { id: "r1", kind: "room", size: 3, name: "first" }]]);
  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    if (!isSignedIn(asked)) return SIGN_IN;
    const key = steps[1];
    const was = rows.get(key ?? "");
    if (key !== undefined && was === undefined) return { status: 404, body: {} };
    if (method === "GET") return { status: 200, body: was ?? [...rows.values()] };
    if (method === "DELETE" && key !== undefined) return { status: rows.delete(key) ? 204 : 404 };
    if (method !== (key === undefined ? "POST" : "PUT"))
      return notAllowed("GET", "HEAD", ...(key === undefined ? ["POST"] : ["PUT", "DELETE"]));
    if (typeof body !== "object") return { status: 400, body: {} };
    const { kind, name, size } = toFields(body);
    if (kind !== "room" || !isText(name) || typeof size !== "string" || !/^[1-3]$/.test(size))
      return { status: 400, body: {} };
    const id = key ?? `r${rows.size + 1}`;
    rows.set(id, { id, kind, name, size: keep(size, was) });
    return { status: key === undefined ? 201 : 200, body: rows.get(id) };
  };
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = {
    kind: { type: "string", enum: ["hall", "room"] },
    base: {
      ...fields({ kind: ref("kind") }, ["kind"]),
      discriminator: {
        propertyName: "kind",
        mapping: { hall: "#/components/schemas/hall", room: "#/components/schemas/room" },
      },
    },
    hall: { allOf: [ref("base"), fields({ seats: INTEGER })] },
    room: {
      allOf: [
        ref("base"),
        fields({ name: NAME, size: { ...TEXT, enum: ["1", "2", "3"] } }, ["name", "size"]),
      ],
    },
  };
  const room = fields({ id: TEXT, kind: TEXT, name: TEXT, size: INTEGER }, ["id"]);
  const paths = {
    "/rooms": {
      get: operation("listRooms", { 200: listOf(room) }),
      post: operation("addRoom", { 201: room }, ref("room")),
    },
    "/rooms/{roomId}": {
      parameters: [inPath("roomId")],
      get: operation("getRoom", { 200: room }),
      put: operation("putRoom", { 200: room }, ref("room")),
      delete: operation("deleteRoom", { 204: null }),
    },
  };
  const security = { securitySchemes: { main: { type: "http", scheme: "bearer" } } };
  const life = { of: "addRoom", read: "getRoom", update: "putRoom", delete: "deleteRoom" };
  const rules = [{ lifecycle: life }];
  return summarise(paths, reply, {
    mayWrite: true,
    rules,
    more: { components: { ...security, schemas } },
  });
}

test("a change has what was sent where what is shown does not fit, and leaves the kind as it is", async () => {
  expect(await openRooms(Number)).toMatchObject(KEPT);
  const { findings } = await openRooms((size, was) => Number(was?.["size"] ?? size));
  expect(findings).toContain("lifecycle.update getRoom");
});

test("a parameter that takes several values filters by each of its rows'", async () => {
  const kinds = ["a", "b", "a", "c", "b", "a"];
  const rows = kinds.map((kind, at) => ({ id: `t${at}`, name: `t ${at}`, kind }));
  const thing = fields({ ...THING.properties, kind: TEXT }, ["id", "name"]);
  const parameters = [{ in: "query", name: "kinds", schema: listOf(TEXT) }];
  const paths = { "/things": { get: listing("listThings", thing, { parameters }) } };
  const serveBy = (isKept: boolean) => (asked: Asked) => {
    const wanted = asked.query.getAll("kinds");
    const found = rows.filter(({ kind }) => wanted.length === 0 || wanted.includes(kind));
    return serve({ things: isKept ? found : rows })(asked);
  };
  const rules = [{ filter: { of: "listThings", by: "kinds", field: "kind" } }];
  expect(await summarise(paths, serveBy(true), { rules })).toMatchObject(KEPT);
  const { findings } = await summarise(paths, serveBy(false), { rules });
  expect(findings).toContain("filter.match listThings");
});
