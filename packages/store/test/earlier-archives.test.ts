// An archive of before opens, gets the columns that have come since, and knows its own calls when they come again.
import { execFile } from "node:child_process";
import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseQuery } from "@call-media/words";
import { expect, test } from "vitest";
import { ERASURES } from "../src/sqlite/erase-batches.ts";
import { openDatabase } from "../src/sqlite/files/database.ts";
import { Connection } from "../src/sqlite/files/connection.ts";
import { rebuildIndex } from "../src/sqlite/maintenance/rebuild-index.ts";
import { ARCHIVE_SCHEMA } from "../src/sqlite/schema/archive-schema.ts";
import { removeSetting } from "../src/sqlite/settings.ts";
import { createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { toEntry } from "../src/suite/access-log.ts";
import { call, fill, query } from "../src/suite/records.ts";
import type { LedgerEntry } from "../src/values/ledger.ts";
import { createFolder } from "./support/archives.ts";
import { change, makeEarlier, rewrite } from "./support/examined.ts";
import { createClosedArchive } from "./support/kept-archive.ts";
import { backUp, examine, purge } from "./support/maintenance.ts";
import { EARLIER, expectKnown, listEarlier } from "./support/earlier-archives.ts";

test("an archive whose calls have the identities of before, and tombstones without days", async () => {
  const directory = await createFolder();
  const gone = call({ call_id: "C", datetime: "2025-05-01T10:00:00Z" });
  {
    await using made = await createStore({ directory });
    await fill(made, [...EARLIER, gone]);
    await made.maintenance.erase({ callId: "C" }, { operator: "olive" });
  }
  makeEarlier(directory);
  using database = new DatabaseSync(join(directory, "archive.db"));
  for (const { stored, earlier } of listEarlier())
    database.exec(`UPDATE call SET identity = X'${earlier}' WHERE identity = X'${stored}'`);
  for (const column of ["until_day", "erasure"])
    database.exec(`ALTER TABLE tombstone DROP COLUMN ${column}`);

  await using store = await openStore({ directory });
  expect(await fill(store, [gone])).toEqual(["erased"]);
  await expectKnown(store);
});

const WORDS = [
  ["refund", 38],
  ["ref*", 76],
  ["refunded*", 38],
  ["reimbursement", 37],
  ["reimbursem*", 37],
  ["reim*", 37],
  ["ωμεγα", 37],
  ["ωμε*", 37],
  ['"refunded tw*"', 38],
  ["qqq*", 0],
] as const;

test("an archive whose words are hashes alone is searched by their beginnings, and gets codes when its index is rebuilt", async () => {
  const directory = await createFolder();
  await (await createStore({ directory }))[Symbol.asyncDispose]();
  makeEarlier(directory);
  using database = new DatabaseSync(join(directory, "archive.db"));
  database.exec("DELETE FROM setting WHERE name = 'index_format'; PRAGMA user_version = 102");
  const read = () => [
    database.prepare("PRAGMA user_version").get()?.["user_version"],
    database.prepare("SELECT count(*) AS words FROM word").get()?.["words"],
  ];

  await using store = await openStore({ directory });
  // More than are read one by one.
  const calls = Array.from({ length: 150 }, (_, index) =>
    call({
      call_id: `c${index}`,
      datetime: "2025-05-01T10:00:00Z",
      notes: ["refund", "refunded twice", "reimbursement", "Ωμέγα"][index % 4] ?? null,
    }),
  );
  await fill(store, calls);
  const count = async (words: string) =>
    (await store.calls.search(query({ words: parseQuery(words) }))).recordCount;
  const countAll = () => Promise.all(WORDS.map(([words]) => count(words)));
  const expected = WORDS.map(([, found]) => found);
  expect([await countAll(), read()]).toEqual([expected, [ARCHIVE_SCHEMA.version, 5]]);
  expect((await store.maintenance.check()).filter(({ level }) => level === "error")).toEqual([]);

  await rebuildIndex(directory);
  expect([await countAll(), read()]).toEqual([expected, [ARCHIVE_SCHEMA.version, 2]]);
  await fill(store, [
    call({ call_id: "late", datetime: "2025-05-01T10:00:00Z", notes: "refunds" }),
  ]);
  expect([await count("refund*"), await count("refunds")]).toEqual([77, 1]);
  expect((await store.maintenance.check()).filter(({ level }) => level === "error")).toEqual([]);
});

test("what was damaged in an archive whose rows have digests is damaged after the upgrade, what was not is well", async () => {
  const directory = await createClosedArchive("a", "b", "c");
  await purge({ directory, filter: { callId: "c" }, operator: "olive" });
  {
    using database = new Connection(join(directory, "archive.db"));
    database.exec(`ALTER TABLE media DROP COLUMN sound;
      UPDATE media SET digest = row_digest(sha256, bytes, path);
      DROP TABLE row_sum;
      PRAGMA user_version = 104`);
  }
  const intact = await createFolder();
  await cp(directory, intact, { recursive: true });
  for (const one of ["bytes = 7 WHERE sha256 LIKE '3e%'", "digest = NULL WHERE sha256 LIKE 'ca%'"])
    change(directory, `UPDATE media SET ${one}`);
  change(directory, "UPDATE tombstone SET until_day = 1");
  change(directory, "UPDATE recording SET digest = NULL WHERE sha256 LIKE '3e%'");

  const backup = join(await createFolder(), "backup");
  const { damagedRecords } = await backUp({ from: directory, to: backup });
  const named = [
    "call_id b",
    "call_id a",
    expect.stringMatching(/^the row of the recording 3e/),
    expect.stringMatching(/^the row of the recording ca/),
    expect.stringMatching(/^the tombstone /),
    expect.stringMatching(/^the tombstone /),
  ];
  expect(damagedRecords).toEqual(named);
  await (await openStore({ directory }))[Symbol.asyncDispose]();
  const again = await backUp({ from: directory, to: join(await createFolder(), "backup") });
  expect(again.damagedRecords).toEqual(named);
  await (await openStore({ directory: intact }))[Symbol.asyncDispose]();
  expect(await examine(intact)).toEqual([]);
});

test("an archive gets the tables that have come since, and its rows are those that were written", async () => {
  const directory = await createClosedArchive("a", "b");
  {
    using database = new DatabaseSync(join(directory, "archive.db"));
    database.exec(`DROP TABLE held; DROP TABLE hold; DROP TABLE owed; DROP TABLE owed_reference; DROP TABLE act; DROP TABLE version; DROP TABLE version_recording; DROP INDEX recording_by_sha256;
      ALTER TABLE call DROP COLUMN act; ALTER TABLE chat DROP COLUMN act; ALTER TABLE user DROP COLUMN act; ALTER TABLE flag DROP COLUMN act;
      DELETE FROM row_sum WHERE name IN ('act', 'version', 'version_recording', 'hold', 'held', 'owed', 'owed_reference');
      PRAGMA user_version = 106`);
  }
  const before = await backUp({ from: directory, to: join(await createFolder(), "backup") });
  expect(before.damagedRecords).toEqual([]);
  await (await openStore({ directory }))[Symbol.asyncDispose]();
  expect(await examine(directory)).toEqual([]);
});

test("an access log of before gets its index of calls, and its rows are found by it", async () => {
  const directory = await createFolder();
  {
    await using made = await createStore({ directory });
    await made.accessLog.append(toEntry(), true);
  }
  change(directory, "DROP INDEX access_by_call; PRAGMA user_version = 102", "access.db");
  {
    await using store = await openStore({ directory });
    expect(await store.accessLog.ofCall({ callId: "A", limit: 50 })).toMatchObject([{ seq: 1 }]);
    expect(await store.accessLog.verify()).toMatchObject({ rows: 1, fault: undefined });
  }
  expect(await examine(directory)).toEqual([]);
});

test("a program goes on with tables that a later one has added to, and refuses those that it would misread", async () => {
  const directory = await createClosedArchive("a");
  const next = ARCHIVE_SCHEMA.version + 1;
  change(directory, `ALTER TABLE call ADD COLUMN later INTEGER; PRAGMA user_version = ${next}`);
  {
    await using store = await openStore({ directory });
    expect(await fill(store, [call({ call_id: "b" })])).toEqual(["imported"]);
  }
  expect(await examine(directory)).toEqual([]);

  rewrite(directory, `UPDATE setting SET value = '${next}' WHERE name = 'readable_since'`);
  await expect(openStore({ directory })).rejects.toThrow(`it has schema ${next}`);
  rewrite(directory, "UPDATE setting SET value = '1' WHERE name = 'readable_since'");
  change(directory, `UPDATE setting SET value = '107' WHERE name = 'readable_since'`);
  await expect(openStore({ directory })).rejects.toThrow(`it has schema ${next}`);
});

const KEPT = fileURLToPath(new URL("../../../apps/release/archives", import.meta.url));

/** Of each kind, whatever entry they are in. */
async function readMarks(ledger: string) {
  const names = (await readdir(ledger)).filter((name) => /^\d/.test(name));
  const entries = await Promise.all(
    names.map(async (name): Promise<LedgerEntry> =>
      JSON.parse(await readFile(join(ledger, name), "utf8")),
    ),
  );
  const toTexts = (of: string) =>
    entries.flatMap(({ kind, marks }) =>
      kind === of ? marks.map((mark) => JSON.stringify(mark)) : [],
    );
  return { erased: new Set(toTexts("erased")), owed: new Set(toTexts("owed")) };
}

test.each(await readdir(KEPT))(
  "the archive of %s tells a ledger without entries what it has erased and owes",
  async (version) => {
    const work = await createFolder();
    const packed = join(KEPT, version, "folder.tgz");
    await promisify(execFile)("tar", ["-xzf", packed], { cwd: work });
    const directory = join(work, "archive");
    const ledger = join(directory, "ledger");
    const expected = await readMarks(ledger);
    await rm(ledger, { recursive: true });
    {
      using database = openDatabase(directory);
      removeSetting(database, ERASURES);
    }
    await (await openStore({ directory }))[Symbol.asyncDispose]();
    expect(await readMarks(ledger)).toEqual(expected);
    expect((await examine(directory)).filter(({ level }) => level === "error")).toEqual([]);
  },
);
