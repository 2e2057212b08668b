// What an import leaves of the search index: one piece, whole, whatever became of the merge.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { CallStore } from "../src/index.ts";
import { createArchive } from "./support/archives.ts";
import { call, query } from "./support/records.ts";

const BATCHES = 6;

test("an import of several batches leaves the index in one piece", async () => {
  const { directory, ...store } = await createArchive();
  await importBatches(store, "first");
  expect(countPieces(directory)).toBe(1);

  await importBatches(store, "second");
  expect(countPieces(directory)).toBeLessThanOrEqual(2);
  expect(await countFound(store)).toBe(2 * BATCHES);
});

test("an import whose merge is kept waiting too long has imported everything, and the next one merges", async () => {
  const { directory, ...store } = await createArchive();
  using other = open(directory);
  await importBatches(store, "first", () => other.exec("BEGIN IMMEDIATE"));
  expect(await countFound(store)).toBe(BATCHES);
  expect(countPieces(directory)).toBe(BATCHES);

  other.exec("ROLLBACK");
  await importBatches(store, "second");
  expect(countPieces(directory)).toBe(1);
  expect(await countFound(store)).toBe(2 * BATCHES);
});

async function importBatches(store: CallStore, name: string, atEnd = () => {}): Promise<void> {
  await using session = await store.openImport();
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const fields = { call_id: `${name} ${batch}`, agent: "ann", datetime: "2025-06-01T10:00:00Z" };
    await session.write([[call(fields)]]);
  }
  atEnd();
}

async function countFound(store: CallStore): Promise<number | undefined> {
  return (await store.calls.search(query({ filter: { agent: "ann" } }))).recordCount;
}

/** FTS5 calls them segments. */
function countPieces(directory: string): number {
  using database = open(directory);
  const row = database.prepare("SELECT count(DISTINCT segid) AS n FROM call_index_idx").get();
  return Number(row?.["n"]);
}

function open(directory: string): DatabaseSync {
  return new DatabaseSync(join(directory, "archive.db"));
}
