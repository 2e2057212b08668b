// A small service of the tests' own, which keeps its document; a fault is put into it by replacing one of its parts.
import { fileURLToPath } from "node:url";
import {
  type ApiOptions,
  checkApi,
  checkWithSelfTest,
  loadDocument,
  loadRelations,
  type Relations,
} from "../../src/index.ts";
import { type Asked, createService } from "../services.ts";

export interface Book {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly lent: boolean;
  readonly year: number;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a test may replace. */
export interface Parts {
  readonly books: readonly Book[];
  readonly isSignedIn: (authorization: string | null) => boolean;
  readonly select: (books: readonly Book[], query: URLSearchParams) => readonly Book[];
  readonly page: (books: readonly Book[], page: number, size: number) => readonly Book[];
  /** The last word on every response. */
  readonly finish: (reply: Reply, request: Asked) => Reply;
}

const AUTHORS = ["Ada Ølund", "Ben Noor", "Cy Twill"];

export const BOOKS: readonly Book[] = Array.from({ length: 45 }, (_, index) => ({
  id: 100 + index,
  title: `Volume ${index}`,
  author: AUTHORS[(index * 7) % 3] ?? "",
  lent: index % 4 === 0,
  year: 1980 + (index % 20),
}));

const TOKEN = "a-token-of-the-library";

const PARTS: Parts = {
  books: BOOKS,
  isSignedIn: (authorization) =>
    authorization?.replace(/^bearer /i, "Bearer ") === `Bearer ${TOKEN}`,
  select: (books, query) =>
    books.filter(
      ({ author, lent, year }) =>
        (query.get("author") ?? author) === author &&
        (query.get("lent") ?? String(lent)) === String(lent) &&
        (query.get("year") ?? String(year)) === String(year),
    ),
  page: (books, page, size) => books.slice((page - 1) * size, page * size),
  finish: (reply) => reply,
};

const PROBLEM = { "content-type": "application/problem+json" };
const problem = (status: number, title: string): Reply => ({
  status,
  body: { title },
  headers: PROBLEM,
});

function createLibrary(faults: Partial<Parts> = {}) {
  const parts = { ...PARTS, ...faults };
  const books = new Map(parts.books.map((book) => [book.id, book]));
  let lastId = 1_000;
  const answer = (request: Asked): Reply => {
    const { pathname, searchParams } = request.url;
    if (!parts.isSignedIn(request.headers.get("Authorization")))
      return { ...problem(401, "Sign in."), headers: { ...PROBLEM, "www-authenticate": "Bearer" } };
    const method = request.method === "HEAD" ? "GET" : request.method;
    const [, id] = /^\/books\/(\w+)$/.exec(decodeURIComponent(pathname)) ?? [];
    if (pathname === "/books" && method === "GET") return list(searchParams);
    const body = parseJson(request.body);
    const type = request.headers.get("Content-Type") ?? "application/json";
    if (!/^application\/json\b/i.test(type)) return problem(415, "The body is JSON.");
    if (pathname === "/books/search" && method === "POST") {
      const fault = findSearchFault(body);
      return fault === undefined ? list(toSearchParams(body)) : problem(400, fault);
    }
    if (pathname === "/books" && method === "POST") {
      const fault = findFault(body, true);
      if (fault !== undefined) return problem(400, fault);
      const book = { ...(body as Omit<Book, "id">), id: (lastId += 1) };
      books.set(book.id, book);
      return { status: 201, body: book };
    }
    if (id === undefined) return problem(404, "No such path.");
    if (!/^\d+$/.test(id)) return problem(400, "bookId must be an integer.");
    const book = books.get(Number(id));
    if (book === undefined) return problem(404, "No such book.");
    if (method === "GET") return { status: 200, body: book };
    if (method === "PATCH") {
      const fault = findFault(body, false);
      if (fault !== undefined) return problem(400, fault);
      books.set(book.id, { ...book, ...(body as Partial<Book>) });
      return { status: 200, body: books.get(book.id) };
    }
    if (method !== "DELETE")
      return {
        ...problem(405, "No such method."),
        headers: { ...PROBLEM, allow: "GET, HEAD, PATCH, DELETE" },
      };
    books.delete(book.id);
    return { status: 204 };
  };
  const list = (query: URLSearchParams): Reply => {
    const [page, size] = [query.get("page") ?? "1", query.get("size") ?? "20"];
    if (
      ![page, size, query.get("year") ?? "1"].every((text) => /^\d+$/.test(text)) ||
      Number(page) < 1 ||
      Number(size) < 1 ||
      Number(size) > 20
    )
      return problem(400, "page, size and year are integers.");
    if (!["true", "false", null].includes(query.get("lent")))
      return problem(400, "lent is true or false.");
    const selected = parts.select([...books.values()], query);
    return {
      status: 200,
      body: { total: selected.length, books: parts.page(selected, Number(page), Number(size)) },
    };
  };
  return createService((request) => toSent(parts.finish(answer(request), request)));
}

const toSent = ({ body, ...reply }: Reply) => ({
  ...reply,
  body: body === undefined ? "" : JSON.stringify(body),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const TYPES = { title: "string", author: "string", lent: "boolean", year: "number" } as const;

function findFault(body: unknown, isWhole: boolean): string | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return "The body is an object.";
  const fields = body as Readonly<Record<string, unknown>>;
  return Object.entries(TYPES).find(
    ([name, type]) =>
      (isWhole || name in fields) &&
      (typeof fields[name] !== type ||
        fields[name] === "" ||
        (name === "year" && !Number.isInteger(fields[name]))),
  )?.[0];
}

const SEARCH_TYPES = { author: "string", year: "number", page: "number", size: "number" } as const;

function findSearchFault(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return "The body is an object.";
  const isWrong = ([name, value]: readonly [string, unknown]) =>
    typeof value !== SEARCH_TYPES[name as keyof typeof SEARCH_TYPES];
  return Object.entries(body).find(isWrong)?.[0];
}

const toSearchParams = (body: unknown): URLSearchParams =>
  new URLSearchParams(Object.entries(body as Record<string, string>));

const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));
export const DOCUMENT = at("openapi.yaml");
export const RELATIONS = at("relations.yaml");

export async function loadOwn() {
  const document = await loadDocument(DOCUMENT);
  return { document, relations: await loadRelations(document, [RELATIONS]) };
}

/** Checks a library with these faults, writing too unless told otherwise. */
export async function checkLibrary(
  faults: Partial<Parts> = {},
  options: ApiOptions & {
    readonly token?: string;
    readonly isSelfTest?: boolean;
    /** In place of what the relations say. */
    readonly relations?: Partial<Relations>;
  } = {},
) {
  const library = createLibrary(faults);
  const { document, relations } = await loadOwn();
  const { token = TOKEN, isSelfTest = false, relations: others, ...rest } = options;
  return await (isSelfTest ? checkWithSelfTest : checkApi)({
    document,
    relations: { ...relations, ...others },
    target: { ...library, first: { headers: { Authorization: `Bearer ${token}` } } },
    options: { mayWrite: true, ...rest },
  });
}
