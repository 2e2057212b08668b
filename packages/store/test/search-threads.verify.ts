// Slow searches in threads: nothing else waits for them, and none takes longer than it may.
import { build } from "@call-media/test-setup/built";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { type CallPage, isFault } from "../src/index.ts";
import { createRecordForm } from "../src/sqlite/call-row.ts";
import { createSearchThreads } from "../src/sqlite/search/search-threads.ts";
import type * as Source from "../src/sqlite/sqlite-store.ts";
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { createArchive, createFolder } from "./support/archives.ts";
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

test("what is read by identifier does not wait for a slow search", async () => {
  const store = await createFilled();
  const ended: string[] = [];
  const slow = store.calls.search(SLOW).then(() => ended.push("search"));
  for (let read = 0; read < 20; read += 1) {
    expect(await store.calls.byCallId("c0", "everything")).toHaveLength(1);
    ended.push("by call_id");
    await new Promise(setImmediate); // so that a search that had ended would be told
  }
  await slow;

  expect(ended.at(-1)).toBe("search");
});

test("a slow search leaves the other thread for the quick ones", async () => {
  const store = await createFilled();
  // Both threads have started: on a busy machine that may take longer than the slow search.
  await Promise.all([store.calls.search(BOTH), store.calls.search(BOTH)]);
  const ended: string[] = [];
  await Promise.all([
    store.calls.search(SLOW).then(() => ended.push("slow")),
    ...Array.from({ length: 5 }, () => store.calls.search(BOTH).then(() => ended.push("quick"))),
  ]);

  expect(ended).toEqual(["quick", "quick", "quick", "quick", "quick", "slow"]);
});

test("a thread that died while nobody searched is replaced", async () => {
  const store = await createFilled();
  const [thread] = await listThreadsOf(() => store.calls.search(BOTH));
  await thread?.terminate();

  const [other] = await listThreadsOf(() => expectBoth(store.calls.search(BOTH)));
  expect(other?.threadId).toBeGreaterThan(0);
});

test("a search that takes too long is refused, and its thread is of use again when it has ended", async () => {
  const directory = await createFolder();
  const store = await createStore({ directory });
  await fill(store, CALLS);
  await store[Symbol.asyncDispose]();
  using database = lock(directory);
  const form = createRecordForm(database);
  const searches = createSearchThreads({ directory, timeZone: "UTC", form }, 10_000);
  onTestFinished(() => searches.close());
  const asked = Array.from({ length: 3 }, () => toOutcome(searches.search(BOTH)));

  expect(await Promise.all(asked)).toEqual([
    "The search took longer than 10 seconds; narrow its days or its filter",
    "The search took longer than 10 seconds; narrow its days or its filter",
    "Too many searches are waiting; try again later",
  ]);
  database.close();
  await expectBoth(searches.search(BOTH));
});

const BUILT = new URL("../dist/sqlite/sqlite-store.js", import.meta.url);

// What is published has other file names.
test("the threads run from what is built, too", async () => {
  build("@call-media/store");
  const built = (await import(BUILT.href)) as typeof Source; // which it was built from
  const store = await built.createStore({ directory: await createFolder() });
  onTestFinished(() => store[Symbol.asyncDispose]());
  await fill(store, CALLS);

  await expectBoth(store.calls.search(BOTH));
});

async function createFilled() {
  const store = await createArchive();
  await fill(store, CALLS);
  return store;
}

/** Whoever reads the archive waits for this connection to close, within a statement. */
function lock(directory: string): DatabaseSync {
  const database = new DatabaseSync(join(directory, "archive.db"));
  database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  return database;
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
