// The terms of a call's words (D30): those of the tokens, however the text was read, and in the dictionary each word that is a hash.
import { parseQuery, toTokens } from "@call-media/words";
import * as fc from "fast-check";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Connection } from "../src/sqlite/files/connection.ts";
import type { ArchiveItem, CallSearch } from "../src/index.ts";
import { toTsQuery } from "../src/postgres/words.ts";
import { createTermLister, createWordList } from "../src/sqlite/segment-index/segment-index.ts";
import { toEndingRange, toNumberTerm } from "../src/sqlite/segment-index/number-terms.ts";
import {
  isWholeCode,
  toBeginningRange,
  toWordCode,
} from "../src/sqlite/segment-index/word-codes.ts";
import { createWordPlanner } from "../src/sqlite/segment-index/word-query.ts";
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { call, fillRows, query, toRecord } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";

const isLong = process.env["CALL_MEDIA_TIER"] !== "test";

const AT = "2025-05-01T10:00:00Z";

async function openArchive() {
  const directory = await createFolder();
  const store = await createStore({ directory });
  return { directory, store, database: new Connection(join(directory, "archive.db")) };
}

test("the words of a text are its tokens, whichever way it takes", async () => {
  const { store, database } = await openArchive();
  const listTerms = createTermLister(database);
  const ascii = fc.string({ unit: "binary-ascii", maxLength: 150 });
  fc.assert(
    fc.property(fc.oneof(ascii, fc.string({ unit: "binary" })), (notes) => {
      const words = createWordList();
      const terms = listTerms(toRecord({ notes }), words);
      const tokens = new Set(toTokens(notes).map(({ text }) => text));
      const hashed = [...tokens].filter((token) => !isWholeCode(token, 0, token.length));
      const codes = new Set([...tokens].map((token) => toWordCode(token, 0, token.length)));
      expect(new Set(words.take())).toEqual(new Set(hashed));
      expect(terms).toHaveLength(hashed.length + codes.size);
      // The same words have the same terms next to a character that is no ASCII.
      expect(listTerms(toRecord({ notes: `${notes} —` }))).toEqual(terms);
    }),
    { numRuns: isLong ? 500 : 50 },
  );
  database.close();
  await store[Symbol.asyncDispose]();
});

test("the words of a row that is undone do not stay", async () => {
  const { store, database } = await openArchive();
  const good = call({ call_id: "A", datetime: AT, notes: "repeatedly" });
  const bad = call({ call_id: "B", datetime: "yesterday", notes: "refundable" });
  const third = call({ call_id: "C", datetime: AT, notes: "forwarding" });
  const outcomes = await fillRows(store, [
    [good],
    [third, bad],
    [call({ call_id: "D", datetime: AT, notes: "cancelling" })],
  ]);
  expect(outcomes.map((outcome) => typeof outcome)).toEqual(["string", "object", "string"]);
  expect(
    database
      .prepare("SELECT word FROM word")
      .all()
      .map(({ word }) => word),
  ).toEqual(["cancelling", "repeatedly"]);
  database.close();
  await store[Symbol.asyncDispose]();
});

test("the numbers with an ending are a range of terms", () => {
  const digits = fc.stringMatching(/^[0-9]{4,18}$/);
  fc.assert(
    fc.property(digits, fc.stringMatching(/^[0-9]{4,15}$/), (number, ending) => {
      const { from, until } = toEndingRange(ending);
      const isWithin = (term: number) => term >= from && term < until;
      expect(isWithin(toNumberTerm(number))).toBe(number.slice(-15).endsWith(ending));
      expect(isWithin(toNumberTerm(number.slice(0, -4) + ending))).toBe(true);
      expect(Number.isSafeInteger(toNumberTerm(number))).toBe(true);
    }),
  );
});

test("the words with a beginning are a range of codes, and short words of ASCII have one to themselves", () => {
  const word = fc.stringMatching(/^[0-9a-z\u0434-\u0437\u91d1]{1,12}$/);
  const toCode = (text: string) => toWordCode(text, 0, text.length);
  fc.assert(
    fc.property(word, word, fc.nat(11), (one, other, length) => {
      const beginning = one.slice(0, length + 1);
      const { from, until, isExact } = toBeginningRange(beginning);
      const isWithin = (text: string) => toCode(text) >= from && toCode(text) < until;
      expect(isWithin(one)).toBe(true);
      expect(isWithin(beginning + other)).toBe(true);
      const isTold = !isExact || isWithin(other) === other.startsWith(beginning);
      const isOwn =
        !isWholeCode(one, 0, one.length) || one === other || toCode(one) !== toCode(other);
      expect([isTold, isOwn]).toEqual([true, true]);
      expect(Number.isSafeInteger(toCode(one))).toBe(true);
      expect(toCode(one)).toBeGreaterThan(toNumberTerm("9".repeat(15)));
    }),
    { numRuns: isLong ? 10_000 : 1_000 },
  );
  expect(
    ["ze", "zebra1234", "zebra12345", "\u0434"].map((one) => toBeginningRange(one).isExact),
  ).toEqual([true, true, false, false]);
  expect(["zebra123", "zebra1234"].map((one) => isWholeCode(one, 0, one.length))).toEqual([
    true,
    false,
  ]);
});

test("words of writes that were undone come into the dictionary with the next ones", async () => {
  const { store, database } = await openArchive();
  const session = await store.openImport();
  const toRow = (call_id: string): ArchiveItem[] => [
    call({ call_id, datetime: AT, notes: "refunding" }),
  ];
  database.exec(
    "CREATE TRIGGER refuse BEFORE INSERT ON index_page BEGIN SELECT raise(ABORT, 'no'); END",
  );
  await expect(session.write([toRow("a")])).rejects.toThrow("no");
  database.exec("DROP TRIGGER refuse");
  // What it remembers may be of rows that were not written.
  await expect(session.write([toRow("b")])).rejects.toThrow("no");
  await session[Symbol.asyncDispose]();
  const list = database.prepare("SELECT word FROM word");
  expect(list.all()).toEqual([]);

  await using next = await store.openImport();
  await next.write([toRow("b")]);
  expect(list.all()).toEqual([{ word: "refunding" }]);
  // Those that were written are not written again.
  database.exec("DELETE FROM word");
  await next.write([toRow("c")]);
  expect(list.all()).toEqual([]);
  database.close();
  await store[Symbol.asyncDispose]();
});

test("a beginning that more words have than are compared is looked for in the records", async () => {
  const { store, database } = await openArchive();
  const words = Array.from({ length: 11_000 }, (_, index) => `zzzzzzzzzz${10_000 + index}`);
  const notes = { hidden: words.join(" "), other: "zzzzzzzzzy", found: "a zzzzzzzzzz1word" };
  await fillRows(
    store,
    Object.entries(notes).map(([agent, text]) => [
      call({ call_id: agent, agent, datetime: AT, notes: text }),
    ]),
  );
  const visibility = [{ field: "agent", allowed: ["other", "found"] }] as const;
  const search = (typed: string, more: Partial<CallSearch> = {}) =>
    store.calls.search(query({ words: parseQuery(typed), visibility, ...more }));
  for (const typed of ["zzzzzzzzzz*", "zzzzzzzzzz1*", '"a zzzzzzzzzz1*"'])
    expect((await search(typed)).records.map(({ agent }) => agent)).toEqual(["found"]);
  expect((await search("zzzzzzzzzz1*")).recordCount).toBe(1);
  expect((await search("zzzzzzzzz*")).recordCount).toBe(2);
  expect((await search("zzzzzzzzzz2*")).recordCount).toBe(0);
  const ofAll = await search("zzzzzzzzzz*", { visibility: "everything" });
  expect(ofAll.records.map(({ agent }) => agent)).toEqual(["hidden", "found"]);
  database.close();
  await store[Symbol.asyncDispose]();
});

test("words that others may see change no plan of a caller from whom calls are hidden", async () => {
  const { store, database } = await openArchive();
  const toPlan = createWordPlanner(database, (_, word) => word.length);
  const plans = (seesAll: boolean) =>
    ["ticket20261*", "\u0432\u043e\u0437*", '"a ticket20261*"', "ticket*"].map((words) =>
      toPlan(parseQuery(words), { hasCodes: true, seesAll }),
    );
  const [ofSome, ofAll] = [plans(false), plans(true)];
  expect(ofSome.map(({ unsure }) => unsure)).toEqual([
    "beginning",
    "beginning",
    "phrase",
    undefined,
  ]);
  expect(ofAll.map(({ unsure }) => unsure)).toEqual([undefined, undefined, "phrase", undefined]);
  database.exec("INSERT INTO word VALUES ('ticket20261x'), ('\u0432\u043e\u0437\u0438')");
  expect(plans(false)).toEqual(ofSome);
  expect(plans(true)).not.toEqual(ofAll);
  database.close();
  await store[Symbol.asyncDispose]();
});

test("a beginning that stands in a query again is read once", async () => {
  const { store, database } = await openArchive();
  const words = parseQuery('"our ref*" refund ref* "a ref*" REFUND 12 34 ref*');
  const { plan } = createWordPlanner(database, (_, word) => word.length)(words, {
    hasCodes: true,
    seesAll: true,
  });
  const wanted = ["our", "ref", "refund", "a"];
  expect(plan).toMatchObject({
    all: [...wanted.map(() => ({})), { any: [{ all: [{}, {}] }, {}] }],
  });
  expect(toTsQuery(words)).toBe(
    `'our' & 'ref':* & 'refund' & 'a' & (((('12')) & (('34'))) | '\u21164321':*)`,
  );
  database.close();
  await store[Symbol.asyncDispose]();
});
