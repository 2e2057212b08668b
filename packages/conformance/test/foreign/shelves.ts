// In the style of telephony APIs: forms in one notation and rows in another, JSON in a text, two names for one key. No challenge.
import { type Asked, isSignedIn, type Reply } from "../styles.ts";
import { createStore, type Foreign, type Thing } from "./service.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const string = { type: "string" };
const ok = (schema: Thing, description = "OK") => ({
  description,
  content: { "application/json": { schema } },
});
const inPath = (name: string) => ({ name, in: "path", required: true, schema: string });
const form = (properties: Thing, more: { required?: readonly string[]; example?: Thing } = {}) => {
  const { required = [], example } = more;
  const schema = { type: "object", properties, required };
  return {
    content: {
      "application/x-www-form-urlencoded": { schema, ...(example && { example }) },
    },
  };
};
const listOf = (name: string, schema: string) =>
  ok({ type: "object", properties: { [name]: { type: "array", items: ref(schema) } } });

const shelfForm = {
  ShelfName: string,
  RoomId: string,
  IsOpen: { type: "boolean" },
};
const bookForm = { BookTitle: string, Data: {} };

const paths = {
  "/v1/shelves/{ShelfSid}/books": {
    parameters: [inPath("ShelfSid")],
    get: { operationId: "listBooks", responses: { 200: listOf("books", "Book") } },
    post: {
      operationId: "createBook",
      requestBody: form(bookForm, {
        required: ["BookTitle"],
        example: { BookTitle: "Emma", Data: '{"page": 1}' },
      }),
      responses: { 201: ok(ref("Book"), "Created") },
    },
  },
  "/v1/shelves/{ShelfSid}/books/{Sid}": {
    parameters: [inPath("ShelfSid"), inPath("Sid")],
    get: { operationId: "fetchBook", responses: { 200: ok(ref("Book")) } },
    post: {
      operationId: "updateBook",
      requestBody: form(bookForm),
      responses: { 200: ok(ref("Book")) },
    },
    delete: { operationId: "deleteBook", responses: { 204: { description: "Deleted" } } },
  },
  "/v1/shelves": {
    get: { operationId: "listShelves", responses: { 200: listOf("shelves", "Shelf") } },
    post: {
      operationId: "createShelf",
      requestBody: form(shelfForm),
      responses: { 201: ok(ref("Shelf"), "Created") },
    },
  },
  "/v1/shelves/{Sid}": {
    parameters: [inPath("Sid")],
    get: { operationId: "fetchShelf", responses: { 200: ok(ref("Shelf")) } },
    post: {
      operationId: "updateShelf",
      requestBody: form(shelfForm),
      responses: { 200: ok(ref("Shelf")) },
    },
    delete: { operationId: "deleteShelf", responses: { 204: { description: "Deleted" } } },
  },
  // Nothing shows a note, and nothing deletes it: it goes with its shelf.
  "/v1/shelves/{ShelfSid}/notes": {
    parameters: [inPath("ShelfSid")],
    post: {
      operationId: "createNote",
      requestBody: form({ Data: {} }, { required: ["Data"], example: { Data: '{"page": 1}' } }),
      responses: { 201: ok(ref("Note"), "Created") },
    },
  },
};

const sid = (prefix: string) => ({ ...string, pattern: `^${prefix}[0-9]{4}$` });
const schemas = {
  Shelf: {
    type: "object",
    properties: {
      sid: sid("SH"),
      shelf_name: string,
      room_id: { ...string, nullable: true },
      is_open: { type: "boolean" },
    },
  },
  Book: {
    type: "object",
    properties: {
      sid: sid("BK"),
      shelf_sid: sid("SH"),
      book_title: string,
      data: { nullable: true },
    },
  },
  Note: { type: "object", properties: { sid: sid("NO"), data: {} } },
};

const bad = (status: number): Reply => ({ status, body: { status, message: `error ${status}` } });

/** The fields of a form by their names in rows; undefined for a value of the wrong kind. */
function toRow({ text, headers }: Asked): Thing | undefined {
  const isForm = /^application\/x-www-form-urlencoded/i.test(headers.get("content-type") ?? "");
  if (text !== "" && !isForm) return undefined;
  const row: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const key = name.replaceAll(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
    if (name === "IsOpen") {
      if (value !== "true" && value !== "false") return undefined;
      row[key] = value === "true";
    } else if (name === "Data") {
      try {
        row[key] = JSON.parse(value);
      } catch {
        return undefined; // not JSON
      }
      if (typeof row[key] !== "object") return undefined;
    } else if (/^\w+$/.test(name)) row[key] = value;
  }
  return row;
}

export const shelves: Foreign = {
  paths,
  more: {
    openapi: "3.0.1",
    components: { schemas, securitySchemes: { main: { type: "http", scheme: "bearer" } } },
  },
  lives: ["createShelf", "createBook"],
  rules: [
    {
      lifecycle: {
        of: "createShelf",
        read: "fetchShelf",
        update: "updateShelf",
        delete: "deleteShelf",
        list: "listShelves",
      },
    },
    {
      lifecycle: {
        of: "createBook",
        read: "fetchBook",
        update: "updateBook",
        delete: "deleteBook",
        list: "listBooks",
      },
    },
    { sameAs: { of: "fetchBook", as: "listBooks" } },
  ],
  thing: { path: /^v1\/shelves\/[^/]+\/books\/[^/]+$/, field: "sid" },
  open: (habits = {}) => {
    let last = 0;
    const toSid = (prefix: string) => `${prefix}${String((last += 1)).padStart(4, "0")}`;
    const count = 3 + (habits.more ?? 0);
    const shelfSeeds = Array.from({ length: count }, (_, at) => ({
      sid: toSid("SH"),
      shelf_name: `shelf ${at}`,
      room_id: at % 2 ? null : `r${at}`,
      is_open: at % 2 === 0,
    }));
    const bookSeeds = shelfSeeds.flatMap(({ sid: shelf }, at) =>
      Array.from({ length: at === 0 ? 0 : 4 }, (_, index) => ({
        sid: toSid("BK"),
        shelf_sid: shelf,
        book_title: `Größe ${index}`,
        data: index % 2 ? { page: index } : null,
      })),
    );
    const all = createStore("shelves", shelfSeeds, { ...habits, key: "sid" });
    const books = createStore("books", bookSeeds, {
      ...habits,
      key: "sid",
      ignored: "book_title",
    });
    const EMPTY = { room_id: null, is_open: false, shelf_name: "" };

    function reply(asked: Asked): Reply {
      if (!isSignedIn(asked)) return bad(401);
      const { steps, method } = asked;
      const [version, word, shelf, inner, key] = steps;
      if (version !== "v1" || word !== "shelves" || steps.length > 5) return bad(404);
      if (shelf !== undefined && all.get(shelf) === undefined) return bad(404);
      if (inner === undefined)
        return answer(asked, {
          store: all,
          key: shelf,
          list: () => ({ shelves: all.list() }),
          make: (row) => ({ ...EMPTY, ...row, sid: toSid("SH") }),
        });
      if (inner === "notes" && key === undefined) {
        if (method !== "POST") return bad(405);
        const row = toRow(asked);
        return row?.["data"] === undefined
          ? bad(400)
          : { status: 201, body: { sid: toSid("NO"), data: row["data"] } };
      }
      if (inner !== "books") return bad(404);
      if (key !== undefined && books.get(key)?.["shelf_sid"] !== shelf) return bad(404);
      return answer(asked, {
        store: books,
        key,
        list: () => ({ books: books.list().filter((one) => one["shelf_sid"] === shelf) }),
        make: (row) =>
          row["book_title"] === undefined
            ? undefined
            : { data: null, ...row, shelf_sid: shelf, sid: toSid("BK") },
      });
    }
    return {
      reply,
      touched: () => [...all.touched, ...books.touched],
      rest: () => [...all.keys(), ...books.keys()],
    };
  },
};

interface Collection {
  readonly store: ReturnType<typeof createStore>;
  readonly key: string | undefined;
  readonly list: () => Thing;
  /** Undefined where a field is missing. */
  readonly make: (row: Thing) => Thing | undefined;
}

/** 405 has no Allow, as the document promises none. */
function answer(asked: Asked, { store, key, list, make }: Collection): Reply {
  const { method } = asked;
  if (key === undefined && method === "GET") return { status: 200, body: list() };
  if (key !== undefined && method === "GET") return { status: 200, body: store.get(key) };
  if (key !== undefined && method === "DELETE") {
    store.remove(key);
    return { status: 204 };
  }
  if (method !== "POST") return bad(405);
  const row = toRow(asked);
  if (row === undefined) return bad(400);
  if (key !== undefined) return { status: 200, body: store.change(key, row) };
  const made = make(row);
  return made === undefined ? bad(400) : { status: 201, body: store.add(made) };
}
