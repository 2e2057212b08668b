// A check of an API by document and relations: a service that keeps both, and one with each of these faults.
import { expect, test } from "vitest";
import type { Rule } from "../src/relations/kinds.ts";
import { BOOKS, checkLibrary, loadOwn, type Parts } from "./library/service.ts";

test("a service that keeps its document and relations has no findings", async () => {
  const report = await checkLibrary();
  expect(report.findings).toEqual([]);
  expect(report.skipped.map(({ requirement, why }) => `${requirement}: ${why}`)).toEqual([]);
});

test("a finding has the sentence and the source of its requirement", async () => {
  const { relations } = await loadOwn();
  const rules = relations.rules.map((rule) =>
    rule.kind === "page" ? { ...rule, ids: { past: "B-3" } } : rule,
  );
  const stated = {
    operations: ["listBooks"],
    says: "Past the end is nothing.",
    basis: "document",
    source: "info.description",
    isOfService: false,
  } as const;
  const { findings } = await checkLibrary(
    {
      page: (books, page, size) =>
        page > 50 ? books.slice(0, size) : books.slice((page - 1) * size, page * size),
    },
    { relations: { rules, requirements: new Map([["B-3", stated]]) } },
  );
  expect(findings).toContainEqual(
    expect.objectContaining({
      requirement: "B-3",
      says: "Past the end is nothing.",
      source: "spec: info.description",
    }),
  );
});

const body = (change: (book: Record<string, unknown>) => unknown): Pick<Parts, "finish"> => ({
  finish: (reply, { method }) =>
    reply.status === 201 ||
    (method === "GET" && reply.body !== undefined && "id" in Object(reply.body))
      ? { ...reply, body: change(reply.body as Record<string, unknown>) }
      : reply,
});

const FAULTS: readonly (readonly [requirement: string, about: string, faults: Partial<Parts>])[] = [
  [
    "page.distinct",
    "a row stands on two pages",
    { page: (books, page, size) => books.slice(Math.max(0, (page - 1) * size - 1), page * size) },
  ],
  [
    "page.circle",
    "every page is the first",
    { page: (books, _page, size) => books.slice(0, size) },
  ],
  [
    "page.size",
    "a page is shorter than asked for",
    {
      page: (books, page, size) =>
        books.slice((page - 1) * size, page * size - (size > 15 ? 5 : 0)),
    },
  ],
  [
    "page.past",
    "a page past the end has rows",
    {
      page: (books, page, size) =>
        page > 50 ? books.slice(0, size) : books.slice((page - 1) * size, page * size),
    },
  ],
  [
    "filter.match",
    "a filter is not heeded",
    {
      select: (books, query) =>
        books.filter(
          ({ author }) => query.has("lent") || (query.get("author") ?? author) === author,
        ),
    },
  ],
  [
    "filter.finds",
    "a filter loses rows",
    {
      select: (books, query) =>
        books.filter(
          ({ author, lent }, index) =>
            (query.get("author") ?? author) === author &&
            (query.get("lent") ?? String(lent)) === String(lent) &&
            (!query.has("author") || index % 9 !== 0),
        ),
    },
  ],
  [
    "filter.and",
    "of two filters one counts",
    {
      select: (books, query) =>
        books.filter(
          ({ author, lent }) =>
            (query.get("author") ?? author) === author &&
            (query.has("author") || (query.get("lent") ?? String(lent)) === String(lent)),
        ),
    },
  ],
  ["sameAs.same", "the list shows another year", body((book) => ({ ...book, year: 1 }))],
  [
    "echo.hard",
    "text is stored in ASCII",
    body((book) => ({ ...book, title: String(book["title"]).replaceAll(/[^ -~]/g, "?") })),
  ],
  ["answer.schema", "a field is not documented", body((book) => ({ ...book, shelf: 1 }))],
  ["answer.schema", "a field is missing", body(({ year: _year, ...book }) => book)],
  [
    "answer.secrets",
    "a refusal shows the credentials that were sent",
    {
      finish: (reply, { headers }) =>
        reply.status === 400
          ? { ...reply, body: { title: `Bad request by ${headers.get("Authorization")}` } }
          : reply,
    },
  ],
  [
    "answer.server-error",
    "an unknown key is answered 500",
    { finish: (reply) => (reply.status === 404 ? { status: 500 } : reply) },
  ],
  [
    "answer.content-type",
    "a created book comes with a status that is documented for problems alone",
    { finish: (reply) => (reply.status === 201 ? { ...reply, status: 202 } : reply) },
  ],
];

test.each(FAULTS)("%s: %s", async (requirement, _about, faults) => {
  const { verdict, findings } = await checkLibrary(faults);
  expect(verdict).toBe("drift");
  expect(findings.map((finding) => finding.requirement)).toContain(requirement);
});

const search = (change: (found: { total: number; books: readonly unknown[] }) => unknown) =>
  checkLibrary({
    finish: (reply, { url }) =>
      url.pathname === "/books/search" && reply.status === 200
        ? { ...reply, body: change(reply.body as { total: number; books: readonly unknown[] }) }
        : reply,
  });

test.each([
  [
    "count.total",
    (found: { books: readonly unknown[] }) => ({ ...found, total: found.books.length }),
  ],
  [
    "page.size",
    (found: { books: readonly unknown[] }) => ({ ...found, books: found.books.slice(0, 15) }),
  ],
  [
    "filter.match",
    (found: { books: readonly unknown[] }) => ({
      ...found,
      books: BOOKS.slice(0, found.books.length),
    }),
  ],
] as const)("%s of a search whose conditions stand in the body", async (requirement, change) => {
  const { findings } = await search(change);
  const ofSearch = findings.filter(({ operation }) => operation === "searchBooks");
  expect(ofSearch.map((finding) => finding.requirement)).toContain(requirement);
});

test("a POST that is not said to be safe is not sent without leave, whatever rules are about it", async () => {
  const { relations } = await loadOwn();
  const rule = { kind: "sameAs", of: ["getBook"], as: "searchBooks", place: { file: "", line: 1 } };
  const methods = new Set<string>();
  const { skipped } = await checkLibrary(
    {},
    {
      mayWrite: false,
      relations: {
        safe: [],
        values: { bookId: "searchBooks" },
        rules: [...relations.rules, rule as Rule],
      },
      onExchange: ({ sent }) => void methods.add(sent.method),
    },
  );
  expect(methods.has("GET")).toBe(true);
  expect(methods.has("POST")).toBe(false);
  expect(skipped).toContainEqual(
    expect.objectContaining({ operation: "searchBooks", why: "needs --write" }),
  );
});

test("a fault that several operations have is told once, with all of them", async () => {
  const { findings } = await checkLibrary({
    finish: (reply) =>
      reply.status === 400 ? { ...reply, headers: { "content-type": "text/html" } } : reply,
  });
  const [first, ...others] = findings.filter(
    ({ requirement }) => requirement === "answer.content-type",
  );
  expect(first?.alsoAt).toEqual(
    others.map(({ operation, fingerprint }) => ({ operation, fingerprint })),
  );
  expect(others.length).toBeGreaterThan(0);
});

test("an empty list is no finding, and the verdict says what it could not show", async () => {
  const { findings, headline } = await checkLibrary({ books: [] }, { mayWrite: false });
  expect(findings).toEqual([]);
  expect(headline).toContain("listBooks, searchBooks had no row");
});

test("credentials that are refused are no green", async () => {
  const { verdict, reason } = await checkLibrary({}, { token: "wrong" });
  expect(verdict).toBe("unable");
  expect(reason).toContain("no success was seen of");
});

test.each([1, 5, 10, 15, 20, 25, 30])(
  "a budget of %i requests is no green",
  async (maxRequests) => {
    const { verdict, reason, requests } = await checkLibrary({}, { maxRequests });
    expect(requests).toBeLessThanOrEqual(maxRequests);
    expect({ verdict, reason }).toEqual({
      verdict: "unable",
      reason: expect.stringContaining("requests is used up"),
    });
  },
);

test("secrets are in no report", async () => {
  const report = await checkLibrary({ books: BOOKS.slice(0, 2) });
  expect(JSON.stringify(report)).not.toContain("a-token-of-the-library");
});
