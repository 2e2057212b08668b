// A search index that is damaged is made anew from the records, beside a service that goes on.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { CallStore } from "../src/index.ts";
import { backUp, examine, rebuildIndex } from "./support/maintenance.ts";
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { call, fill, query } from "../src/suite/records.ts";

const AGENTS = ["ann", "bob"];
const CALLS = Array.from({ length: 300 }, (_, index) =>
  call({
    call_id: `c${index}`,
    agent: AGENTS[index % 2] ?? "",
    datetime: new Date(Date.UTC(2025, 5, 1) + index * 60_000).toISOString(),
  }),
);

async function createFilled() {
  const directory = await createFolder();
  const store = await createStore({ directory });
  await fill(store, CALLS);
  return { directory, store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

const search = ({ calls }: CallStore) => calls.search(query({ filter: { agent: "ann" } }));

function change(directory: string, sql: string): void {
  using database = new DatabaseSync(join(directory, "archive.db"));
  database.exec(sql);
}

test.each([
  ["lacks pages", "DELETE FROM index_page"],
  ["lacks all of it", "DELETE FROM index_segment; DELETE FROM index_page; DELETE FROM index_block"],
  ["has taken calls out", "UPDATE index_segment SET removed_count = 1, removed = x'01000000'"],
])("an index that %s is whole again, for a service that is running, too", async (_what, damage) => {
  await using archive = await createFilled();
  const { directory, store } = archive;
  const before = await search(store);
  expect(before).toMatchObject({ recordCount: CALLS.length / 2, hasNext: true });
  change(directory, damage);
  expect(await examine(directory)).toMatchObject([{ todo: expect.stringContaining('"reindex"') }]);

  const told: number[] = [];
  const onProgress = ({ bytesDone, bytesTotal }: { bytesDone: number; bytesTotal: number }) =>
    void told.push(bytesDone / bytesTotal);
  expect(await rebuildIndex({ directory, onProgress })).toBe(CALLS.length);

  expect(await examine(directory)).toEqual([]);
  expect(await search(store)).toEqual(before);
  expect(told.at(-1)).toBe(1);
});

test("with a damaged record nothing is changed, and it is said", async () => {
  await using archive = await createFilled();
  const { directory, store } = archive;
  const before = await search(store);
  change(directory, "UPDATE call SET record = '[' WHERE call_id = 'c299'");
  await expect(rebuildIndex({ directory })).rejects.toThrow("call_id c299 is not what was");
  change(directory, "UPDATE call SET record = '[]' WHERE call_id = 'c299'");
  expect((await search(store)).recordCount).toBe(before.recordCount);
});

test("not while an import is under way, and not in a backup", async () => {
  await using archive = await createFilled();
  const { directory, store } = archive;
  const session = await store.openImport();
  await expect(rebuildIndex({ directory })).rejects.toThrow("an import");
  await session[Symbol.asyncDispose]();
  const backup = join(await createFolder(), "backup");
  await backUp({ from: directory, to: backup });
  await expect(rebuildIndex({ directory: backup })).rejects.toThrow("is a backup");
});
