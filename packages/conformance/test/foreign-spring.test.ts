// Habits of generated documents and their services: `default` for a success, optional credentials, HEAD of its own, uploads, creations without a body.
import { expect, test } from "vitest";
import {
  KEPT,
  listing,
  type Paths,
  serve,
  summarise,
  type Thing,
  THING,
  THINGS,
  things,
} from "./foreign/things.ts";
import {
  type Asked,
  content,
  fields,
  inPath,
  isSignedIn,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
} from "./styles.ts";

const none = { description: "" };
const NAMED = fields({ name: { ...TEXT, minLength: 1 } }, ["name"]);
const MISSING: Reply = { status: 404, body: {} };

test("without a success, default is the success and says nothing of errors", async () => {
  const paths = (more: object): Paths => ({
    "/things": THINGS["/things"] ?? {},
    "/things/{id}": {
      parameters: [inPath("id")],
      get: {
        operationId: "getThing",
        responses: { ...more, default: { ...none, ...content(THING) } },
      },
    },
  });
  const reply = serve({ things: things("t") });
  expect(await summarise(paths({ 400: none }), reply)).toMatchObject(KEPT);
  const strict = await summarise(paths({ 200: { ...none, ...content(THING) } }), reply);
  expect(new Set(strict.findings)).toEqual(new Set(["answer.schema getThing"]));
});

test.each<readonly [about: string, more: Thing]>([
  ["optional", { security: [{ main: [] }, {}] }],
  ["not mentioned", { security: undefined }],
])("credentials that are %s are sent", async (_about, more) => {
  expect(await summarise(THINGS, serve({ things: things("t") }), { more })).toMatchObject(KEPT);
});

test("a HEAD that the document gives a meaning of its own is not that of GET", async () => {
  const failure = { ...none, ...content(fields({ error: TEXT }, ["error"])) };
  const paths: Paths = {
    ...THINGS,
    "/things": {
      ...THINGS["/things"],
      head: {
        operationId: "hasThing",
        parameters: [{ in: "query", name: "thing_name", required: true, schema: TEXT }],
        responses: { 200: none, 400: failure, 404: failure },
      },
    },
  };
  const reply = (asked: Asked): Reply => {
    const name = asked.query.get("thing_name");
    if (!asked.isHead || !isSignedIn(asked) || asked.steps.length > 1)
      return serve({ things: things("t") })(asked);
    if (name === null) return { status: 400, headers: { "content-type": "application/json" } };
    return { status: things("t").some((one) => one["name"] === name) ? 200 : 404 };
  };
  expect((await summarise(paths, reply)).findings).toEqual([]);
});

test("a parameter names another field than the key, by its name or its description", async () => {
  const thing = fields({ id: { type: "integer" }, name: TEXT, digest: TEXT }, ["id", "name"]);
  const rows = things("t").map(({ name }, id) => ({ id, name, digest: `sha-${id}a` }));
  const get = (id: string, ...parameters: readonly object[]): object => ({
    ...operation(id, { 200: thing }),
    parameters,
  });
  const reference = { ...inPath("reference"), description: "A digest or a tag" };
  const paths = {
    "/things": { get: listing("listThings", thing) },
    "/things/{id}": { get: get("getThing", inPath("id", { type: "integer" })) },
    "/things/{thing_name}/state": { get: get("getState", inPath("thing_name")) },
    "/things/{reference}/plan": { get: get("getPlan", reference) },
  };
  const reply = (asked: Asked): Reply => {
    const [, key, part] = asked.steps;
    const field = part === "state" ? "name" : part === "plan" ? "digest" : "id";
    const found = rows.find((one) => String(one[field]) === key);
    if (!isSignedIn(asked)) return SIGN_IN;
    if (asked.method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
    if (key === undefined) return { status: 200, body: { items: rows } };
    return found === undefined ? MISSING : { status: 200, body: found };
  };
  expect(await summarise(paths, reply)).toMatchObject(KEPT);
});

/** Albums, answered to their creation by an address alone, with files, which come back as they were sent. */
function createAlbums() {
  const albums = new Map([["1", { id: 1, name: "old", owner: "ann", mark: 9 }]]);
  const files = new Map<string, { readonly album: string; readonly text: string }>();
  let last = 1;
  const show = (key: string) => {
    const { text = "" } = files.get(key) ?? {};
    return { id: Number(key), kind: "UPLOADED", size: text.length };
  };
  const reply = ({ method, steps, body, text, ...asked }: Asked): Reply => {
    const [, key = "", part, file = ""] = steps;
    const { name } = Object(body) as { name?: unknown };
    if (!isSignedIn({ method, steps, body, text, ...asked })) return SIGN_IN;
    if (key === "") {
      if (method === "GET") return { status: 200, body: { items: [...albums.values()] } };
      if (method !== "POST") return { status: 405, headers: { allow: "GET, HEAD, POST" } };
      if (typeof name !== "string" || name === "") return { status: 400, body: {} };
      const made = { id: (last += 1), name, owner: "ann", mark: 9 };
      albums.set(String(made.id), made);
      return { status: 201, headers: { location: `/albums/${made.id}` } };
    }
    const album = albums.get(key);
    if (album === undefined) return MISSING;
    if (part === undefined) {
      if (method === "GET") return { status: 200, body: album };
      if (method === "DELETE") return albums.delete(key) ? { status: 204 } : MISSING;
      if (method !== "PUT") return { status: 405, headers: { allow: "GET, HEAD, PUT, DELETE" } };
      const { id } = Object(body) as { id?: unknown };
      if (typeof name !== "string" || name === "" || id !== album.id)
        return { status: 400, body: {} };
      albums.set(key, { ...album, name });
      return { status: 200, body: albums.get(key) };
    }
    if (file === "") {
      const all = [...files].filter(([, one]) => one.album === key);
      if (method === "GET") return { status: 200, body: { items: all.map(([id]) => show(id)) } };
      if (method !== "POST") return { status: 405, headers: { allow: "GET, HEAD, POST" } };
      const [, sent] = /name="file"[^]*?\r\n\r\n([^]*?)\r\n--/.exec(text) ?? [];
      if (sent === undefined) return { status: 400, body: {} };
      files.set(String((last += 1)), { album: key, text: sent });
      return { status: 201, body: show(String(last)) };
    }
    const found = files.get(file);
    if (found?.album !== key) return MISSING;
    if (method === "DELETE") return files.delete(file) ? { status: 204 } : MISSING;
    if (method !== "GET") return { status: 405, headers: { allow: "GET, HEAD, DELETE" } };
    const type = { "content-type": "application/octet-stream" };
    return { status: 200, body: found.text, headers: type };
  };
  return { reply, albums, files };
}

const INTEGER = { type: "integer" };
const ALBUM = fields({ id: INTEGER, name: TEXT, owner: TEXT, mark: INTEGER }, ["id", "name"]);
const FILE = fields({ id: INTEGER, kind: TEXT, size: INTEGER }, ["id", "kind", "size"]);
const KEYED = fields({ id: INTEGER, name: { ...TEXT, minLength: 1 } }, ["id", "name"]);
const upload = fields({ file: { ...TEXT, format: "binary" } }, ["file"]);
const ALBUMS = {
  "/albums": {
    get: listing("listAlbums", ALBUM),
    post: operation("createAlbum", { 201: null }, NAMED),
  },
  "/albums/{id}": {
    parameters: [inPath("id", INTEGER)],
    get: operation("getAlbum", { 200: ALBUM }),
    put: operation("updateAlbum", { 200: ALBUM }, KEYED),
    delete: operation("deleteAlbum", { 204: null }),
  },
  "/albums/{id}/files": {
    parameters: [inPath("id", INTEGER)],
    get: listing("listFiles", FILE),
    post: {
      ...operation("addFile", { 201: FILE }),
      requestBody: { required: true, content: { "multipart/form-data": { schema: upload } } },
    },
  },
  "/albums/{id}/files/{fileId}": {
    parameters: [inPath("id", INTEGER), inPath("fileId", INTEGER)],
    get: {
      operationId: "getFile",
      responses: { 200: { ...none, content: { "application/octet-stream": {} } }, "4XX": none },
    },
    delete: operation("deleteFile", { 204: null }),
  },
};

test("a creation without a body and an upload belong to the run, which deletes them", async () => {
  const { reply, albums, files } = createAlbums();
  const rules = [
    {
      lifecycle: {
        of: "createAlbum",
        read: "getAlbum",
        update: "updateAlbum",
        delete: "deleteAlbum",
        list: "listAlbums",
      },
    },
    { lifecycle: { of: "addFile", read: "getFile", delete: "deleteFile", list: "listFiles" } },
  ];
  const options = { mayWrite: true, isEmptyOk: true, rules };
  expect(await summarise(ALBUMS, reply, options)).toMatchObject(KEPT);
  expect([[...albums.keys()], [...files.keys()]]).toEqual([["1"], []]);
});
