// The access log while another program holds its file, and written by what is built.
import { build } from "@call-media/test-setup/built";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { type CallStore } from "../src/index.ts";
import type * as Source from "../src/sqlite/sqlite-store.ts";
import { readAll, toEntry } from "../src/suite/access-log.ts";
import { createArchive, createFolder } from "./support/archives.ts";

const open = (directory: string) => new DatabaseSync(join(directory, "access.db"));

async function createLog(rows: number) {
  const { directory, ...store } = await createArchive();
  await append(store, rows);
  return { directory, store };
}

async function append(store: CallStore, rows: number): Promise<void> {
  for (let row = 1; row <= rows; row += 1)
    await store.accessLog.append(toEntry({ requestId: `request ${row}` }), true);
}

test("while another program holds the lock, a read waits for its row and is refused in the end", async () => {
  const { directory, store } = await createLog(1);
  using database = open(directory);
  database.exec("BEGIN IMMEDIATE");
  await expect(store.accessLog.append(toEntry(), true)).rejects.toThrow("database is locked");

  database.exec("ROLLBACK");
  await append(store, 1);
  expect(await readAll(store)).toHaveLength(2);
});

test("a read does not go on while the rows before it are late", async () => {
  const { directory, store } = await createLog(1);
  using database = open(directory);
  database.exec("BEGIN IMMEDIATE");
  const startMs = performance.now();
  // Rows are promised until the first of them is late; then one has to wait.
  let isPromised = true;
  while (isPromised && performance.now() - startMs < 1_500) {
    const promised = store.accessLog.append(toEntry(), false).then(() => true);
    isPromised = await Promise.race([promised, setTimeout(20, false)]);
    await setTimeout(5);
  }
  const waitedMs = performance.now() - startMs;
  database.exec("ROLLBACK");

  expect(isPromised).toBe(false);
  expect(waitedMs).toBeGreaterThan(100);
  await vi.waitFor(async () => expect((await readAll(store)).length).toBeGreaterThan(2), {
    timeout: 20_000,
  });
});

const BUILT = new URL("../dist/sqlite/sqlite-store.js", import.meta.url);

// What is published has other file names.
test("the thread runs from what is built, too", async () => {
  build("@call-media/store");
  const { createStore } = (await import(BUILT.href)) as typeof Source; // which it was built from
  const store = await createStore({ directory: await createFolder() });
  onTestFinished(() => store[Symbol.asyncDispose]());
  await store.accessLog.append(toEntry(), true);

  expect(await store.accessLog.verify()).toMatchObject({ rows: 1, fault: undefined });
});
