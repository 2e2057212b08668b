// Backups as generations: each is a backup, they share their recordings, and what was erased leaves all of them.
import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { CallStore } from "../src/index.ts";
import { openMaintenance, openStore, createStore } from "../src/open.ts";
import { listGenerations } from "../src/sqlite/maintenance/generations.ts";
import { call, fill } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { change } from "./support/examined.ts";
import { examine as examineAll, restore, verifyMedia } from "./support/maintenance.ts";
import { addRecording, contains, listIds } from "./support/purging.ts";

// The recordings of these tests are texts.
const examine = async (directory: string) =>
  (await examineAll(directory)).filter(({ what }) => !what.startsWith("recordings are not audio"));

const AT = "2025-05-01T10:00:00Z";

const addCall = async (store: CallStore, id: string, ...names: readonly string[]) => {
  const recordings = await Promise.all(names.map((name) => addRecording(store, name)));
  await fill(store, [call({ call_id: id, datetime: AT, notes: `note of ${id}` }, { recordings })]);
};

/** An archive of the calls A and B, which share a recording, with its first generation. */
async function createBackedUp() {
  const directory = await createFolder();
  const to = join(await createFolder(), "backups");
  {
    await using store = await createStore({ records: directory });
    await addCall(store, "A", "A", "shared");
    await addCall(store, "B", "B", "shared");
  }
  const archive = await openMaintenance({ records: directory });
  const backUp = async (keepDays?: number) => await archive.snapshot?.(to, { keepDays });
  await backUp(35);
  return { directory, to, archive, backUp };
}

const erase = { operator: "olive" };

async function listRestored(from: string): Promise<readonly string[]> {
  const target = join(await createFolder(), "restored");
  expect(await restore({ from, to: target })).toMatchObject({ damages: [], damagedRecords: [] });
  expect(await verifyMedia({ directory: target })).toMatchObject({ damages: [], unreferenced: [] });
  expect(await examine(target)).toEqual([]);
  await using store = await openStore({ records: target });
  return await listIds(store);
}

test("each generation is a backup of its time, and the folder of all stands for the newest", async () => {
  const { directory, to, backUp } = await createBackedUp();
  {
    await using store = await openStore({ records: directory });
    await addCall(store, "C", "C");
  }
  expect(await backUp(35)).toMatchObject({
    calls: 3,
    copied: 1,
    dropped: [],
    erasedSound: { files: 0, bytes: 0 },
  });
  const generations = listGenerations(to);
  expect(generations).toHaveLength(2);
  const names = (await readdir(to)).toSorted();
  expect(names).toEqual([...generations.map((one) => basename(one)), "ledger", "media"]);
  for (const one of [to, ...generations]) {
    expect(await examine(one)).toEqual([]);
    expect(await verifyMedia({ directory: one })).toMatchObject({ damages: [], unreferenced: [] });
  }
  const [older = "", newer = ""] = generations;
  expect(await listRestored(older)).toEqual(["A", "B"]);
  expect(await listRestored(newer)).toEqual(["A", "B", "C"]);
  expect(await listRestored(to)).toEqual(["A", "B", "C"]);
});

test("the sound of an erased call leaves all generations with the next one; what another call names stays", async () => {
  const { to, archive, backUp } = await createBackedUp();
  const report = await archive.erase({ callId: "A" }, erase);
  expect(report.backups).toEqual({ reached: [to], missed: [], gone: [] });
  expect(await contains(to, "sound of A")).toHaveLength(1);

  expect(await backUp(35)).toMatchObject({ calls: 1, erasedSound: { files: 1, bytes: 10 } });

  expect(await contains(to, "sound of A")).toEqual([]);
  expect(await contains(to, "sound of shared")).toHaveLength(1);
  const [older = ""] = listGenerations(to);
  expect(await verifyMedia({ directory: older })).toMatchObject({ files: 2, damages: [] });
  expect(await examine(older)).toEqual([
    expect.objectContaining({
      level: "warning",
      what: expect.stringContaining("still has what was purged"),
    }),
  ]);
  expect(await listRestored(older)).toEqual(["B"]);
  expect(await backUp(35)).toMatchObject({ erasedSound: { files: 0, bytes: 0 } });
});

test("a recording of an earlier state goes as well; one that was let in again stays", async () => {
  const { directory, to, archive, backUp } = await createBackedUp();
  {
    await using store = await openStore({ records: directory });
    const other = { filename: "B.mp3", media: (await addRecording(store, "other")).media };
    const shared = await addRecording(store, "shared");
    const corrected = call({ call_id: "B", datetime: AT }, { recordings: [other, shared] });
    expect(await fill(store, [corrected])).toEqual(["replaced"]);
  }
  for (const callId of ["A", "B"]) await archive.erase({ callId }, erase);
  {
    await using store = await openStore({ records: directory });
    const recordings = [await addRecording(store, "A")];
    await using session = await store.openImport({ restoresErased: true });
    await session.write([[call({ call_id: "A", datetime: AT }, { recordings })]]);
  }
  await backUp(35);
  for (const name of ["B", "other"]) expect(await contains(to, `sound of ${name}`)).toEqual([]);
  // The first generation keeps A as it was, with both of its recordings.
  for (const name of ["A", "shared"])
    expect(await contains(to, `sound of ${name}`)).toHaveLength(1);
  for (const one of listGenerations(to)) expect(await listRestored(one)).toEqual(["A"]);
});

test("an archive that lost records by a fault takes no sound from its backups, and drops none of them", async () => {
  const { directory, to, backUp } = await createBackedUp();
  const [oldest = ""] = listGenerations(to);
  await age(oldest);
  change(directory, "DELETE FROM recording; DELETE FROM call; DELETE FROM media");
  const report = await backUp(35);
  expect(report).toMatchObject({ dropped: [], erasedSound: { files: 0, bytes: 0 } });
  expect(report?.damagedRecords).not.toEqual([]);
  expect(await listRestored(oldest)).toEqual(["A", "B"]);
});

/** Makes a generation a year old. */
async function age(generation: string): Promise<void> {
  const file = join(generation, "backup.json");
  const text = await readFile(file, "utf8");
  const old = new Date(Date.now() - 365 * 86_400_000).toISOString();
  await writeFile(file, text.replace(/("createdAt": )"[^"]*"/, `$1"${old}"`));
}

test("generations go by their age, and never the newest", async () => {
  const { to, backUp } = await createBackedUp();
  const [oldest = ""] = listGenerations(to);
  expect(await backUp(35)).toMatchObject({ dropped: [] });
  for (const one of listGenerations(to)) await age(one);
  expect(await backUp(366)).toMatchObject({ dropped: [] });
  const report = await backUp(35);
  expect(report?.dropped).toHaveLength(2);
  expect(report?.dropped).toContain(basename(oldest));
  expect(await readdir(to)).not.toContain(basename(oldest));
  for (const one of listGenerations(to)) await age(one);
  expect((await backUp(1))?.dropped).toHaveLength(2);
  expect(listGenerations(to)).toHaveLength(1);
  expect(await listRestored(to)).toEqual(["A", "B"]);
});

test("what was cut off is no generation, and goes when nobody can be writing to it", async () => {
  const { to, backUp } = await createBackedUp();
  const [left, open] = [".generation-abcdef", ".generation-ghijkl"].map((name) => join(to, name));
  for (const folder of [left ?? "", open ?? ""]) {
    await mkdir(folder);
    await writeFile(join(folder, "archive.db"), "half of one");
  }
  await utimes(left ?? "", 1, 1);
  const unnamed = join(to, "2025-05-01T100000.000Z");
  await mkdir(unnamed);
  expect(listGenerations(to)).toHaveLength(1);
  await backUp(35);
  expect((await readdir(to)).filter((name) => name.startsWith("."))).toEqual([
    ".generation-ghijkl",
  ]);
});

test("nothing is left of a generation that fails", async () => {
  const { directory, to, backUp } = await createBackedUp();
  const names = await readdir(to);
  change(directory, "ALTER TABLE recording RENAME COLUMN type TO Type");
  await expect(backUp(35)).rejects.toThrow("columns of the table recording");
  expect(await readdir(to)).toEqual(names);
});

test("a folder has generations, or a backup of one state", async () => {
  const { to, archive, backUp } = await createBackedUp();
  await expect(backUp()).rejects.toThrow("has generations of backups: give --keep-days");
  const flat = join(await createFolder(), "flat");
  await archive.snapshot?.(flat);
  await expect(archive.snapshot?.(flat, { keepDays: 35 })).rejects.toThrow(
    "has a backup of one state: leave --keep-days out",
  );
  // It loses erased sound, too.
  await archive.erase({ callId: "A" }, erase);
  expect(await archive.snapshot?.(flat)).toMatchObject({ erasedSound: { files: 1, bytes: 10 } });
  expect(await contains(flat, "sound of A")).toEqual([]);
  await rm(join(to, "ledger"), { recursive: true });
  await backUp(35);
  expect(await contains(to, "sound of A")).toEqual([]);
});
