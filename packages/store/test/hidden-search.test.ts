// A search for what is hidden takes the same steps as one for what does not exist, however many hidden calls have it: as much is
// read of the index, and as many sets of places are compared.
import { type DatabaseSync, StatementSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Filter, Visibility } from "../src/index.ts";
import { createCallSearch } from "../src/sqlite/search/call-search.ts";
import { openForSearches } from "../src/sqlite/files/database.ts";
import * as bits from "../src/sqlite/pieces/bits.ts";
import { createArchive } from "./support/archives.ts";
import { call, fill } from "./support/records.ts";

vi.mock(import("../src/sqlite/pieces/bits.ts"), { spy: true });

const OF_ANN: Visibility = [{ field: "agent", allowed: ["ann"] }];

// Of a piece each. Of 300 calls 101 are bits, of 2,000 a list, both in a block of the index.
const PIECES = [300, 300, 300, 300, 300, 300, 2_000];
const SEEN = 6 * 50 + 1_750;

// How many calls of a piece have the value, none of them ann's.
const HIDDEN: Readonly<Record<string, (piece: number) => number>> = {
  "one in all": (piece) => (piece === 4 ? 1 : 0),
  "one in each": () => 1,
  "twenty in each": () => 20,
  "a block in each": () => 101,
  "250 in each": () => 250,
};
const FIELDS = ["skill", "campaign", "city", "zip", "custom_field_1"] as const;

// One call_id for all, or a piece would have several pages of terms.
async function fillArchive(): Promise<string> {
  const store = await createArchive();
  for (const [piece, calls] of PIECES.entries())
    await fill(
      store,
      Array.from({ length: calls }, (_, index) => {
        const hidden = Object.entries(HIDDEN).map(([name, count], at) => [
          FIELDS[at],
          index < count(piece) ? name : null,
        ]);
        const datetime = new Date(Date.UTC(2025, 4, 1 + piece, 0, 0, index)).toISOString();
        const agent = index < 250 ? "bob" : "ann";
        return call({ call_id: "c", agent, datetime, ...Object.fromEntries(hidden) });
      }),
    );
  return store.directory;
}

/** Tells of what is done how much is read of the index, and how many sets are compared. */
function createStepCounter() {
  const statements = vi.spyOn(StatementSync.prototype, "get");
  onTestFinished(() => statements.mockRestore());
  return <T>(work: () => T) => {
    statements.mockClear();
    const comparing = [vi.mocked(bits.keepBoth), vi.mocked(bits.countBoth)];
    for (const spy of comparing) spy.mockClear();
    const result = work();
    const read = statements.mock.contexts.filter((statement) =>
      /FROM index_(?:page|block)/.test((statement as StatementSync).sourceSQL),
    );
    const compared = comparing.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    return { result, steps: { read: read.length, compared } };
  };
}

/** A function that searches, and tells what the search gave and what it took. */
function createCounter(database: DatabaseSync) {
  const count = createStepCounter();
  const search = createCallSearch(database);
  return (filter: Filter, visibility: Visibility) => {
    const range = { fromMs: Date.UTC(2025, 4, 1), untilMs: Date.UTC(2025, 5, 1) };
    const asked = { ...range, filter, visibility, pageIndex: 0, isCounted: true };
    const { result, steps } = count(() => search(asked));
    return { recordCount: result.recordCount, ...steps };
  };
}

test("what is hidden is looked for as long as what does not exist", async () => {
  using database = openForSearches(await fillArchive());
  const find = createCounter(database);
  // Whoever may see everything waits for nothing.
  expect(find({ zip: "none" }, [])).toMatchObject({ recordCount: 0, compared: 0 });
  // What rights come to is found out once.
  expect(find({}, OF_ANN).recordCount).toBe(SEEN);

  const first = { recordCount: 0, read: PIECES.length, compared: PIECES.length };
  const again = { ...first, read: 0 };
  for (const [at, name] of ["none", ...Object.keys(HIDDEN)].entries()) {
    const filter = { [FIELDS[Math.max(at - 1, 0)] ?? ""]: name };
    expect(find(filter, OF_ANN), name).toEqual(first);
    expect(find(filter, OF_ANN), name).toEqual(again);
  }
});

test("so it is beside what is seen, and with a value that rights ask for", async () => {
  using database = openForSearches(await fillArchive());
  const find = createCounter(database);
  const ofAnn = { agent: "Ann" };
  expect(find(ofAnn, OF_ANN).recordCount).toBe(SEEN);

  const none = find({ ...ofAnn, zip: "none" }, OF_ANN);
  expect(none).toEqual({ recordCount: 0, read: PIECES.length, compared: 2 * PIECES.length });
  expect(find({ ...ofAnn, zip: "a block in each" }, OF_ANN)).toEqual(none);
  expect(find({ ...ofAnn, custom_field_1: "250 in each" }, OF_ANN)).toEqual(none);
});

test("what rights come to is found out for what does not exist as well", async () => {
  using database = openForSearches(await fillArchive());
  const ofNone = createCounter(database)({ zip: "none" }, OF_ANN);
  const ofHidden = createCounter(database)({ zip: "a block in each" }, OF_ANN);

  expect(ofNone.compared).toBe(2 * PIECES.length);
  expect(ofHidden).toEqual(ofNone);
});
