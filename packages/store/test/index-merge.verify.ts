// What imports leave of the search index: few segments, whole, however many imports there were and in whatever order.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { toDigest } from "../src/sqlite/schema/digested.ts";
import type { CallStore } from "../src/index.ts";
import { createCallSearch } from "../src/sqlite/search/call-search.ts";
import { openDatabase, openForSearches } from "../src/sqlite/files/database.ts";
import { mergeIndex } from "../src/sqlite/search/index-merge.ts";
import { toFirstId } from "../src/values/order-key.ts";
import { createTermLister, openSegmentIndex } from "../src/sqlite/segment-index/segment-index.ts";
import { createArchive, createFolder } from "./support/archives.ts";
import { toRowDigest } from "../src/values/row-digest.ts";
import { call, query, toRecord } from "../src/suite/records.ts";

test("many small imports leave few segments", async () => {
  const { directory, ...store } = await createArchive();
  for (let imported = 1; imported <= 20; imported += 1) {
    await importBatches(store, `import ${imported}`, 3);
    expect(countSegments(directory)).toBeLessThan(16);
  }
  expect(await countFound(store)).toBe(60);
});

test("an import whose merge is kept waiting too long has imported everything", async () => {
  const { directory, ...store } = await createArchive();
  using other = new DatabaseSync(join(directory, "archive.db"));
  await importBatches(store, "first", 6, () => other.exec("BEGIN IMMEDIATE"));
  expect(await countFound(store)).toBe(6);

  other.exec("ROLLBACK");
  await importBatches(store, "second", 6);
  expect(await countFound(store)).toBe(12);
});

test("calls that were taken out do not come back with a merge, and segments of which most are gone shrink", async () => {
  const { database, index, search, toIndexed } = await openIndex();
  const ids = Array.from({ length: 1_000 }, (_, ms) => toFirstId(ms));
  change(() => index.change([], ids.map(toIndexed)));
  change(() =>
    index.change(
      ids.filter((_, at) => at % 3 === 0),
      [],
    ),
  );
  expect(search().recordCount).toBe(666);

  change(() =>
    index.change(
      ids.slice(0, 500).filter((_, at) => at % 3 !== 0),
      [],
    ),
  );
  expect(count(database, "SELECT sum(removed_count) AS n FROM index_segment")).toBe(667);
  await mergeIndex(database);
  expect(count(database, "SELECT sum(removed_count) AS n FROM index_segment")).toBe(0);
  expect(count(database, "SELECT sum(calls) AS n FROM index_segment")).toBe(333);
  expect(search().recordCount).toBe(333);

  function change(work: () => void): void {
    inTransaction(database, work);
  }
});

test("what was written in a transaction that was undone is not in the index, nor in what is merged later", async () => {
  const { database, index, search, toIndexed } = await openIndex();
  const write = (instants: readonly number[], end: "COMMIT" | "ROLLBACK") => {
    database.exec("BEGIN IMMEDIATE");
    index.change(
      [],
      instants.map((ms) => toIndexed(toFirstId(ms))),
    );
    index.merge();
    database.exec(end);
  };
  for (let segment = 0; segment < 16; segment += 1) {
    write([50_000 + segment], "ROLLBACK");
    write([segment * 10, segment * 10 + 1], "COMMIT");
  }

  expect(count(database, "SELECT sum(calls) AS n FROM index_segment")).toBe(32);
  const { rows, recordCount } = search();
  expect(recordCount).toBe(32);
  expect(JSON.parse(rows)[0]?.[0]).toBe(String(toFirstId(151)));
});

// As an import of a shuffled file leaves them: each segment has calls of all days.
test("large segments that cover the same days are merged into ones that follow each other", async () => {
  const { database, index, search, toIndexed } = await openIndex();
  const [segments, calls] = [6, 33_000];
  for (let segment = 0; segment < segments; segment += 1) {
    const ids = Array.from({ length: calls }, (_, at) => toFirstId(at * segments + segment));
    inTransaction(database, () => index.change([], ids.map(toIndexed)));
  }
  expect(countOverlapping(database)).toBe(segments);
  const before = [0, 1_000, 3_959].map((pageIndex) => search(pageIndex));
  await mergeIndex(database);

  expect(countOverlapping(database)).toBeLessThanOrEqual(4);
  expect([0, 1_000, 3_959].map((pageIndex) => search(pageIndex))).toEqual(before);
  expect(before[0]?.recordCount).toBe(segments * calls);
  const newest = toFirstId(segments * calls - 1);
  expect(before.map(({ rows }) => JSON.parse(rows)[0]?.[0])).toEqual([
    String(newest),
    String(toFirstId(segments * calls - 1 - 50_000)),
    String(toFirstId(49)),
  ]);
});

/** An archive with nothing of its calls but their ids: one in each of the first milliseconds there are. */
async function openIndex() {
  const directory = await createFolder();
  const database = openDatabase(directory);
  const reader = openForSearches(directory);
  onTestFinished(() => [reader, database].forEach((one) => one.close()));
  database.function("digest_of", (callId) => toRowDigest([callId, null, null, null, []], "[]"));
  database.exec(`
    INSERT OR REPLACE INTO setting (name, value) VALUES ('time_zone', 'UTC');
    UPDATE setting SET digest = ${toDigest("setting")};
    DROP TABLE call;
    CREATE TABLE call (id INTEGER PRIMARY KEY, call_id, ref_id, session_id, master_id, identity, digest, record);
    WITH RECURSIVE instant (ms) AS (SELECT 0 UNION ALL SELECT ms + 1 FROM instant LIMIT 198000)
      INSERT INTO call (id, call_id, digest, record)
      SELECT ms << 20, CAST(ms << 20 AS TEXT), digest_of(CAST(ms << 20 AS TEXT)), '[]' FROM instant`);
  const searchCalls = createCallSearch(reader);
  const whole = {
    fromMs: 0,
    untilMs: 1e9,
    visibility: "everything",
    filter: { agent: "ann" },
  } as const;
  const terms = createTermLister(database)(toRecord({ agent: "ann" }));
  return {
    database,
    toIndexed: (id: bigint) => ({ id, terms }),
    index: openSegmentIndex(database),
    search: (pageIndex = 0) => searchCalls({ ...whole, pageIndex, isCounted: true }),
  };
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  work();
  database.exec("COMMIT");
}

async function importBatches(
  store: CallStore,
  name: string,
  batches: number,
  atEnd = () => {},
): Promise<void> {
  await using session = await store.openImport();
  for (let batch = 0; batch < batches; batch += 1) {
    const fields = { call_id: `${name} ${batch}`, agent: "ann", datetime: "2025-06-01T10:00:00Z" };
    await session.write([[call(fields)]]);
  }
  atEnd();
}

async function countFound(store: CallStore): Promise<number | undefined> {
  return (await store.calls.search(query({ filter: { agent: "ann" } }))).recordCount;
}

function countSegments(directory: string): number {
  using database = new DatabaseSync(join(directory, "archive.db"));
  return count(database, "SELECT count(*) AS n FROM index_segment");
}

/** The most segments that have calls of one moment. */
function countOverlapping(database: DatabaseSync): number {
  return count(
    database,
    `SELECT max(covering) AS n FROM (
       SELECT count(*) AS covering FROM index_segment AS one
       JOIN index_segment AS other ON one.first_id BETWEEN other.first_id AND other.last_id GROUP BY one.id)`,
  );
}

function count(database: DatabaseSync, sql: string): number {
  return Number(database.prepare(sql).get()?.["n"]);
}
