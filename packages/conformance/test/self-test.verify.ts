// The self-test of a check: it tells a check that can turn red from one that cannot, and writes nothing.
import { expect, test } from "vitest";
import { checkWithSelfTest, loadRelations, parseDocument } from "../src/index.ts";
import { checkLibrary, type Parts } from "./library/service.ts";
import { createService } from "./services.ts";

/** What the service was asked that may change something. A search by POST changes nothing, as the relations say. */
async function follow(options: NonNullable<Parameters<typeof checkLibrary>[1]>) {
  const writes: string[] = [];
  const finish: Parts["finish"] = (reply, { method, url }) => {
    const isSearch = url.pathname.endsWith("/search");
    if (["POST", "PATCH", "DELETE"].includes(method) && !isSearch) writes.push(method);
    return reply;
  };
  const { verdict, selfTest } = await checkLibrary({ finish }, options);
  return { verdict, selfTest, writes: writes.length };
}

const BETWEEN = [
  "the second page is the first one again",
  "a filter is ignored",
  "what is read by its key differs from its row in the list",
];

test("drifts of the answers are found, and no write is sent again", async () => {
  const plain = await follow({});
  const told: unknown[] = [];
  const tested = await follow({
    isSelfTest: true,
    onFinding: (finding) => void told.push(finding),
  });
  expect(plain.selfTest).toBeUndefined();
  expect(tested.verdict).toBe(plain.verdict);
  expect(told).toEqual([]);
  expect(tested.writes).toBe(plain.writes);
  const { seen = [], missed = [], of, fields, parameters, operations } = tested.selfTest ?? {};
  expect(seen).toEqual(expect.arrayContaining(BETWEEN));
  expect(seen.length + missed.length).toBe(of);
  // A book is changed by the key that its creation gave, and that is one of the fields that are lost.
  expect(fields).toEqual({
    seen: expect.arrayContaining(["addBook id", "changeBook lent", "listBooks books/*/year"]),
    missed: [],
    unreached: [],
  });
  expect(parameters).toEqual({
    seen: ["page", "size", "author", "lent"].map((name) => `listBooks ${name}`),
    missed: [],
    // No relation says what it does, so that it is never asked.
    unreached: ["listBooks year"],
  });
  expect(operations).toEqual({ of: 6, unreached: [] });
});

test("a check that has no relations misses what lies between answers", async () => {
  const { selfTest } = await follow({
    isSelfTest: true,
    without: ["page", "filter", "sameAs", "echo", "count", "matrix", "http", "defaults", "input"],
  });
  expect(selfTest?.missed).toEqual(expect.arrayContaining(BETWEEN.slice(0, 1)));
  expect(selfTest?.missed).toContain("what is read by its key differs from its row in the list");
  expect(selfTest?.seen).toContain("a required field is lost in one row");
  expect(selfTest?.parameters.missed).toContain("listBooks page");
});

test("fields and operations that no answer shows are out of reach", async () => {
  const options = { isSelfTest: true, mayWrite: false };
  const { selfTest } = await checkLibrary({ books: [] }, options);
  expect(selfTest?.fields.seen).toEqual([
    "listBooks total",
    "listBooks books",
    "searchBooks total",
    "searchBooks books",
  ]);
  expect(selfTest?.fields.unreached).toContain("listBooks books/*/title");
  expect(selfTest?.operations).toEqual({
    of: 6,
    unreached: ["addBook", "removeBook", "changeBook"],
  });
});

test("an operation without an identifier of its own has fields, too", async () => {
  const row = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };
  const content = { "application/json": { schema: { type: "array", items: row } } };
  const get = { responses: { "200": { description: "all", content } } };
  const document = parseDocument({
    file: "openapi.json",
    document: { openapi: "3.1.0", paths: { "/things": { get } } },
    placeOf: () => ({ file: "openapi.json", line: 1, column: 1 }),
  });
  const target = createService(() => ({ body: '[{"id":1},{"id":2}]' }));
  const relations = await loadRelations(document, []);
  const { selfTest } = await checkWithSelfTest({ document, relations, target });
  expect(selfTest?.fields.seen).toEqual(["GET /things */id"]);
});
