// A first page that the newest calls tell is read without a thread, and is what a thread would give.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { SearchRefused } from "../src/index.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { createArchive } from "./support/archives.ts";
import { call, fill, query } from "./support/records.ts";

const FIRST = query({ isCounted: false });

const toCall = (hour: number, agent: string) =>
  call({
    call_id: `c${hour}`,
    agent,
    datetime: new Date(Date.UTC(2025, 5, 1, hour)).toISOString(),
  });

test("a first page needs no thread; its count, the next one and rights do", async () => {
  const store = await createArchive();
  await fill(store, [toCall(1, "ann"), toCall(2, "bob")]);
  const { records, hasNext } = await store.calls.search(FIRST);

  expect([records.map(({ call_id }) => call_id), hasNext]).toEqual([["c2", "c1"], false]);
  expect(await countThreads(() => store.calls.search(FIRST))).toBe(0);
  expect(await countThreads(() => store.calls.search({ ...FIRST, pageIndex: 1 }))).toBe(1);
  for (const visibility of [[], [{ field: "agent" as const, allowed: ["ann"] }]]) {
    const { recordCount } = await store.calls.search({ ...FIRST, visibility, isCounted: true });
    expect(recordCount).toBe(2 - visibility.length);
  }
});

test("a page that would take many pieces of the index is a thread's", async () => {
  const store = await createArchive();
  for (let hour = 0; hour < 6; hour += 1)
    await fill(store, [toCall(hour, hour === 0 ? "ann" : "bob")]);
  const ofAnn = { ...FIRST, filter: { agent: "ann" } };

  expect(await countThreads(() => store.calls.search(ofAnn))).toBe(1);
  expect((await store.calls.search(ofAnn)).records).toMatchObject([{ call_id: "c0" }]);
  const ofNight = { ...ofAnn, startDate: "2025-06-01", endDate: "2025-06-01" };
  expect((await store.calls.search(ofNight)).records).toMatchObject([{ call_id: "c0" }]);
});

test("what another import brought, changed and took out is seen at once", async () => {
  const store = await createArchive();
  await fill(store, [toCall(1, "ann")]);
  const ids = async () => (await store.calls.search(FIRST)).records.map(({ call_id }) => call_id);
  expect(await ids()).toEqual(["c1"]);
  await fill(store, [toCall(2, "ann")]);
  expect(await ids()).toEqual(["c2", "c1"]);

  await fill(store, [call({ ...toCall(1, "ann").record, notes: "changed" })]);
  const { records } = await store.calls.search(FIRST);
  expect(records).toMatchObject([{ call_id: "c2" }, { call_id: "c1", notes: "changed" }]);
});

test("a fault is told by a thread, and no thread is needed when it is gone", async () => {
  const store = await createArchive();
  await fill(store, [toCall(1, "ann")]);
  await store.calls.search(FIRST);
  using other = new DatabaseSync(join(store.directory, "archive.db"));
  other.exec("ALTER TABLE call RENAME TO elsewhere");
  await expect(store.calls.search(FIRST)).rejects.toThrow("no such table: call");
  other.exec("ALTER TABLE elsewhere RENAME TO call");

  expect((await store.calls.search(FIRST)).records).toHaveLength(1);
  expect(await countThreads(() => store.calls.search(FIRST))).toBe(0);
});

test("a closed archive answers no first page", async () => {
  const { directory } = await createArchive();
  const store = await openStore({ directory });
  await fill(store, [toCall(1, "ann")]);
  await store.calls.search(FIRST);
  await store[Symbol.asyncDispose]();

  await expect(store.calls.search(FIRST)).rejects.toThrow(SearchRefused);
});

/** The threads that start while `work` goes on. */
async function countThreads(work: () => Promise<unknown>): Promise<number> {
  const note = vi.fn<() => void>();
  process.on("worker", note);
  await work().finally(() => process.off("worker", note));
  return note.mock.calls.length;
}
