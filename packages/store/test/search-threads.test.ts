// Searches in threads: what else is read does not wait for them, and none hangs, whatever becomes of its thread.
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { type CallPage, type CallSearch, isFault } from "../src/index.ts";
import { createRecordForm } from "../src/sqlite/call-row.ts";
import { createCallSearch, type FoundPage } from "../src/sqlite/search/call-search.ts";
import { openForSearches } from "../src/sqlite/files/database.ts";
import { MAX_WAITING_SEARCHES } from "../src/sqlite/search/search-threads.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { toDayRange } from "../src/values/instant.ts";
import { createArchive } from "./support/archives.ts";
import { call, fill, query } from "../src/suite/records.ts";

// More allowed values than anybody has: some tenths of a second, without an archive that takes as long to fill.
const SLOW = query({
  visibility: [
    { field: "agent", allowed: Array.from({ length: 250_000 }, (_, index) => `agent ${index}`) },
  ],
});

const CALLS = ["ann", "bob"].map((agent, index) =>
  call({ call_id: `c${index}`, agent, datetime: "2025-06-01T10:00:00Z" }),
);

const BOTH = query({ visibility: [{ field: "agent", allowed: ["ann", "bob"] }] });

test("a thread that one caller was lent goes to another who comes, and none of the searches is lost", async () => {
  const store = await createFilled();
  const outcomes: unknown[] = [];
  const threads = await listThreadsOf(async () => {
    const asked = ["heavy", "heavy", "light"].map((by) => store.calls.search({ ...SLOW, by }));
    outcomes.push(...(await Promise.all(asked)).map(({ recordCount }) => recordCount));
  });
  expect(outcomes).toEqual([0, 0, 0]);
  expect(threads.length).toBeGreaterThan(2);
});

test("when too many searches wait, one of the caller with most of them gives way", async () => {
  const store = await createFilled();
  const ask = (by: string) => store.calls.search({ ...BOTH, by }).then(() => "answered", toReason);
  const heavy = Array.from({ length: 2 + MAX_WAITING_SEARCHES }, () => ask("heavy"));
  const light = [ask("light"), ask("light")];

  expect(await Promise.all(light)).toEqual(["answered", "answered"]);
  const refused = (await Promise.all(heavy)).filter((outcome) => outcome !== "answered");
  expect(refused).not.toEqual([]);
  expect(new Set(refused)).toEqual(new Set(["Too many searches are waiting; try again later"]));
});

test("searches whose thread dies are refused, and the next ones are answered", async () => {
  const store = await createFilled();
  const threads = await listThreadsOf(() => store.calls.search(BOTH));
  const cut = toOutcome(store.calls.search(SLOW));
  await Promise.all(threads.map((thread) => thread.terminate()));

  expect(await cut).toBe("The search was cut short; try again");
  await expectBoth(store.calls.search(BOTH));
});

test("no more than a limit of searches wait", async () => {
  const store = await createFilled();
  const running = 2;
  const asked = Array.from({ length: running + MAX_WAITING_SEARCHES + 3 }, () =>
    store.calls.search(BOTH).then(() => "answered", toReason),
  );
  const outcomes = await Promise.all(asked);

  expect(outcomes.slice(0, -3).every((outcome) => outcome === "answered")).toBe(true);
  expect(outcomes.slice(-3)).toEqual(
    Array(3).fill("Too many searches are waiting; try again later"),
  );
  await expectBoth(store.calls.search(BOTH));
});

test("closing lets searches under way end, refuses those that wait, and ends the threads", async () => {
  const { directory } = await createFilled();
  const store = await openStore({ directory });
  const threads = await listThreadsOf(() => Promise.all([search(BOTH), search(BOTH)]));
  const outcomes = [SLOW, SLOW, BOTH].map((asked) =>
    search(asked).then(({ recordCount }) => recordCount, toReason),
  );
  const exits = threads.map((thread) => once(thread, "exit"));
  await store[Symbol.asyncDispose]();

  expect(await Promise.all(outcomes)).toEqual([0, 0, "The archive is closed"]);
  expect(await Promise.all(exits)).toEqual([[0], [0]]);
  expect(await search(BOTH).catch(toReason)).toBe("The archive is closed");

  function search(asked: CallSearch) {
    return store.calls.search(asked);
  }
});

test("a page and its count are of one moment, though an import ends between them", async () => {
  const { directory } = await createFilled();
  using database = openForSearches(directory);
  const search = createCallSearch(database);
  const { toRecords } = createRecordForm(database);
  using other = new DatabaseSync(join(directory, "archive.db"));
  const reading = vi.spyOn(StatementSync.prototype, "all");
  onTestFinished(() => reading.mockRestore());
  reading.mockImplementationOnce(function readAndImport(this: StatementSync, ...values) {
    const rows = this.all(...values);
    other.exec("UPDATE index_segment SET removed_count = 1, removed = x'01000000'");
    return rows;
  });

  const everything = { ...query({}), ...toDayRange("2025-01-01", "2025-12-31", "UTC") };
  const countBoth = ({ rows, recordCount }: FoundPage) => [toRecords(rows).length, recordCount];
  expect(countBoth(search(everything))).toEqual([2, 2]);
  expect(countBoth(search(everything))).toEqual([1, 1]);
});

test("what another import brought, changed and took out is seen at once", async () => {
  const store = await createFilled();
  const find = async () => {
    const { records } = await store.calls.search(query({ filter: { agent: "ann" } }));
    return records.map(({ call_id, notes }) => [call_id, notes]);
  };
  expect(await find()).toEqual([["c0", null]]);
  const late = call({ call_id: "late", agent: "ann", datetime: "2025-06-01T11:00:00Z" });
  await fill(store, [late]);
  expect(await find()).toEqual([
    ["late", null],
    ["c0", null],
  ]);
  await fill(store, [call({ ...late.record, notes: "changed" })]);
  expect(await find()).toEqual([
    ["late", "changed"],
    ["c0", null],
  ]);
});

test("a search fails for as long as the archive is at fault, and no longer", async () => {
  const store = await createFilled();
  await expectBoth(store.calls.search(BOTH));
  using other = new DatabaseSync(join(store.directory, "archive.db"));
  other.exec("ALTER TABLE call RENAME TO elsewhere");
  await expect(store.calls.search(BOTH)).rejects.toThrow("no such table: call");
  other.exec("ALTER TABLE elsewhere RENAME TO call");
  await expectBoth(store.calls.search(BOTH));
});

async function createFilled() {
  const store = await createArchive();
  await fill(store, CALLS);
  return store;
}

/** The threads that start while `work` goes on. */
async function listThreadsOf(work: () => Promise<unknown>): Promise<Worker[]> {
  const threads: Worker[] = [];
  const note = (worker: Worker) => void threads.push(worker);
  process.on("worker", note);
  try {
    await work();
    return threads;
  } finally {
    process.off("worker", note);
  }
}

async function expectBoth(page: Promise<CallPage>) {
  expect((await page).recordCount).toBe(2);
}

function toOutcome(page: Promise<unknown>): Promise<string> {
  return page.then(() => "answered", toReason);
}

function toReason(error: unknown): string {
  return isFault(error, "busy") ? error.message : String(error);
}
