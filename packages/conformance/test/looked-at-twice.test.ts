// A fault that was seen and could not be looked at again is no green, and what may be left of it is named.
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

/** New ids are n1, n2, and so on; the notes of old books have such texts, from the second on. */
function serve(deletes: boolean) {
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

test("a DELETE that does nothing is not kept, though no second creation is told from old things", async () => {
  const { reply, books } = serve(false);
  const { verdict, left } = await check(PATHS, reply, { rules: [LIFE], mayWrite: true });
  expect(verdict).not.toBe("kept");
  const there = [...books.keys()].filter((id) => id.startsWith("n"));
  const named = left.flatMap(({ what }) => what).join(" ");
  expect(there.filter((id) => id !== "n1" && !named.includes(id))).toEqual([]);
});

test("what was created with the key of an old text is named at the end", async () => {
  const { reply, books } = serve(true);
  const { left } = await check(PATHS, reply, { rules: [LIFE], mayWrite: true });
  const there = [...books.keys()].filter((id) => id.startsWith("n"));
  expect(there.length).toBeGreaterThan(0);
  const named = left.flatMap(({ what }) => what);
  expect(named.toSorted()).toEqual(there.map((id) => `/books/${id}`).toSorted());
});
