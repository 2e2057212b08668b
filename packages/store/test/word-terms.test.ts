// The terms of a call's words (D30): those of the tokens, however the text was read, and each word in the dictionary.
import { toTokens } from "@call-media/words";
import * as fc from "fast-check";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { ArchiveItem } from "../src/index.ts";
import { createTermLister, createWordList } from "../src/sqlite/segment-index/segment-index.ts";
import { toEndingRange, toNumberTerm } from "../src/sqlite/segment-index/number-terms.ts";
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { call, fillRows, toRecord } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";

const isLong = process.env["CALL_MEDIA_TIER"] !== "test";

const AT = "2025-05-01T10:00:00Z";

async function openArchive() {
  const directory = await createFolder();
  const store = await createStore({ directory });
  return { directory, store, database: new DatabaseSync(join(directory, "archive.db")) };
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
      expect(new Set(words.take())).toEqual(tokens);
      expect(terms).toHaveLength(tokens.size);
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
  const good = call({ call_id: "A", datetime: AT, notes: "first" });
  const bad = call({ call_id: "B", datetime: "yesterday", notes: "second" });
  const third = call({ call_id: "C", datetime: AT, notes: "third" });
  const outcomes = await fillRows(store, [
    [good],
    [third, bad],
    [call({ call_id: "D", datetime: AT, notes: "fourth" })],
  ]);
  expect(outcomes.map((outcome) => typeof outcome)).toEqual(["string", "object", "string"]);
  expect(
    database
      .prepare("SELECT word FROM word")
      .all()
      .map(({ word }) => word),
  ).toEqual(["first", "fourth"]);
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

test("words of writes that were undone come into the dictionary with the next ones", async () => {
  const { store, database } = await openArchive();
  const session = await store.openImport();
  const toRow = (call_id: string): ArchiveItem[] => [
    call({ call_id, datetime: AT, notes: "refund" }),
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
  expect(list.all()).toEqual([{ word: "refund" }]);
  // Those that were written are not written again.
  database.exec("DELETE FROM word");
  await next.write([toRow("c")]);
  expect(list.all()).toEqual([]);
  database.close();
  await store[Symbol.asyncDispose]();
});
