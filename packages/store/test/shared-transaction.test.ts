// The transaction that the batches of an import share: when it ends, who may write meanwhile, and what a fault leaves.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createSharedTransaction } from "../src/sqlite/writing/shared-transaction.ts";
import { createArchive, createFolder } from "./support/archives.ts";
import { call } from "../src/suite/records.ts";

const MORE = true;
const LAST = false;

test("rows are there for others when the last one is written, or as many writes as may share a transaction", async () => {
  const { write, countElsewhere } = await openTransaction({ maxWrites: 3 });
  await write(MORE);
  await write(MORE);
  expect(countElsewhere()).toBe(0);
  await write(MORE);
  expect(countElsewhere()).toBe(3);
  await write(MORE);
  await write(LAST);
  expect(countElsewhere()).toBe(5);
});

test("nobody is kept waiting while the next rows are long in coming", async () => {
  const { write, other, countElsewhere } = await openTransaction({ maxMs: 50 });
  await write(MORE);
  expect(() => other.exec("BEGIN IMMEDIATE")).toThrow("locked");
  await setTimeout(100);
  expect(countElsewhere()).toBe(1);
  other.exec("INSERT INTO row DEFAULT VALUES");
  await write(LAST);
  expect(countElsewhere()).toBe(3);
});

// As SQLite waits for a lock, it looks for it every 100 ms.
test("the lock is left free for as long as others take to see it", async () => {
  const { write, other } = await openTransaction({ maxWrites: 2 });
  await write(MORE);
  await write(MORE);
  const next = write(MORE);
  await setTimeout(50);
  other.exec("INSERT INTO row DEFAULT VALUES");
  await next;
  expect(() => other.exec("BEGIN IMMEDIATE")).toThrow("locked");
});

test("a fault takes back the whole transaction, and those to come are not told that all is well", async () => {
  const { write, end, countElsewhere } = await openTransaction();
  await write(LAST);
  await write(MORE);
  await expect(
    write(MORE, () => {
      throw new Error("not this one");
    }),
  ).rejects.toThrow("not this one");
  expect(countElsewhere()).toBe(1);
  await expect(write(LAST)).rejects.toThrow("not this one");
  expect(end).toThrow("not this one");
  expect(countElsewhere()).toBe(1);
});

test("so does one between two writes", async () => {
  const { write, end, countElsewhere } = await openTransaction({
    maxMs: 20,
    flush: () => {
      throw new Error("the disk is full");
    },
  });
  await write(MORE);
  await setTimeout(60);
  await expect(write(LAST)).rejects.toThrow("the disk is full");
  expect(end).toThrow("the disk is full");
  expect(countElsewhere()).toBe(0);
});

test("what an import has written when it is broken off stays", async () => {
  const store = await createArchive();
  const session = await store.openImport();
  await session.write([[call({ call_id: "A" })]], 0, true);
  expect(await store.calls.byCallId("A", "everything")).toEqual([]);
  await session[Symbol.asyncDispose]();
  expect(await store.calls.byCallId("A", "everything")).toHaveLength(1);
});

test("an import of rows however long shows them to others after eighty writes", async () => {
  const store = await createArchive();
  await using session = await store.openImport();
  const seen: number[] = [];
  for (let write = 1; write <= 81; write += 1) {
    const datetime = new Date(Date.UTC(2026, 0, 5, 10, write)).toISOString();
    await session.write([[call({ call_id: "A", datetime })]], 0, true);
    seen.push((await store.calls.byCallId("A", "everything")).length);
  }
  expect(seen).toEqual([...Array.from({ length: 79 }, () => 0), 80, 80]);
});

interface Given {
  readonly maxWrites?: number;
  readonly maxMs?: number;
  readonly flush?: () => void;
}

async function openTransaction(given: Given = {}) {
  const file = join(await createFolder(), "rows.db");
  const [database, other] = [new DatabaseSync(file), new DatabaseSync(file)];
  onTestFinished(() => [database, other].forEach((one) => one.close()));
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE row (id INTEGER PRIMARY KEY)");
  const { flush = () => {}, maxWrites = 1_000, maxMs = 60_000 } = given;
  const transaction = createSharedTransaction(database, flush, { maxWrites, maxMs });
  const insert = () => database.exec("INSERT INTO row DEFAULT VALUES");
  return {
    other,
    end: () => transaction.end(),
    write: (hasMore: boolean, work: () => void = insert) => transaction.run(hasMore, work),
    countElsewhere: () => Number(other.prepare("SELECT count(*) AS n FROM row").get()?.["n"]),
  };
}
