// The self-test of a check: it tells a check that can turn red from one that cannot, and writes nothing.
import { expect, test } from "vitest";
import { checkLibrary, type Parts } from "./library/service.ts";

/** What the service was asked that may change something. */
async function follow(options: NonNullable<Parameters<typeof checkLibrary>[1]>) {
  const writes: string[] = [];
  const finish: Parts["finish"] = (reply, { method }) => {
    if (["POST", "PATCH", "DELETE"].includes(method)) writes.push(method);
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
  const { seen = [], missed = [], of, fields, operations } = tested.selfTest ?? {};
  expect(seen).toEqual(expect.arrayContaining(BETWEEN));
  expect(seen.length + missed.length).toBe(of);
  // A book is changed by the key that its creation gave, and that is one of the fields that are lost.
  expect(fields).toEqual({
    seen: expect.arrayContaining(["addBook id", "changeBook lent", "listBooks books/*/year"]),
    missed: [],
    unreached: [],
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
