// A backup and the way back: nothing is lost, nothing is overwritten, and what was cut off is never taken for whole.
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import type { CallStore } from "../src/index.ts";
import { backUp, examine, purge, restore, verifyMedia } from "./support/maintenance.ts";
import { createStore, openScratchCopy, openStore } from "../src/sqlite/sqlite-store.ts";
import { beginPart } from "../src/sqlite/maintenance/part-file.ts";
import { createFolder } from "./support/archives.ts";
import {
  addCalls,
  createClosedArchive,
  createKeptArchive,
  damageIndex,
  findFile,
} from "./support/kept-archive.ts";
import { fill, query, toUser } from "../src/suite/records.ts";

async function open(directory: string): Promise<CallStore> {
  const store = await openStore({ directory });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

async function createTarget(): Promise<string> {
  return join(await createFolder(), "target");
}

test("what is restored is the archive: records, credentials, recordings, and files nobody else can read", async () => {
  const { directory, store } = await createKeptArchive("a", "b");
  await fill(store, [{ kind: "user", record: toUser(1) }]);
  await store.credentials.addApplication({
    secretID: "app",
    keyHash: "h",
    userId: 1,
    createdMs: 1,
  });
  const [backup, target] = [await createTarget(), await createTarget()];

  expect(await backUp({ from: directory, to: backup })).toMatchObject({
    calls: 2,
    mediaFiles: 2,
    mediaBytes: 2,
    copied: 2,
    damages: [],
  });
  expect(await restore({ from: backup, to: target })).toMatchObject({ calls: 2, copied: 2 });

  const restored = await open(target);
  expect(restored.timeZone).toBe(store.timeZone);
  const whole = query({});
  expect(await restored.calls.search(whole)).toEqual(await store.calls.search(whole));
  expect(await restored.credentials.application("app")).toEqual(
    await store.credentials.application("app"),
  );
  for (const callId of ["a", "b"])
    expect(await readFile(await findFile(restored, target, callId), "utf8")).toBe(callId);
  for (const folder of [backup, target])
    for (const name of ["", "archive.db", "access.db", "media"])
      expect((await stat(join(folder, name))).mode & 0o077, join(folder, name)).toBe(0);
});

test("a restored recording is known to be right: it is sent without being read first", async () => {
  const { directory } = await createKeptArchive("a");
  const [backup, target] = [await createTarget(), await createTarget()];
  await backUp({ from: directory, to: backup });
  await restore({ from: backup, to: target });

  const restored = await open(target);

  const [recording] = await restored.calls.recordings({ callId: "a" }, "everything");
  const state = await stat(await findFile(restored, target, "a"), { bigint: true });
  const { size, mtimeNs, ctimeNs, ino } = state;
  expect(recording?.media.version).toBe(`${size}-${mtimeNs}-${ctimeNs}-${ino}`);
});

test("a second backup copies what is new, and what was damaged in the first", async () => {
  const { directory, store } = await createKeptArchive("same", "rotten");
  const backup = await createTarget();
  await backUp({ from: directory, to: backup });
  const same = await findFile(store, backup, "same");
  const rotten = await findFile(store, backup, "rotten");
  const { ino } = await stat(same);
  await writeFile(rotten, "ROTTEN");
  await addCalls(store, ["new"]);

  expect(await backUp({ from: directory, to: backup })).toMatchObject({ mediaFiles: 3, copied: 2 });

  expect((await stat(same)).ino).toBe(ino);
  expect(await readFile(rotten, "utf8")).toBe("rotten");
  expect(await verifyMedia({ directory: backup })).toMatchObject({ files: 3, damages: [] });
  const target = await createTarget();
  expect(await restore({ from: backup, to: target })).toMatchObject({ calls: 3, damages: [] });
});

test("recordings that are damaged are named, and the others are copied", async () => {
  const { directory, fileOf } = await createKeptArchive("good", "lost", "cut", "changed", "empty");
  await rm(await fileOf("lost"));
  await truncate(await fileOf("cut"), 1);
  await truncate(await fileOf("empty"), 0);
  await writeFile(await fileOf("changed"), "CHANGED");
  const backup = await createTarget();

  const { copied, damages } = await backUp({ from: directory, to: backup });

  expect(copied).toBe(1);
  expect(new Set(damages.map(({ callId }) => callId))).toEqual(
    new Set(["changed", "cut", "empty", "lost"]),
  );
  const report = await verifyMedia({ directory: backup });
  expect(report.unreferenced).toEqual([]);
  expect(report.damages.map(({ fault }) => fault)).toEqual(
    Array.from({ length: 4 }, () => expect.stringContaining("cannot be opened")),
  );
});

test("a recording that was damaged in the backup is named when it is restored", async () => {
  const { directory, store } = await createKeptArchive("a", "b");
  const [backup, target] = [await createTarget(), await createTarget()];
  await backUp({ from: directory, to: backup });
  await writeFile(await findFile(store, backup, "a"), "A");

  const { damages } = await restore({ from: backup, to: target });

  expect(damages).toMatchObject([{ callId: "a", filename: "a.ulaw" }]);
});

test("what a backup that was killed left behind is removed by a later one, not by one beside it", async () => {
  const { directory } = await createKeptArchive("a");
  const backup = await createTarget();
  await backUp({ from: directory, to: backup });
  const [old, young] = [join(backup, "archive.db.1.part"), join(backup, "archive.db.2.part")];
  for (const path of [old, young]) await writeFile(path, "x");
  await utimes(old, 1, 1);

  await backUp({ from: directory, to: backup });

  const names = await readdir(backup);
  expect(names.toSorted()).toEqual(
    ["access.db", "archive.db", "archive.db.2.part", "backup.json", "media"].toSorted(),
  );
});

test("the file of a copy that is being made stays, whatever its age", async () => {
  const { directory } = await createKeptArchive("a");
  const backup = await createTarget();
  await backUp({ from: directory, to: backup });
  {
    await using part = beginPart(join(backup, "access.db"));
    await writeFile(part.path, "x");
    await utimes(part.path, 1, 1);
    await backUp({ from: directory, to: backup });
    expect(await readdir(backup)).toContain(basename(part.path));
  }
  const names = await readdir(backup);
  expect(names.filter((name) => name.includes(".part"))).toEqual([]);
});

test("a backup that another program has changed is made good by the next one", async () => {
  const { directory } = await createKeptArchive("a");
  const [backup, target] = [await createTarget(), await createTarget()];
  await backUp({ from: directory, to: backup });
  {
    using database = new DatabaseSync(join(backup, "archive.db"));
    database.exec("INSERT INTO setting (name, value) VALUES ('odd', 'x')");
  }
  await expect(restore({ from: backup, to: target })).rejects.toThrow(
    "is not what backup.json names",
  );

  await backUp({ from: directory, to: backup });

  await restore({ from: backup, to: target });
  expect(await examine(target)).toEqual([]);
});

test("nobody opens a backup as an archive, so that it can be restored", async () => {
  const { directory } = await createKeptArchive("a");
  const [backup, target] = [await createTarget(), await createTarget()];
  await backUp({ from: directory, to: backup });
  const attempts: (() => Promise<unknown>)[] = [
    () => openStore({ directory: backup }),
    () => createStore({ directory: backup }),
    () => openScratchCopy({ directory: backup }),
    () => purge({ directory: backup, filter: { callId: "a" }, operator: "olive" }),
  ];
  for (const attempt of attempts)
    await expect(attempt()).rejects.toThrow(`${backup} is a backup, which must stay as it is`);

  await restore({ from: backup, to: target });
});

test("verifying a backup leaves it as it is", async () => {
  const { directory, store } = await createKeptArchive("a");
  const [backup, target] = [await createTarget(), await createTarget()];
  await backUp({ from: directory, to: backup });
  const file = await findFile(store, backup, "a");
  await writeFile(file, "a");

  expect(await verifyMedia({ directory: backup })).toMatchObject({ files: 1, damages: [] });

  await restore({ from: backup, to: target });
});

test.each<[what: string, damage: (backup: string) => Promise<void>, message: string]>([
  [
    "without backup.json",
    (backup) => rm(join(backup, "backup.json")),
    "there is no finished backup",
  ],
  [
    "with a backup.json that is cut",
    (backup) => truncate(join(backup, "backup.json"), 20),
    "backup.json is damaged, or was written by a newer version",
  ],
  [
    "with a backup.json of a later format",
    (backup) => writeFile(join(backup, "backup.json"), '{"format":2,"databases":{}}'),
    "backup.json is damaged, or was written by a newer version",
  ],
  [
    "without its credentials",
    (backup) => rm(join(backup, "access.db")),
    "access.db is not what backup.json names",
  ],
  [
    "beside which lies somebody's log",
    (backup) => writeFile(join(backup, "archive.db-wal"), "x"),
    "archive.db is not what backup.json names",
  ],
  [
    "of which one byte changed",
    async (backup) => {
      const bytes = await readFile(join(backup, "archive.db"));
      bytes[20_000] = (bytes[20_000] ?? 0) ^ 1;
      await writeFile(join(backup, "archive.db"), bytes);
    },
    "archive.db is not what backup.json names",
  ],
])("a backup %s is not restored", async (_what, damage, message) => {
  const { directory } = await createKeptArchive("a");
  const [backup, target] = [await createTarget(), await createTarget()];
  await backUp({ from: directory, to: backup });
  await damage(backup);

  await expect(restore({ from: backup, to: target })).rejects.toThrow(message);
  await expect(stat(join(target, "archive.db"))).rejects.toThrow("ENOENT");
});

test("nothing is overwritten", async () => {
  const { directory } = await createKeptArchive("a");
  const { directory: other } = await createKeptArchive("b");
  const backup = await createTarget();
  await backUp({ from: directory, to: backup });
  const full = await createFolder();
  await writeFile(join(full, "thesis.txt"), "x");
  const refusals: [() => Promise<unknown>, string][] = [
    [() => backUp({ from: directory, to: other }), "is an archive and no backup"],
    [() => backUp({ from: other, to: backup }), "has a backup of another archive"],
    [() => backUp({ from: backup, to: full }), "is a backup"],
    [() => backUp({ from: full, to: other }), "there is no archive in"],
    [() => backUp({ from: directory, to: directory }), "must be apart"],
    [() => backUp({ from: directory, to: join(directory, "backup") }), "must be apart"],
    [() => restore({ from: backup, to: other }), "is not empty"],
    [() => restore({ from: backup, to: full }), "is not empty, it holds thesis.txt"],
    [() => restore({ from: backup, to: backup }), "must be apart"],
    [() => restore({ from: directory, to: full }), "there is no finished backup"],
  ];
  for (const [attempt, message] of refusals) await expect(attempt()).rejects.toThrow(message);
});

test("what is left of a damaged archive's recordings is used again by a restore, and made good", async () => {
  const { directory, store } = await createKeptArchive("a", "b");
  const [backup, target] = [await createTarget(), await createTarget()];
  await backUp({ from: directory, to: backup });
  for (const callId of ["a", "b"]) {
    const file = await findFile(store, target, callId);
    await mkdir(join(file, ".."), { recursive: true });
    await copyFile(await findFile(store, directory, callId), file);
  }
  await writeFile(await findFile(store, target, "b"), "B");

  expect(await restore({ from: backup, to: target })).toMatchObject({ copied: 1, damages: [] });

  expect(await verifyMedia({ directory: target })).toMatchObject({ files: 2, damages: [] });
});

test("an archive whose database is damaged is not taken for a backup", async () => {
  const directory = await createClosedArchive(
    ...Array.from({ length: 40 }, (_, index) => `call ${index}`),
  );
  const file = join(directory, "archive.db");
  await damageIndex(file, "call_by_call_id");
  const backup = await createTarget();

  await expect(backUp({ from: directory, to: backup })).rejects.toThrow(
    `what was copied of ${file} is damaged: Tree `,
  );
  await expect(stat(join(backup, "backup.json"))).rejects.toThrow("ENOENT");
});
