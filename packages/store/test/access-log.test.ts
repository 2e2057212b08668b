// The access log in its file: what was changed behind its back is found, what cannot be written is not forgotten.
import { hash } from "node:crypto";
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { type CallStore, StoreFault } from "../src/index.ts";
import { createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { readAll, toEntry } from "../src/suite/access-log.ts";
import { createFolder } from "./support/archives.ts";

const open = (directory: string) => new DatabaseSync(join(directory, "access.db"));

const filled = new Map<number, Promise<string>>();

/** An archive with so many rows, which are written once and then copied. */
async function createLog(rows: number) {
  const from = filled.get(rows) ?? fillLog(rows);
  filled.set(rows, from);
  const directory = await createFolder();
  await cp(await from, directory, { recursive: true });
  const store = await openStore({ directory });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return { directory, store };
}

async function fillLog(rows: number): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "access-log-")); // goes with all temporary files of the run
  await using store = await createStore({ directory });
  await append(store, rows);
  return directory;
}

async function append(store: CallStore, rows: number): Promise<void> {
  for (let row = 1; row <= rows; row += 1)
    await store.accessLog.append(toEntry({ requestId: `request ${row}` }), true);
}

const WITHOUT_GUARDS = "DROP TRIGGER access_kept; DROP TRIGGER access_unchanged;";

test.each<[what: string, sql: string, fault: string]>([
  [
    "a row that was altered",
    `UPDATE access SET entry = replace(entry, '"userId":1', '"userId":2') WHERE seq = 3`,
    "row 3 does not follow from row 2: one of them was altered",
  ],
  ["the first row, altered", "UPDATE access SET entry = '{}' WHERE seq = 1", "row 1 was altered"],
  [
    "a hash that was altered",
    "UPDATE access SET hash = (SELECT hash FROM access WHERE seq = 1) WHERE seq = 3",
    "row 3 does not follow from row 2: one of them was altered",
  ],
  ["a row that was removed", "DELETE FROM access WHERE seq = 3", "row 3 is missing"],
  ["the first row", "DELETE FROM access WHERE seq = 1", "row 1 is missing"],
  ["rows at the end", "DELETE FROM access WHERE seq >= 4", "rows 4 to 5 are missing"],
  ["every row", "DELETE FROM access", "rows 1 to 5 are missing"],
  [
    "two rows that changed places",
    `UPDATE access SET seq = -2 WHERE seq = 2; UPDATE access SET seq = 2 WHERE seq = 3;
     UPDATE access SET seq = 3 WHERE seq = -2`,
    "row 2 does not follow from row 1: one of them was altered",
  ],
  [
    "a row that was put between",
    `UPDATE access SET seq = -seq WHERE seq >= 3; UPDATE access SET seq = 1 - seq WHERE seq < 0;
     INSERT INTO access SELECT 3, entry, hash FROM access WHERE seq = 2`,
    "row 3 does not follow from row 2: one of them was altered",
  ],
  [
    "a row that was added",
    "INSERT INTO access SELECT 6, entry, hash FROM access WHERE seq = 5",
    "row 6 does not follow from row 5: one of them was altered",
  ],
])("%s is found", async (_what, sql, fault) => {
  const { directory, store } = await createLog(5);
  expect((await store.accessLog.verify()).fault).toBeUndefined();
  using database = open(directory);
  database.exec(`${WITHOUT_GUARDS} ${sql}`);

  expect((await store.accessLog.verify()).fault).toBe(fault);
});

test("a row that was altered together with its hash is found by the next", async () => {
  const { directory, store } = await createLog(5);
  const [, second] = await readAll(store);
  using database = open(directory);
  const entry = JSON.stringify(toEntry({ userId: 2 }));
  database.exec(WITHOUT_GUARDS);
  database
    .prepare("UPDATE access SET entry = ?, hash = ? WHERE seq = 3")
    .run(entry, hash("sha256", `${second?.hash} 3 ${entry}`));

  expect((await store.accessLog.verify()).fault).toBe(
    "row 4 does not follow from row 3: one of them was altered",
  );
});

test.each([
  "junk",
  "5",
  "null",
  "{}",
  '{"timeMs":1,"operation":"export","asked":null,"callIds":[]}',
  '{"timeMs":1,"operation":{},"asked":{},"callIds":[]}',
  '{"timeMs":1,"operation":"export","asked":{},"callIds":[{}]}',
  '{"timeMs":1,"operation":"export","asked":{},"callIds":[],"counts":{"calls":"x"}}',
  '{"timeMs":1,"operation":"export","asked":{},"callIds":[],"recording":{"first":0}}',
  '{"timeMs":-1e300,"operation":"export","asked":{},"callIds":[]}',
])("a row that is %j is named, and those after it can be read", async (entry) => {
  const { directory, store } = await createLog(3);
  await store.accessLog.append(toEntry({ timeMs: 2_000 }), true);
  using database = open(directory);
  database.exec(WITHOUT_GUARDS);
  database.prepare("UPDATE access SET entry = ? WHERE seq = 2").run(entry);

  const message = 'row 2 of the access log cannot be read: it was altered, see "audit verify".';
  await expect(readAll(store)).rejects.toThrow(message);
  expect(await readAll(store, { sinceMs: 2_000 })).toMatchObject([{ seq: 4 }]);
});

test("a row that is no JSON may be anybody's", async () => {
  const { directory, store } = await createLog(3);
  using database = open(directory);
  database.exec(`${WITHOUT_GUARDS} UPDATE access SET entry = 'junk' WHERE seq = 2`);

  await expect(readAll(store, { userId: 3 })).rejects.toThrow("row 2 of the access log");
  await expect(readAll(store, { callId: "B" })).rejects.toThrow("row 2 of the access log");
});

test("rows that were removed are found, and no others come after them", async () => {
  const { directory, store } = await createLog(5);
  using database = open(directory);
  database.exec(`${WITHOUT_GUARDS} DELETE FROM access WHERE seq >= 4`);
  await expect(append(store, 3)).rejects.toThrow("rows 4 to 5 are missing");
  await expect(store.accessLog.check()).rejects.toThrow("rows 4 to 5 are missing");

  expect(await store.accessLog.verify()).toMatchObject({
    rows: 3,
    fault: "rows 4 to 5 are missing",
  });
});

test("a log that was written anew from the first row on is told by a hash that was noted", async () => {
  const { store } = await createLog(3);
  const { lastHash } = await store.accessLog.verify();
  const forged = await createLog(2);

  expect((await forged.store.accessLog.verify()).fault).toBeUndefined();
  expect((await forged.store.accessLog.verify(lastHash)).fault).toMatch(/noted earlier/);
});

test("who opens the file can neither change nor remove a row by mistake", async () => {
  const { directory } = await createLog(1);
  using database = open(directory);

  expect(() => database.exec("UPDATE access SET entry = '{}'")).toThrow("never changed");
  expect(() => database.exec("DELETE FROM access")).toThrow("never removed");
});

test("two programs on one archive write one chain", async () => {
  const { directory, store } = await createLog(0);
  await using other = await openStore({ directory });
  await Promise.all([append(store, 100), append(other, 100)]);

  expect(await store.accessLog.verify()).toMatchObject({ rows: 200, fault: undefined });
});

test("a row that cannot be written is refused, and one that was promised is kept until it can", async () => {
  const { directory, store } = await createLog(1); // so that the thread runs: what follows is faster than rows are late
  const disk = createBrokenDisk(directory);
  await store.accessLog.append(toEntry({ requestId: "promised" }), false);
  await expect(store.accessLog.append(toEntry({ requestId: "listen" }), true)).rejects.toThrow(
    new StoreFault("unavailable", "access.db could not be written: the disk is broken"),
  );
  await expect(
    store.accessLog.append(toEntry({ requestId: "read afterwards" }), false),
  ).rejects.toMatchObject({ reason: "unavailable" });

  disk.repair();
  await store.accessLog.append(toEntry({ requestId: "read at last" }), false);

  const ids = (await readAll(store)).map(({ requestId }) => requestId);
  expect(ids).toEqual(["request 1", "promised", "read at last"]);
  expect((await store.accessLog.verify()).fault).toBeUndefined();
});

test("what was promised is written when that is possible again, though nobody asks", async () => {
  const { directory, store } = await createLog(0);
  const disk = createBrokenDisk(directory);
  await store.accessLog.append(toEntry(), false);
  await expect(store.accessLog.append(toEntry(), true)).rejects.toMatchObject({
    reason: "unavailable",
  });

  disk.repair();

  await vi.waitFor(async () => expect(await readAll(store)).toHaveLength(1), { timeout: 20_000 });
});

test("closing writes what waits, and says so when it cannot", async () => {
  const { directory, store } = await createLog(0);
  const closing = await openStore({ directory });
  await closing.accessLog.append(toEntry(), false);
  await closing[Symbol.asyncDispose]();
  expect(await readAll(store)).toHaveLength(1);
  await expect(closing.accessLog.append(toEntry(), false)).rejects.toThrow("is closed");

  const failing = await openStore({ directory });
  createBrokenDisk(directory);
  await failing.accessLog.append(toEntry(), false);
  await expect(failing[Symbol.asyncDispose]()).rejects.toThrow(
    "1 rows of the access log could not be written",
  );
});

// SQLite itself refuses the row, as it does on a full disk; what comes back is an error of the same kind.
function createBrokenDisk(directory: string): { repair: () => void } {
  const database = open(directory);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  database.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON access BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END",
  );
  return { repair: () => database.exec("DROP TRIGGER broken") };
}
