// A fault that was seen is looked at a second time with a new thing, whatever texts old rows have; if that is not possible, nothing is green.
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

const BOOK = fields({ id: TEXT, title: TEXT, note: TEXT }, ["id", "title"]);
const NEW = fields({ title: { ...TEXT, minLength: 1 } }, ["title"]);
const PATHS = {
  "/books": {
    get: operation("listBooks", { 200: listOf(BOOK) }),
    post: operation("createBook", { 201: BOOK }, NEW),
  },
  "/books/{bookId}": {
    parameters: [inPath("bookId")],
    get: operation("getBook", { 200: BOOK }),
    delete: operation("deleteBook", { 204: null }),
  },
};
const LIFE = {
  lifecycle: { of: "createBook", read: "getBook", delete: "deleteBook", list: "listBooks" },
};

type Book = Readonly<Record<string, unknown>>;

interface Service {
  readonly deletes: boolean;
  /** After so many creations it refuses every other one. */
  readonly quota?: number;
}

/** New ids are n1, n2, and so on; the notes of old books have such texts, from the second on. */
function serve({ deletes, quota = Infinity }: Service) {
  const notes = Array.from({ length: 60 }, (_, at) => `n${at + 2}`);
  const books = new Map<string, Book>(
    notes.map((note, at) => [`b${at}`, { id: `b${at}`, title: `Old ${at}`, note }]),
  );
  let next = 0;
  const reply = (asked: Asked): Reply => {
    const { method, steps, body } = asked;
    const [, id] = steps;
    if (!isSignedIn(asked)) return SIGN_IN;
    if (id === undefined && method === "GET") return { status: 200, body: [...books.values()] };
    if (id === undefined && method === "POST") {
      const { title } = Object(body) as Book;
      if (next === quota) return { status: 403, body: {} };
      if (typeof title !== "string" || title === "") return { status: 400, body: {} };
      const book = { id: `n${++next}`, title };
      books.set(book.id, book);
      return { status: 201, body: book };
    }
    const book = books.get(id ?? "");
    if (book === undefined) return { status: 404, body: {} };
    if (method === "GET") return { status: 200, body: book };
    if (method !== "DELETE") return { status: 405, body: {}, headers: { allow: "GET, DELETE" } };
    if (deletes) books.delete(id ?? "");
    return { status: 204 };
  };
  return { reply, books };
}

const run = async (...given: Parameters<typeof serve>) => {
  const { reply, books } = serve(...given);
  const report = await check(PATHS, reply, { rules: [LIFE], mayWrite: true });
  return { ...report, there: [...books.keys()].filter((id) => id.startsWith("n")) };
};

test("a new thing whose key is a text of an old row is told from it by where its key stands", async () => {
  expect(await run({ deletes: true })).toMatchObject({ verdict: "kept", left: [], there: [] });
  const { verdict, findings } = await run({ deletes: false });
  expect(verdict).toBe("drift");
  expect(findings.map(({ requirement }) => requirement)).toContain("lifecycle.gone");
});

test("a DELETE that does nothing is not kept either where nothing can be created a second time", async () => {
  const { verdict, reason } = await run({ deletes: false, quota: 5 });
  expect(verdict).toBe("unable");
  expect(reason).toContain("a fault was seen, and could not be looked at a second time");
});
