// Holds and owed erasures in the ledger: an archive that is restored, or set back, has those that came since.
import { cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { KEYS, startS3 } from "@call-media/test-setup/s3-server";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Finding, InternalRow, LedgerPlace, Maintenance, NewHold } from "../src/index.ts";
import { createLedgerFolder } from "../src/media/ledger-folder.ts";
import { createMediaFolder } from "../src/media/media-folder.ts";
import { openBucket } from "../src/media/s3/bucket-store.ts";
import { migrateArchive } from "../src/migrate/migrate.ts";
import { createStore, findAdapter, openMaintenance, openStore } from "../src/open.ts";
import { openDatabase } from "../src/sqlite/files/database.ts";
import { createMaintenance } from "../src/sqlite/maintenance/maintenance.ts";
import { readAll } from "../src/suite/access-log.ts";
import { call, fill } from "../src/suite/records.ts";
import { copyHolds, putHold, readHolds } from "../src/values/ledger-holds.ts";
import { createFolder } from "./support/archives.ts";
import { expectWell, listIds } from "./support/purging.ts";

const AT = "2025-05-01T10:00:00Z";
const BY = { operation: "hold add", operator: "olive" } as const;
const X: NewHold["holds"] = { where: { campaign: ["x"] } };

const add = (archive: Maintenance, name: string, holds: NewHold["holds"]) =>
  archive.holds.add({ name, reason: "Smith v Acme", holds }, BY);

const erase = (archive: Maintenance, callIds: readonly string[], ofCase?: string) =>
  archive.erase({ callIds }, { operator: "olive", case: ofCase });

async function listOwed(archive: Maintenance) {
  const rows: InternalRow[] = [];
  for await (const row of archive.internals.read())
    if (row.kind === "owed" || (row.kind === "setting" && row.name === "owed_marks"))
      rows.push(row);
  return rows;
}

const listNames = async (archive: Maintenance) =>
  (await archive.holds.list()).map(({ name }) => name);

async function importInto(directory: string, ...calls: readonly Parameters<typeof call>[0][]) {
  await using store = await openStore({ records: directory });
  return await fill(
    store,
    calls.map((fields) => call({ datetime: AT, ...fields }, { identity: ["1"] })),
  );
}

async function createBackedUp() {
  const directory = await createFolder();
  const backup = join(await createFolder(), "backup");
  await (await createStore({ records: directory }))[Symbol.asyncDispose]();
  await importInto(directory, { call_id: "A", campaign: "x" }, { call_id: "B", campaign: "y" });
  const archive = await openMaintenance({ records: directory });
  await archive.snapshot?.(backup);
  const old = await createFolder();
  await cp(directory, old, { recursive: true });
  return { directory, backup, archive, old };
}

async function restoreTo(backup: string, ledger?: LedgerPlace | null) {
  const directory = join(await createFolder(), "restored");
  const archive = await openMaintenance({ records: directory });
  const report = await archive.restore?.(backup, { operator: "olive", ledger });
  return { directory, archive, report };
}

const setBack = async (directory: string, old: string) => {
  for (const name of ["archive.db", "access.db"]) await cp(join(old, name), join(directory, name));
};

test("a hold that came after the backup is there when that is restored, and what it holds stays", async () => {
  const { directory, backup, archive } = await createBackedUp();
  await add(archive, "smith", X);
  await add(archive, "named", { callIds: ["B", "later"] });
  const restored = await restoreTo(backup);
  expect(restored.report?.erasedAgain).toMatchObject({
    holds: { added: ["named", "smith"], released: [] },
  });
  const [here, there] = [await archive.holds.list(), await restored.archive.holds.list()];
  expect(there).toEqual(here);
  expect(there).toMatchObject([
    { name: "named", calls: 1, missing: ["later"], added: { operator: "olive" } },
    { name: "smith", calls: 1, reason: "Smith v Acme", query: X },
  ]);
  expect(await erase(restored.archive, ["A", "B"])).toMatchObject({ calls: 0, held: { calls: 2 } });
  await expectWell(directory);
  await expectWell(restored.directory);
});

test("an archive that is set back has its holds before anything is planned, purged, imported or copied", async () => {
  const { directory, archive, old } = await createBackedUp();
  await add(archive, "smith", X);
  const held = { calls: 1, holds: ["smith"], isOwed: true };
  for (const work of [
    async () => expect((await archive.planErasure({ callIds: ["A"] })).held).toMatchObject(held),
    async () => expect(await erase(archive, ["A"])).toMatchObject({ calls: 0, held }),
    async () => await (await openStore({ records: directory }))[Symbol.asyncDispose](),
    async () => void (await archive.snapshot?.(join(await createFolder(), "other"))),
    async () => expect(await listNames(archive)).toEqual(["smith"]),
  ]) {
    await setBack(directory, old);
    await work();
    using database = openDatabase(directory);
    expect(database.prepare("SELECT name FROM hold").all()).toEqual([{ name: "smith" }]);
  }
});

test("of a released hold the ledger has the name and the date alone, and no restore brings it back", async () => {
  const { directory, backup, archive } = await createBackedUp();
  await add(archive, "smith", { callIds: ["A", "John Smith"] });
  await archive.snapshot?.(backup);
  const files = [directory, backup].map((place) => join(place, "ledger", "hold-smith.json"));
  for (const file of files) expect(await readFile(file, "utf8")).toContain("John Smith");
  expect(await archive.holds.release("smith")).toBe(0);
  for (const file of files) {
    const {
      archive: _archive,
      sha256: _sha256,
      ...left
    } = JSON.parse(await readFile(file, "utf8"));
    expect(left).toEqual({ hold: "smith", released: expect.stringMatching(/^\d{4}-.*Z$/) });
  }
  const restored = await restoreTo(backup);
  expect(restored.report?.erasedAgain.holds).toEqual({ added: [], released: ["smith"] });
  expect(await listNames(restored.archive)).toEqual([]);
  // The name can be given again, also if the clock was set back.
  await add(archive, "smith", X);
  const again = await restoreTo(backup);
  expect(await again.archive.holds.list()).toMatchObject([{ name: "smith", query: X, calls: 1 }]);
});

test("a hold of an earlier program, and one that the ledger lost, are written into it by whoever comes next", async () => {
  const { directory, archive } = await createBackedUp();
  await add(archive, "smith", X);
  await rm(join(directory, "ledger"), { recursive: true });
  const finding = (level: Finding["level"], what: string) =>
    expect.objectContaining({ level, what: expect.stringContaining(what) });
  expect(await archive.check()).toContainEqual(finding("warning", "the ledger lacks holds of"));
  await importInto(directory, { call_id: "C" });
  expect(await readdir(join(directory, "ledger"))).toEqual(["hold-smith.json"]);
  await expectWell(directory);
  {
    using database = openDatabase(directory);
    database.exec("DELETE FROM hold");
  }
  expect(await archive.check()).toContainEqual(
    finding("error", "the archive lacks holds that its ledger has: smith"),
  );
});

test("what a correction pinned is held in a restored archive that never had the state before", async () => {
  const { directory, backup, archive } = await createBackedUp();
  await add(archive, "smith", X);
  await importInto(directory, { call_id: "C", campaign: "x" });
  await importInto(directory, { call_id: "C", campaign: "corrected" });
  const restored = await restoreTo(backup);
  await importInto(restored.directory, { call_id: "C", campaign: "corrected" });
  for (const one of [archive, restored.archive])
    expect(await erase(one, ["C"])).toMatchObject({ calls: 0, held: { calls: 1 } });
});

test("what was owed after the backup goes after the release, with the case that named it", async () => {
  const { directory, backup, archive } = await createBackedUp();
  await add(archive, "smith", { callIds: ["A", "C", "D"] });
  await importInto(directory, { call_id: "C", ref_id: "r" }, { call_id: "D" });
  await erase(archive, ["A", "D"], "GDPR-118");
  await archive.erase({ reference: "r" }, { operator: "olive" });
  const entries = await readdir(join(directory, "ledger"));
  for (const name of entries.filter((one) => one.startsWith("0")))
    expect(await readFile(join(directory, "ledger", name), "utf8")).not.toMatch(/"[ACDr]"/);

  const { directory: there, archive: restored, report } = await restoreTo(backup);
  expect(report?.erasedAgain).toMatchObject({ calls: 0, owed: 3, holds: { added: ["smith"] } });
  expect(await restored.erase({ isOwed: true }, { operator: "olive" })).toMatchObject({
    calls: 0,
    held: { calls: 1, isOwed: true },
  });
  // What a hold waits for is let in again.
  expect(await importInto(there, { call_id: "C", ref_id: "r" })).toEqual(["imported"]);
  expect(await restored.holds.release("smith")).toBe(3);
  const gone = await restored.erase({ isOwed: true }, { operator: "oscar" });
  expect(gone).toMatchObject({ calls: 2 });
  {
    await using store = await openStore({ records: there });
    expect(await listIds(store)).toEqual(["B"]);
    const row = (await readAll(store)).find(({ operation }) => operation === "purge");
    expect(row).toMatchObject({ operator: "oscar", asked: { owed: true, case: "GDPR-118" } });
    expect(await fill(store, [call({ call_id: "D", agent: "new" })])).toEqual(["erased"]);
    // A record with the reference that comes later was not named.
    expect(await fill(store, [call({ call_id: "E", ref_id: "r" })])).toEqual(["imported"]);
  }
  expect(await restored.erase({ isOwed: true }, { operator: "olive" })).toMatchObject({ calls: 0 });
  await expectWell(there);
});

test("what is owed no more is not owed in a restored archive either", async () => {
  const { directory, backup, archive } = await createBackedUp();
  await importInto(directory, { call_id: "C", ref_id: "r" });
  await add(archive, "smith", { callIds: ["A", "C"] });
  await erase(archive, ["A"]);
  await archive.erase({ reference: "r" }, { operator: "olive" });
  await archive.holds.release("smith");
  expect(await archive.erase({ isOwed: true }, { operator: "olive" })).toMatchObject({ calls: 2 });
  await importInto(directory, { call_id: "D", ref_id: "r" });
  const { directory: there, archive: restored, report } = await restoreTo(backup);
  expect(report?.erasedAgain).toMatchObject({ calls: 1, owed: 0 });
  await importInto(there, { call_id: "D", ref_id: "r" });
  for (const one of [archive, restored])
    expect(await one.planErasure({ isOwed: true })).toMatchObject({ calls: 0 });
});

test("a reference that was owed by its mark alone is owed no more in a restored archive either", async () => {
  const { directory, backup, archive } = await createBackedUp();
  await importInto(directory, { call_id: "C", ref_id: "r" });
  await add(archive, "smith", { callIds: ["C"] });
  await archive.erase({ reference: "r" }, { operator: "olive" });
  const { directory: first, archive: restored } = await restoreTo(backup);
  await restored.holds.release("smith");
  expect(await restored.erase({ isOwed: true }, { operator: "olive" })).toMatchObject({ calls: 0 });
  const again = await restoreTo(backup, createLedgerFolder(join(first, "ledger")));
  expect(again.report?.erasedAgain).toMatchObject({ owed: 0 });
  expect(await importInto(again.directory, { call_id: "D", ref_id: "r" })).toEqual(["imported"]);
  expect(await again.archive.planErasure({ isOwed: true })).toMatchObject({ calls: 0 });
});

test("a hold that was damaged in the ledger is refused by its name, and an operator can go on without it", async () => {
  const { directory, backup, archive } = await createBackedUp();
  await add(archive, "kept", X);
  await add(archive, "lost", { callIds: ["B"] });
  const file = (name: string) => join(directory, "ledger", `hold-${name}.json`);
  {
    using database = openDatabase(directory);
    database.exec("DELETE FROM hold WHERE name = 'lost'");
  }
  for (const name of ["kept", "lost"]) {
    const text = await readFile(file(name), "utf8");
    await writeFile(file(name), text.replace("olive", "oscar"));
  }
  const refusal = "the hold hold-kept.json of the ledger in";
  await expect(erase(archive, ["B"])).rejects.toThrow(refusal);
  await expect(archive.snapshot?.(backup)).rejects.toThrow(refusal);
  await expect(restoreTo(backup, createLedgerFolder(join(directory, "ledger")))).rejects.toThrow(
    refusal,
  );
  expect(await archive.check()).toContainEqual(
    expect.objectContaining({ level: "error", what: expect.stringContaining(refusal) }),
  );
  const toFault = (name: string, end: string) =>
    expect.stringMatching(`hold-${name}.json of the ledger in .* is not what was written${end}`);
  expect((await archive.skipLedger?.("olive"))?.passedOver).toEqual([
    toFault("kept", "$"),
    toFault("lost", ", and the archive has no hold lost"),
  ]);
  expect(await listNames(archive)).toEqual(["kept"]);
  // The next backup leaves the text there that is whole.
  await archive.snapshot?.(backup);
  expect((await restoreTo(backup)).report).toMatchObject({
    erasedAgain: { holds: { added: ["lost"] } },
  });
  await expectWell(directory);
});

test("a hold that was damaged in the backup is named by an operator who restores without it", async () => {
  const { backup, archive } = await createBackedUp();
  await add(archive, "kept", X);
  await archive.snapshot?.(backup);
  await add(archive, "lost", { callIds: ["B"] });
  for (const name of ["kept", "lost"])
    await writeFile(join(backup, "ledger", `hold-${name}.json`), "torn");
  const { archive: restored, report } = await restoreTo(backup, null);
  expect(report?.passedOver).toEqual([expect.stringContaining("the archive has no hold lost")]);
  expect(await listNames(restored)).toEqual(["kept"]);
});

test("a migration takes holds and what is owed along, by its name or by its mark", async () => {
  const { directory, backup, archive } = await createBackedUp();
  await importInto(directory, { call_id: "C" });
  await add(archive, "smith", { callIds: ["A", "C"] });
  await erase(archive, ["A", "C"], "case 1");
  const { directory: there, archive: restored } = await restoreTo(backup);
  expect((await listOwed(restored)).map(({ kind }) => kind)).toEqual(["setting", "owed"]);
  const to = join(await createFolder(), "moved");
  {
    const adapter = await findAdapter({ records: to });
    await using store = await adapter.create({ timeZone: "UTC", toMigrate: true });
    const report = await migrateArchive({ from: restored, to: store });
    expect(report).toMatchObject({ differences: [] });
  }
  const moved = await openMaintenance({ records: to });
  expect(await listNames(moved)).toEqual(["smith"]);
  await importInto(to, { call_id: "C" });
  expect(await moved.holds.release("smith")).toBe(2);
  await expectWell(to);
  // An archive that keeps names alone gets those that a record has meanwhile.
  await importInto(there, { call_id: "C" });
  expect(await listOwed(restored)).toEqual(
    ["A", "C"].map((callId) => ({ kind: "owed", callId, reason: "case 1" })),
  );
});

test.each<[what: string, open: () => Promise<LedgerPlace>]>([
  ["a folder", async () => createLedgerFolder(join(await createFolder(), "ledger"))],
  [
    "a bucket",
    async () => {
      const { ledger } = openBucket((await startS3()).address, KEYS);
      if (ledger === undefined) throw new Error("a bucket has a ledger");
      return ledger;
    },
  ],
])("in %s a hold of any name is kept as it is, and the newer of two stays", async (_what, open) => {
  const [place, other] = [await open(), createLedgerFolder(join(await createFolder(), "copy"))];
  const own = { place, archiveId: "a" };
  const names = [".", "..", "-", "x".repeat(80), "000001", "Smith_v.Acme-2026"];
  const hold = { reason: 'so "Ä"', asked: JSON.stringify(X), callIds: ["ä\u0000", "b"] };
  const told = names.map((name) => ({
    ...hold,
    name,
    added: { atMs: 5, operation: "hold add" as const, operator: "olive", run: "r" },
  }));
  for (const one of told) await putHold(own, one);
  const toMap = (all: readonly { readonly name: string }[]) =>
    new Map(all.map((one) => [one.name, one]));
  expect(await readHolds(own)).toEqual(toMap(told));
  expect(await place.list()).toEqual([]);
  await copyHolds(place, other, "a");
  expect(await readHolds({ place: other, archiveId: "a" })).toEqual(toMap(told));
  await expect(readHolds({ place, archiveId: "b" })).rejects.toThrow("is of another archive");

  const released = { name: ".", releasedMs: 6 };
  await putHold(own, released);
  await copyHolds(other, place, "a");
  await copyHolds(place, other, "a");
  for (const one of [place, other])
    expect((await readHolds({ place: one, archiveId: "a" })).get(".")).toEqual(released);
});

test("an import whose ledger fails at its end is on the disk all the same", async () => {
  const { directory, archive } = await createBackedUp();
  await add(archive, "smith", X);
  const copy = await createFolder();
  // A connection that stays open: otherwise closing the last one copies the log into the database.
  using other = openDatabase(directory);
  {
    await using store = await openStore({ records: directory });
    await using session = await store.openImport();
    expect(await session.write([[call({ call_id: "C" })]])).toEqual(["imported"]);
    await writeFile(join(directory, "ledger", "hold-smith.json"), "torn");
  }
  await cp(join(directory, "archive.db"), join(copy, "archive.db"));
  expect(other.isOpen).toBe(true);
  using copied = openDatabase(copy);
  expect(copied.prepare("SELECT call_id FROM call ORDER BY call_id").all()).toEqual(
    ["A", "B", "C"].map((call_id) => ({ call_id })),
  );
});

test.each([
  ["another hold of the ledger is damaged", "hold-other.json"],
  ["the ledger lacks an entry", "000001.json"],
])("no hold replaces one that the archive lacks while %s", async (_what, file) => {
  const { directory, archive, old } = await createBackedUp();
  await add(archive, "seed", { callIds: ["A"] });
  await add(archive, "other", X);
  for (const callId of ["B", "none"]) await archive.erase({ callId }, { operator: "olive" });
  await setBack(directory, old);
  await writeFile(join(directory, "ledger", file), "torn");
  const text = async () => await readFile(join(directory, "ledger", "hold-seed.json"), "utf8");
  const before = await text();
  for (const name of ["seed", "SEED"])
    await expect(add(archive, name, { callIds: ["B"] })).rejects.toThrow(
      "there is a hold seed already",
    );
  expect(await text()).toBe(before);
  // Another one is held all the same, and the fault is named.
  expect(await add(archive, "new", { callIds: ["B"] })).toMatchObject({
    calls: 1,
    unread: expect.stringContaining(file),
  });
  await writeFile(join(directory, "ledger", "hold-seed.json"), "torn");
  for (const name of ["seed", "SEED"])
    await expect(add(archive, name, { callIds: ["B"] })).rejects.toThrow("hold-seed.json");
  expect(await text()).toBe("torn");
});

test("a ledger that does not answer keeps nobody from writing to the archive", async () => {
  const { directory } = await createBackedUp();
  const place = createLedgerFolder(join(directory, "ledger"));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const stall = () => {
    asked += 1;
    setImmediate(() => vi.advanceTimersByTime(9_000));
    return new Promise<never>(() => {});
  };
  const media = {
    ...createMediaFolder(join(directory, "media")),
    ledger: { ...place, putHold: stall },
  };
  const archive = createMaintenance(directory, { media });
  expect(await add(archive, "smith", X)).toMatchObject({
    calls: 1,
    unread: expect.stringContaining("does not answer in time"),
  });
  expect(await listNames(archive)).toEqual(["smith"]);
  expect(asked).toBe(2);
  const other = await add(await openMaintenance({ records: directory }), "other", X);
  expect(other).not.toHaveProperty("unread");
  expect(await readdir(join(directory, "ledger"))).toEqual(["hold-other.json", "hold-smith.json"]);
});

test("a hold that was added while the ledger could not be read takes no place of one that it has", async () => {
  const { directory, archive, old } = await createBackedUp();
  await add(archive, "smith", X);
  await setBack(directory, old);
  const folder = join(directory, "ledger");
  await rename(folder, `${folder}-away`);
  await writeFile(folder, "a file in place of the folder");
  expect(await add(archive, "smith", { callIds: ["B"] })).toHaveProperty("unread");
  await rm(folder);
  await rename(`${folder}-away`, folder);
  for (let times = 0; times < 2; times += 1)
    expect(await archive.holds.list()).toMatchObject([
      { name: "smith", calls: 1, query: X },
      { name: "smith-2", calls: 1, query: undefined },
    ]);
  expect(await erase(archive, ["A", "B"])).toMatchObject({ calls: 0, held: { calls: 2 } });
  expect(await readdir(folder)).toEqual(["000001.json", "hold-smith-2.json", "hold-smith.json"]);
});

test("names of holds that differ in their case alone are one name", async () => {
  const { archive } = await createBackedUp();
  await add(archive, "Smith", X);
  await expect(add(archive, "smith", X)).rejects.toThrow("there is a hold Smith already");
});

test("a dry run changes nothing in the ledger of its recordings", async () => {
  const server = await startS3();
  const records = await createFolder();
  const places = { records, media: server.address, env: KEYS };
  await using store = await createStore(places);
  await fill(store, [call({ call_id: "A", datetime: AT })]);
  await store.maintenance.erase({ callId: "A" }, { operator: "olive" });
  await store.maintenance.holds.add({ name: "h", reason: "r", holds: X }, BY);
  const { ledger } = openBucket(server.address, KEYS);
  const before = [await ledger?.list(), await ledger?.listHolds()];
  await using dry = await (await findAdapter(places)).openDryRun?.({});
  await using session = await dry?.openImport({ restoresErased: true });
  expect(await session?.write([[call({ call_id: "A", datetime: AT })]])).toEqual(["imported"]);
  expect([await ledger?.list(), await ledger?.listHolds()]).toEqual(before);
});

test("on a full disk a hold is added whole, in the archive and in the ledger, or not at all", async () => {
  const { directory, archive } = await createBackedUp();
  const exec: unknown = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, "exec")?.value;
  if (typeof exec !== "function") throw new Error("a connection has this method");
  // The least limit that SQLite takes is the size that the file has.
  const limited = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (
    this: DatabaseSync,
    sql: string,
  ) {
    const limit = sql.startsWith("BEGIN IMMEDIATE") ? ["PRAGMA max_page_count = 1"] : [];
    for (const one of [...limit, sql]) Reflect.apply(exec, this, [one]);
  });
  const callIds = Array.from({ length: 20_000 }, (_, index) => `one of many ${index}`);
  await expect(add(archive, "large", { callIds })).rejects.toMatchObject({ reason: "full" });
  limited.mockRestore();
  expect(await listNames(archive)).toEqual([]);
  expect(await readdir(directory)).not.toContain("ledger");
  expect(await add(archive, "large", { callIds: ["A"] })).toMatchObject({ calls: 1 });
  await expectWell(directory);
});
