// The ledger of erasures: kept whole, in order and by one writer; and an archive that is behind it.
import { cp, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KEYS, startS3 } from "@call-media/test-setup/s3-server";
import { expect, test, vi } from "vitest";
import type { LedgerPlace } from "../src/index.ts";
import { createLedgerFolder } from "../src/media/ledger-folder.ts";
import { openBucket } from "../src/media/s3/bucket-store.ts";
import { createStore, findAdapter, openMaintenance, openStore } from "../src/open.ts";
import { migrateArchive } from "../src/migrate/migrate.ts";
import { ERASURES } from "../src/sqlite/erase-batches.ts";
import { openDatabase } from "../src/sqlite/files/database.ts";
import { listGenerations } from "../src/sqlite/maintenance/generations.ts";
import { removeSetting } from "../src/sqlite/settings.ts";
import { readAll } from "../src/suite/access-log.ts";
import { call, fill, message } from "../src/suite/records.ts";
import {
  appendEntry,
  copyEntries,
  parseHead,
  readBehind,
  toHeadText,
} from "../src/values/ledger.ts";
import { createFolder } from "./support/archives.ts";
import { change } from "./support/examined.ts";
import { addRecording, contains, expectWell, listIds } from "./support/purging.ts";

const AT = "2025-05-01T10:00:00Z";
const MARK = "00112233445566778899aabbccddeeff";
const NONE = parseHead(undefined);
const TOLD = { kind: "erased", by: "olive", why: {}, marks: [[MARK, null]], sounds: [] } as const;

const PLACES: readonly [what: string, open: () => Promise<LedgerPlace>][] = [
  ["a folder", async () => createLedgerFolder(join(await createFolder(), "ledger"))],
  [
    "a bucket",
    async () => {
      const { ledger } = openBucket((await startS3()).address, KEYS);
      if (ledger === undefined) throw new Error("a bucket has a ledger");
      return ledger;
    },
  ],
];

test.each(PLACES)(
  "in %s an entry has its number alone, and follows the one before",
  async (_what, open) => {
    const place = await open();
    const own = { place, archiveId: "a" };
    expect(await readBehind(own, NONE)).toEqual({ entries: [], head: NONE });
    const first = await appendEntry(own, NONE, TOLD);
    await expect(appendEntry(own, NONE, { ...TOLD, by: "oscar" })).rejects.toThrow(
      "000001.json of the ledger in",
    );
    let head = first;
    for (let count = 0; count < 3; count += 1) head = await appendEntry(own, head, TOLD);
    expect(await place.list()).toEqual([1, 2, 3, 4]);
    expect(parseHead(toHeadText(head))).toEqual(head);
    const { entries, head: newest } = await readBehind(own, first);
    expect(newest).toEqual(head);
    expect(entries.map(({ erasure, by }) => [erasure, by])).toEqual(
      [2, 3, 4].map((number) => [number, "olive"]),
    );
    await expect(readBehind({ place, archiveId: "b" }, NONE)).rejects.toThrow(
      "is of another archive",
    );
    const other = createLedgerFolder(join(await createFolder(), "copy"));
    expect(await copyEntries(place, other)).toBe(4);
    expect(await copyEntries(place, other)).toBe(0);
    expect((await readBehind({ place: other, archiveId: "a" }, NONE)).head).toEqual(head);
  },
);

test.each<[fault: string, spoil: (file: (number: number) => string) => Promise<void>]>([
  ["000002.json of the ledger in", (file) => rm(file(2))],
  ["is missing", (file) => rm(file(3))],
  ["is not what was written", (file) => writeFile(file(2), '{"erasure":2,"prev')],
  ["is not what was written", async (file) => writeFile(file(2), await readFile(file(3)))],
  [
    "does not follow from 000002.json",
    async (file) => {
      const text = await readFile(file(2), "utf8");
      await writeFile(file(2), text.replace("olive", "oscar"));
    },
  ],
  ["is not the one that this archive knows", (file) => cp(file(2), file(1))],
])("a ledger of which an entry %s is refused by its name", async (fault, spoil) => {
  const directory = join(await createFolder(), "ledger");
  const own = { place: createLedgerFolder(directory), archiveId: "a" };
  const first = await appendEntry(own, NONE, TOLD);
  let head = first;
  for (let count = 0; count < 3; count += 1) head = await appendEntry(own, head, TOLD);
  await spoil((number) => join(directory, `00000${number}.json`));
  await expect(readBehind(own, first)).rejects.toThrow(fault);
});

test("an entry that is cut off while it is written is none, and goes with the next", async () => {
  const directory = await createFolder();
  const place = createLedgerFolder(directory);
  const [left, open] = [".d2.part", ".e3.part"].map((name) => join(directory, name));
  for (const file of [left, open]) await writeFile(file ?? "", '{"erasure":1,');
  // Nobody writes to it any more.
  await utimes(left ?? "", 1, 1);
  expect(await place.list()).toEqual([]);
  expect(await place.add(1, "one")).toBe(true);
  expect(await readdir(directory)).toEqual([".e3.part", "000001.json"]);
  expect([await place.add(1, "two"), await place.read(1)]).toEqual([false, "one"]);
});

test("in a bucket whose answer is lost an entry is kept once, and is the writer's own", async () => {
  const server = await startS3();
  const { ledger } = openBucket(server.address, KEYS);
  let isTorn = false;
  server.faults.spoil = (action) => {
    if (action !== "s3:PutObject" || isTorn) return undefined;
    isTorn = true;
    return "tear";
  };
  expect(await ledger?.add(1, "one")).toBe(true);
  expect(await ledger?.list()).toEqual([1]);
});

test("in a bucket that does not know the condition an entry that is there is not replaced", async () => {
  const server = await startS3();
  server.faults.ignoresIfNoneMatch = true;
  const { ledger } = openBucket(server.address, KEYS);
  expect([await ledger?.add(1, "one"), await ledger?.add(1, "two")]).toEqual([true, false]);
  expect(await ledger?.read(1)).toBe("one");
});

const purge = async (directory: string, filter: { callId: string } | { before: string }) =>
  await (await openMaintenance({ records: directory })).erase(filter, { operator: "olive" });

test("a database that is set back is brought up to its ledger before anything is written", async () => {
  const directory = await createFolder();
  const old = await createFolder();
  const legs = [
    call({ call_id: "legs", datetime: AT, agent: "ann" }),
    call({ call_id: "legs", datetime: "2025-06-01T10:00:00Z", agent: "bob" }),
  ];
  const chat = { kind: "chat", record: message("A", "Yes.", AT) } as const;
  {
    await using store = await createStore({ records: directory });
    const recordings = [await addRecording(store, "A")];
    const unnamed = call({ agent: "nobody", datetime: AT });
    const named = call({ call_id: "A", datetime: AT, notes: "Gespenst" }, { recordings });
    await fill(store, [named, chat, call({ call_id: "B", datetime: AT }), ...legs, unnamed]);
  }
  await cp(directory, old, { recursive: true });
  await purge(directory, { callId: "A" });
  await purge(directory, { before: "2025-05-02" });
  for (const name of ["archive.db", "access.db", "media"])
    await cp(join(old, name), join(directory, name), { recursive: true });
  // A plan changes nothing.
  const archive = await openMaintenance({ records: directory });
  const plan = await archive.planErasure({ callId: "A" });
  expect(plan).toMatchObject({ calls: 1, chats: 1, behind: 2 });
  expect(await contains(directory, "Gespenst")).toEqual(["archive.db"]);
  const entries = await readdir(join(directory, "ledger"));
  expect(entries).toEqual(["000001.json", "000002.json", "000003.json"].slice(0, entries.length));
  // What it says of erased calls nobody can read.
  for (const name of entries)
    expect(await readFile(join(directory, "ledger", name), "utf8")).not.toMatch(/"A"|Gespenst/);

  await using store = await openStore({ records: directory });
  expect(await listIds(store)).toEqual(["legs", "legs"]);
  const outcomes = await fill(store, [
    call({ call_id: "A", datetime: "2025-09-01T10:00:00Z" }),
    chat,
    call({ call_id: "B", datetime: "2025-05-01T10:00:00.000Z", agent: "new" }),
    ...legs,
  ]);
  expect(outcomes).toEqual(["erased", "erased", "erased", "unchanged", "unchanged"]);
  const [row] = await readAll(store);
  expect(row).toMatchObject({
    operation: "purge",
    operator: "olive",
    asked: { ledger: `1 to ${entries.length}` },
    found: { calls: 3, chats: 1, files: 1 },
  });
  const { taken } = await store.maintenance.planErasure({ callId: "B" });
  expect(taken?.asked).toEqual({ ledger: `1 to ${entries.length}` });
  expect(await contains(directory, "Gespenst")).toEqual([]);
  await expectWell(directory);
});

test("of the recordings that nothing names only those go that the ledger lists, whatever else an archive has lost", async () => {
  const directory = await createFolder();
  const old = await createFolder();
  {
    await using store = await createStore({ records: directory });
    for (const call_id of ["A", "B"]) {
      const recordings = [await addRecording(store, call_id)];
      await fill(store, [call({ call_id, datetime: AT }, { recordings })]);
    }
  }
  await cp(directory, old, { recursive: true });
  await purge(directory, { callId: "A" });
  for (const name of ["archive.db", "access.db", "media"])
    await cp(join(old, name), join(directory, name), { recursive: true });
  change(directory, "DELETE FROM recording WHERE call = (SELECT id FROM call WHERE call_id = 'B')");
  await using store = await openStore({ records: directory });
  const [row] = await readAll(store);
  expect(row).toMatchObject({ found: { calls: 1, files: 1, fileBytes: "sound of A".length } });
  expect(await contains(directory, "sound of A")).toEqual([]);
  expect(await contains(directory, "sound of B")).toHaveLength(1);
});

test("an archive whose ledger is missing is read, and nobody writes to it or purges it", async () => {
  const directory = await createFolder();
  {
    await using store = await createStore({ records: directory });
    await fill(store, [call({ call_id: "A", datetime: AT }), call({ call_id: "B", datetime: AT })]);
  }
  await purge(directory, { callId: "A" });
  await rm(join(directory, "ledger"), { recursive: true });
  const refusal = "000001.json of the ledger in";
  await expect(purge(directory, { callId: "B" })).rejects.toThrow(refusal);
  await using store = await openStore({ records: directory });
  expect(await listIds(store)).toEqual(["B"]);
  await expect(store.openImport()).rejects.toThrow(refusal);
  // Nothing is copied of it or handed out, and it is not called well.
  const archive = await openMaintenance({ records: directory });
  await expect(archive.scan()).rejects.toThrow(refusal);
  const backup = join(await createFolder(), "backup");
  await expect(archive.snapshot?.(backup)).rejects.toThrow(refusal);
  expect(await archive.check()).toContainEqual(
    expect.objectContaining({ level: "error", what: expect.stringContaining(refusal) }),
  );
  const onBehind = vi.fn<(why: string) => void>();
  await (await openStore({ records: directory }, { onBehind }))[Symbol.asyncDispose]();
  expect(onBehind.mock.calls).toEqual([[expect.stringContaining(refusal)]]);
});

const listScanned = async (directory: string) => {
  await using scan = await (await openMaintenance({ records: directory })).scan();
  const found: string[] = [];
  for await (const { items } of scan.rows())
    for (const item of items) if (item.kind === "call") found.push(item.record.call_id ?? "");
  return found;
};

test("what the ledger names is in no export and no backup, and a backup that has it is restored first", async () => {
  const { directory, backup } = await createBackedUp();
  const old = await createFolder();
  await cp(directory, old, { recursive: true });
  await purge(directory, { callId: "A" });
  const setBack = async () => {
    for (const name of ["archive.db", "access.db", "media"])
      await cp(join(old, name), join(directory, name), { recursive: true });
  };
  await expect(listScanned(backup)).rejects.toThrow(
    "has what was purged since: its ledger has 1 more entry. Restore it",
  );
  expect(await (await openMaintenance({ records: backup })).check()).toContainEqual(
    expect.objectContaining({
      level: "warning",
      what: "the backup still has what was purged since: its ledger has 1 entry more",
    }),
  );
  await setBack();
  const archive = await openMaintenance({ records: directory });
  expect(await archive.check()).toContainEqual(
    expect.objectContaining({ level: "error", what: expect.stringContaining("1 entry more") }),
  );
  const other = join(await createFolder(), "other");
  expect(await archive.snapshot?.(other)).toMatchObject({ calls: 1 });
  expect(await contains(other, "Gespenst")).toEqual([]);
  await setBack();
  // The note next to the recordings has the row of the first time.
  await expect(listScanned(directory)).rejects.toThrow("row 2 is missing");
  await archive.lostLog?.acceptLoss("olive");
  expect(await listScanned(directory)).toEqual(["B"]);
});

async function createBackedUp() {
  const directory = await createFolder();
  const backup = join(await createFolder(), "backup");
  {
    await using store = await createStore({ records: directory });
    const recordings = [await addRecording(store, "A")];
    await fill(store, [
      call({ call_id: "A", datetime: AT, notes: "Gespenst" }, { recordings }),
      call({ call_id: "B", datetime: AT }),
    ]);
  }
  const archive = await openMaintenance({ records: directory });
  await archive.snapshot?.(backup, { operator: "olive" });
  return { directory, backup, archive };
}

const restoreTo = async (to: string, from: string, ledger?: LedgerPlace | null) =>
  await (await openMaintenance({ records: to })).restore?.(from, { operator: "olive", ledger });

test("what was purged after a backup is erased again by its restore, and stays out", async () => {
  const { directory, backup, archive } = await createBackedUp();
  const report = await archive.erase({ callId: "A" }, { operator: "olive", case: "GDPR-1" });
  expect(report.backups).toEqual({ reached: [backup], missed: [], gone: [] });
  const target = join(await createFolder(), "target");
  expect((await restoreTo(target, backup))?.erasedAgain).toEqual({
    calls: 1,
    chats: 0,
    files: 1,
    fileBytes: 10,
    newest: 1,
    newestAt: expect.any(String),
    holds: { added: [], released: [] },
    owed: 0,
  });
  expect(await contains(target, "Gespenst")).toEqual([]);
  expect(await contains(target, "sound of A")).toEqual([]);
  await using store = await openStore({ records: target });
  expect(await listIds(store)).toEqual(["B"]);
  expect((await readAll(store, {})).map(({ asked }) => asked)).toContainEqual({
    ledger: "1 to 1",
    case: "GDPR-1",
  });
  expect(await fill(store, [call({ call_id: "A", agent: "renamed" })])).toEqual(["erased"]);
  await expectWell(target);
  // The ledger goes on, here and there.
  await purge(target, { callId: "B" });
  expect(await readdir(join(target, "ledger"))).toHaveLength(2);
  expect(await readdir(join(directory, "ledger"))).toHaveLength(1);
});

test("sound that was erased after a backup is erased again by its restore, and goes from the backup", async () => {
  const { directory, backup, archive } = await createBackedUp();
  await archive.erase({ before: "2025-05-02", isSound: true }, { operator: "olive" });
  expect(await contains(directory, "sound of A")).toEqual([]);
  const target = join(await createFolder(), "target");
  expect((await restoreTo(target, backup))?.erasedAgain).toMatchObject({ calls: 0, files: 1 });
  expect(await contains(target, "sound of A")).toEqual([]);
  {
    await using store = await openStore({ records: target });
    expect(await listIds(store)).toEqual(["A", "B"]);
    expect(await store.calls.byCallId("A", "everything")).toMatchObject([{ recordings: "A.wav" }]);
    const recordings = [await addRecording(store, "A")];
    const again = call({ call_id: "A", datetime: AT, notes: "Gespenst" }, { recordings });
    expect(await fill(store, [again])).toEqual(["unchanged"]);
    await store.maintenance.discard(recordings.map(({ media }) => media.sha256));
  }
  await expectWell(target);
  const { erasedSound } = (await archive.snapshot?.(backup, { operator: "olive" })) ?? {};
  expect(erasedSound).toMatchObject({ files: 1 });
  expect(await contains(backup, "sound of A")).toEqual([]);
});

test("what an import completes of a purge that was cut off is in the ledger of the backup, too", async () => {
  const { directory, backup } = await createBackedUp();
  // As if cut off behind its entry: the archive of before beside the ledger of after.
  const before = await createFolder();
  await cp(directory, before, { recursive: true });
  const away = `${backup}-away`;
  await rename(backup, away);
  await purge(directory, { callId: "A" });
  await rename(away, backup);
  for (const name of ["archive.db", "access.db", "media"])
    await cp(join(before, name), join(directory, name), { recursive: true });
  {
    await using store = await openStore({ records: directory });
    expect(await fill(store, [call({ call_id: "C" })])).toEqual(["imported"]);
  }
  expect(await readdir(join(backup, "ledger"))).toEqual(["000001.json"]);
  const target = join(await createFolder(), "target");
  expect((await restoreTo(target, backup))?.erasedAgain).toMatchObject({ calls: 1, newest: 1 });
});

/** As an earlier version left it. */
async function removeLedger(directory: string, backup: string): Promise<void> {
  for (const folder of [directory, backup]) await rm(join(folder, "ledger"), { recursive: true });
  using database = openDatabase(directory);
  removeSetting(database, ERASURES);
}

test("what was erased before there was a ledger is in its first entry", async () => {
  const { directory, backup } = await createBackedUp();
  await purge(directory, { callId: "A" });
  await removeLedger(directory, backup);
  await purge(directory, { callId: "B" });
  const target = join(await createFolder(), "target");
  expect((await restoreTo(target, backup))?.erasedAgain).toMatchObject({ calls: 2, newest: 2 });
  await using store = await openStore({ records: target });
  expect(await fill(store, [call({ call_id: "A", datetime: AT })])).toEqual(["erased"]);
});

test("what was owed and erased before there was a ledger is in it when the archive is opened, and only once", async () => {
  const { directory, backup, archive } = await createBackedUp();
  const hold = { name: "smith", reason: "r", holds: { callIds: ["B"] } };
  await archive.holds.add(hold, { operation: "hold add", operator: "olive" });
  await archive.erase({ callIds: ["B"] }, { operator: "olive", case: "GDPR-2" });
  await archive.erase({ before: "2025-05-02", isSound: true }, { operator: "olive" });
  await removeLedger(directory, backup);
  for (let opened = 0; opened < 2; opened += 1) {
    await using store = await openStore({ records: directory });
    expect((await store.vitals()).owed).toBe(1);
    const found = await archive.check();
    expect(found.filter(({ level }) => level === "error")).toEqual([]);
  }
  const copied = createLedgerFolder(join(backup, "ledger"));
  const entries = await Promise.all((await copied.list()).map((number) => copied.read(number)));
  expect(entries.map((text = "") => JSON.parse(text))).toMatchObject([
    { kind: "erased", why: { sound: true } },
    { kind: "owed", why: { case: "GDPR-2" } },
  ]);

  const target = join(await createFolder(), "target");
  const { erasedAgain } = (await restoreTo(target, backup)) ?? {};
  expect(erasedAgain).toMatchObject({ calls: 0, owed: 1, newest: 2 });
  const restored = await openMaintenance({ records: target });
  expect(await restored.holds.release("smith")).toBe(1);
  await restored.erase({ isOwed: true }, { operator: "olive" });
  const { taken } = await restored.planErasure({ callId: "B" });
  expect(taken?.asked).toEqual({ owed: true, case: "GDPR-2" });
  await using store = await openStore({ records: target });
  const recordings = [await addRecording(store, "A")];
  const again = call({ call_id: "A", datetime: AT, notes: "Gespenst" }, { recordings });
  expect(await fill(store, [again, call({ call_id: "B", datetime: AT })])).toEqual([
    "unchanged",
    "erased",
  ]);
});

test("a restore erases the recordings of what was erased before there was a ledger, too", async () => {
  const { directory, backup } = await createBackedUp();
  await purge(directory, { callId: "A" });
  await removeLedger(directory, backup);
  await purge(directory, { callId: "B" });
  const target = join(await createFolder(), "target");
  expect((await restoreTo(target, backup))?.erasedAgain).toMatchObject({ calls: 2, files: 1 });
  expect(await contains(target, "sound of A")).toEqual([]);
});

test("a backup that a purge did not reach is restored by the ledger of the archive", async () => {
  const { directory, backup, archive } = await createBackedUp();
  const away = `${backup}-away`;
  await rename(backup, away);
  const report = await archive.erase({ callId: "A" }, { operator: "olive" });
  expect(report.backups).toEqual({ reached: [], missed: [], gone: [backup] });
  expect((await archive.erase({ callId: "A" }, { operator: "olive" })).backups).toBeUndefined();
  const ledger = createLedgerFolder(join(directory, "ledger"));
  const [target, other] = [join(await createFolder(), "a"), join(await createFolder(), "b")];
  expect((await restoreTo(target, away, ledger))?.erasedAgain).toMatchObject({ calls: 1 });
  expect((await restoreTo(other, away))?.erasedAgain).toMatchObject({ calls: 0, newest: 0 });
  await using store = await openStore({ records: target });
  expect(await listIds(store)).toEqual(["B"]);
});

test("a copy of an archive adds nothing to the ledgers of its backups, and the archive goes on", async () => {
  const { directory, backup, archive } = await createBackedUp();
  const [restored, copied] = [join(await createFolder(), "a"), join(await createFolder(), "b")];
  await archive.erase({ callId: "A" }, { operator: "olive" });
  await restoreTo(restored, backup);
  await cp(directory, copied, { recursive: true });
  const missed = { reached: [], missed: [backup], gone: [] };
  for (const [drill, backups] of [
    [restored, missed],
    [copied, undefined],
  ] as const) {
    const there = await openMaintenance({ records: drill });
    const report = await there.erase({ callId: "B" }, { operator: "oscar" });
    expect(report).toMatchObject({ calls: 1, backups });
  }
  expect(await readdir(join(backup, "ledger"))).toEqual(["000001.json"]);
  expect(await archive.erase({ callId: "B" }, { operator: "olive" })).toMatchObject({
    calls: 1,
    backups: { reached: [backup] },
  });
  await archive.snapshot?.(backup, { operator: "olive" });
});

test("an archive that takes the place of a lost one adds to the backup that it was restored from", async () => {
  const { directory, archive } = await createBackedUp();
  const nightly = join(await createFolder(), "nightly");
  await archive.snapshot?.(nightly, { keepDays: 35 });
  await rm(directory, { recursive: true });
  await restoreTo(directory, listGenerations(nightly)[0] ?? "");
  const restored = await openMaintenance({ records: directory });
  expect(await restored.trace?.({ callId: "A" })).toMatchObject({
    backups: [{ place: nightly, states: [{ found: { records: 1 } }] }],
  });
  const { backups } = await restored.erase({ callId: "A" }, { operator: "olive" });
  expect(backups).toEqual({ reached: [nightly], missed: [], gone: [] });
  expect(await readdir(join(nightly, "ledger"))).toEqual(["000001.json"]);
});

test("a restored archive adds to the backup of another place when that is gone, or the backup its own", async () => {
  const { directory, backup } = await createBackedUp();
  const [one, other] = [join(await createFolder(), "a"), join(await createFolder(), "b")];
  for (const place of [one, other]) await restoreTo(place, backup);
  const drill = await openMaintenance({ records: one });
  const purgeThere = async (callId: string) =>
    (await drill.erase({ callId }, { operator: "olive" })).backups;
  expect(await purgeThere("A")).toMatchObject({ reached: [], missed: [backup] });
  await rm(directory, { recursive: true });
  expect(await purgeThere("A")).toMatchObject({ reached: [backup], missed: [] });

  const later = await openMaintenance({ records: other });
  await cp(one, directory, { recursive: true });
  await later.snapshot?.(`${backup}-2`);
  expect((await later.erase({ callId: "B" }, { operator: "olive" })).backups).toMatchObject({
    reached: [`${backup}-2`],
    missed: [backup],
  });
});

test("an archive that was moved names the backups that it does not reach", async () => {
  const { directory, backup } = await createBackedUp();
  const moved = join(await createFolder(), "moved");
  await rename(directory, moved);
  const archive = await openMaintenance({ records: moved });
  const report = await archive.erase({ callId: "A" }, { operator: "olive" });
  expect(report.backups).toEqual({ reached: [], missed: [backup], gone: [] });
  await archive.snapshot?.(backup, { operator: "olive" });
  expect(await readdir(join(backup, "ledger"))).toEqual(["000001.json"]);
});

test("what an import let in again is not erased by the restore of a backup of before", async () => {
  const { directory, backup, archive } = await createBackedUp();
  await archive.erase({ callId: "A" }, { operator: "olive" });
  {
    await using store = await openStore({ records: directory });
    await using session = await store.openImport({ restoresErased: true });
    const items = [call({ call_id: "A", agent: "again" }), call({ call_id: "new" })];
    expect(await session.write(items.map((item) => [item]))).toEqual(["imported", "imported"]);
    expect(await session.write([[call({ call_id: "A", agent: "again" })]])).toEqual(["unchanged"]);
  }
  expect(await archive.ledger?.place.list()).toEqual([1, 2]);
  expect(await archive.check()).toEqual([]);
  const target = join(await createFolder(), "target");
  expect((await restoreTo(target, backup))?.erasedAgain).toMatchObject({ calls: 0, newest: 2 });
  await using store = await openStore({ records: target });
  expect(await listIds(store)).toEqual(["A", "B"]);
  expect(await fill(store, [call({ call_id: "A", agent: "later" })])).not.toEqual(["erased"]);
});

test("what an import refuses is not let in by it, and is erased again by a restore", async () => {
  const { directory, backup, archive } = await createBackedUp();
  for (const callId of ["A", "B"]) await archive.erase({ callId }, { operator: "olive" });
  {
    await using store = await openStore({ records: directory });
    await using session = await store.openImport({ restoresErased: true });
    const refused = call({ call_id: "A", datetime: "some day" });
    const rows = [[refused], [call({ call_id: "B", datetime: AT, agent: "again" })]];
    expect(await session.write(rows, 0, true)).toEqual([
      { rejected: expect.stringContaining("datetime") },
      "imported",
    ]);
    expect(await session.write([[refused]])).toHaveLength(1);
    expect(await archive.ledger?.place.list()).toEqual([1, 2, 3]);
  }
  const target = join(await createFolder(), "target");
  expect((await restoreTo(target, backup))?.erasedAgain).toMatchObject({ calls: 1, newest: 3 });
  for (const records of [directory, target]) {
    await using store = await openStore({ records });
    expect(await listIds(store)).toEqual(["B"]);
    expect(await fill(store, [call({ call_id: "A", datetime: AT })])).toEqual(["erased"]);
  }
});

test.each([
  ["recordings that stay where they are", async () => join(await createFolder(), "recordings")],
  ["recordings that go along", async () => undefined],
])("a migration takes the ledger along, with %s", async (_what, place) => {
  const media = await place();
  const [from, to] = [join(await createFolder(), "a"), join(await createFolder(), "b")];
  {
    await using store = await createStore({ records: from, media });
    await fill(store, [call({ call_id: "A", datetime: AT }), call({ call_id: "B", datetime: AT })]);
  }
  const archive = await openMaintenance({ records: from, media });
  await archive.erase({ callId: "A" }, { operator: "olive" });
  {
    const adapter = await findAdapter({ records: to, media });
    await using store = await adapter.create({ timeZone: "UTC", toMigrate: true });
    const report = await migrateArchive({ from: archive, to: store });
    expect(report).toMatchObject({ differences: [] });
  }
  const moved = await openMaintenance({ records: to, media });
  expect(await moved.ledger?.readHead()).toMatchObject({ number: 1 });
  await moved.erase({ callId: "B" }, { operator: "olive" });
  expect(await moved.ledger?.place.list()).toEqual([1, 2]);
});

test("a backup without its ledger is restored only by an operator who goes on without it", async () => {
  const { backup, archive } = await createBackedUp();
  await archive.erase({ callId: "A" }, { operator: "olive" });
  await archive.snapshot?.(backup, { operator: "olive" });
  await rm(join(backup, "ledger"), { recursive: true });
  const target = join(await createFolder(), "target");
  await expect(restoreTo(target, backup)).rejects.toThrow("000001.json of the ledger in");
  expect(await restoreTo(target, backup, null)).toMatchObject({ calls: 1, passedOver: [] });
  await purge(target, { callId: "B" });
  expect(await readdir(join(target, "ledger"))).toEqual(["000002.json"]);
  await using store = await openStore({ records: target });
  const rows = await readAll(store);
  expect(rows.find(({ asked }) => "without_ledger" in asked)).toMatchObject({ operator: "olive" });
  expect(await fill(store, [call({ call_id: "A" })])).toEqual(["erased"]);
});

test("of a ledger with a torn entry an operator goes on by the others, and the torn one is named", async () => {
  const { directory, backup } = await createBackedUp();
  const old = await createFolder();
  {
    await using store = await openStore({ records: directory });
    await fill(store, [call({ call_id: "C", datetime: AT }), call({ call_id: "D", datetime: AT })]);
  }
  await (await openMaintenance({ records: directory })).snapshot?.(backup);
  await cp(directory, old, { recursive: true });
  for (const callId of ["A", "B", "C"]) await purge(directory, { callId });
  for (const name of ["archive.db", "access.db", "media"])
    await cp(join(old, name), join(directory, name), { recursive: true });
  for (const place of [directory, backup])
    await writeFile(join(place, "ledger", "000002.json"), '{"erasure":2,"prev');

  const skipped = await (await openMaintenance({ records: directory })).skipLedger?.("olive");
  const target = join(await createFolder(), "target");
  const restored = await restoreTo(target, backup, null);
  for (const report of [skipped, restored])
    expect(report).toMatchObject({
      erasedAgain: { calls: 2, files: 1, newest: 3 },
      passedOver: [
        expect.stringMatching(/000002\.json of the ledger in .* is not what was written$/),
      ],
    });
  for (const records of [directory, target]) {
    await using store = await openStore({ records });
    expect(await listIds(store)).toEqual(["B", "D"]);
    expect(await fill(store, [call({ call_id: "C", agent: "new" })])).toEqual(["erased"]);
  }
  expect(await readdir(join(target, "ledger"))).toHaveLength(3);
});
