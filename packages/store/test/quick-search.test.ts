// A search that few pieces of the index tell is read without a thread, and is what a thread would give.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { type CallSearch, SearchRefused } from "../src/index.ts";
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

test("pages that few pieces of the index tell need no thread; rights and counts do", async () => {
  const store = await createArchive();
  await fill(
    store,
    Array.from({ length: 60 }, (_, hour) => toCall(hour, hour % 2 === 0 ? "ann" : "bob")),
  );
  const find = async (search: Partial<CallSearch>) => {
    const { records, recordCount, hasNext } = await store.calls.search({ ...FIRST, ...search });
    return [records[0]?.call_id, records.length, recordCount, hasNext];
  };
  const seen: unknown[] = [];
  const threads = await countThreads(async () => {
    seen.push(await find({}), await find({ pageIndex: 1 }));
    seen.push(await find({ filter: { agent: "Ann" } }), await find({ filter: { agent: "eve" } }));
    seen.push(await find({ startDate: "2025-06-02", endDate: "2025-06-02" }));
  });

  expect(seen).toEqual([
    ["c59", 50, undefined, true],
    ["c9", 10, undefined, false],
    ["c58", 30, undefined, false],
    [undefined, 0, undefined, false],
    ["c47", 24, undefined, false],
  ]);
  expect(threads).toBe(0);
  const ofBob = { visibility: [{ field: "agent" as const, allowed: ["bob"] }] };
  expect(await countThreads(() => find(ofBob))).toBe(1);
  expect(await find(ofBob)).toEqual(["c59", 30, undefined, false]);
});

test("a count is a thread's, however small the archive", async () => {
  const store = await createArchive();
  await fill(store, [toCall(1, "ann"), toCall(2, "bob")]);

  expect(await countThreads(() => store.calls.search(query({})))).toBe(1);
  expect((await store.calls.search(query({}))).recordCount).toBe(2);
});

test("a page that would take many pieces of the index is a thread's", async () => {
  const store = await createArchive();
  for (let day = 0; day < 6; day += 1)
    await fill(store, [toCall(day * 24, day === 0 ? "ann" : "bob")]);
  const ofAnn = { ...FIRST, filter: { agent: "ann" } };

  expect(await countThreads(() => store.calls.search(ofAnn))).toBe(1);
  expect((await store.calls.search(ofAnn)).records).toMatchObject([{ call_id: "c0" }]);
  const ofNight = { ...ofAnn, startDate: "2025-06-01", endDate: "2025-06-01" };
  expect((await store.calls.search(ofNight)).records).toMatchObject([{ call_id: "c0" }]);
});

test("what another import brought, changed and took out is seen at once", async () => {
  const store = await createArchive();
  await fill(store, [toCall(1, "ann")]);
  const find = async () => {
    const { records } = await store.calls.search({ ...FIRST, filter: { agent: "ann" } });
    return records.map(({ call_id, notes }) => [call_id, notes]);
  };
  expect(await find()).toEqual([["c1", null]]);
  await fill(store, [toCall(2, "ann")]);
  const both = [
    ["c2", null],
    ["c1", null],
  ];
  expect(await find()).toEqual(both);

  await fill(store, [call({ ...toCall(1, "ann").record, notes: "changed" })]);
  expect(await find()).toEqual(both.with(1, ["c1", "changed"]));
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
