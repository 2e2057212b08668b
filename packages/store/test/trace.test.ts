// Where a call, a recording or a text still is: before an erasure, after it, and when nothing is left of it.
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from "node:fs/promises";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createStore, openMaintenance, openStore } from "../src/open.ts";
import { findText } from "../src/sqlite/maintenance/find-text.ts";
import { listGenerations } from "../src/sqlite/maintenance/generations.ts";
import { call, fill, message } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { addRecording } from "./support/purging.ts";

const AT = "2025-05-01T10:00:00Z";
const SECRET = 'Gespenst "der" Oper';
const NOTHING = { records: 0, states: 0, messages: 0, files: 0, bytes: 0 };

async function createBackedUp() {
  const directory = await createFolder();
  const to = join(await createFolder(), "backups");
  let sha256: string;
  {
    await using store = await createStore({ records: directory });
    const recording = await addRecording(store, "A");
    ({ sha256 } = recording.media);
    const busy = await addRecording(store, "busy tone");
    const recordings = [recording, busy];
    await fill(store, [
      call({ call_id: "A", datetime: AT, notes: "first" }, { recordings }),
      call({ call_id: "A", datetime: AT, notes: SECRET }, { recordings }),
      call({ call_id: "B", datetime: AT }, { recordings: [busy] }),
      { kind: "chat", record: message("A", "Yes.", AT) },
    ]);
  }
  const archive = await openMaintenance({ records: directory });
  const trace = async (of: Parameters<NonNullable<typeof archive.trace>>[0]) => {
    const found = await archive.trace?.(of);
    if (found === undefined) throw new Error("an archive in a folder can be traced");
    return found;
  };
  const backUp = async () => await archive.snapshot?.(to, { keepDays: 35 });
  await backUp();
  return { directory, to, archive, trace, backUp, sha256 };
}

test("a call is found in the archive and in each backup, until the last of them goes", async () => {
  const { to, archive, trace, backUp } = await createBackedUp();
  const all = { records: 1, states: 1, messages: 1, files: 2, bytes: 28 };
  const [generation = ""] = listGenerations(to);
  const state = {
    place: generation,
    createdAt: expect.any(String),
    goesAt: expect.any(String),
    found: all,
  };
  const span = { fromMs: Date.parse(AT), toMs: Date.parse(AT) };
  expect(await trace({ callId: "A" })).toEqual({
    here: all,
    erased: undefined,
    entries: [],
    backups: [{ place: to, states: [state], count: 1 }],
    parts: [],
    files: [],
    unread: [],
    span,
  });

  await archive.erase({ callId: "A" }, { operator: "olive" });
  await backUp();
  const left = { ...state, found: { ...all, files: 1, bytes: 18 } };
  expect(await trace({ callId: "A" })).toMatchObject({
    here: NOTHING,
    erased: { operator: "olive", asked: { call_id: "A" } },
    entries: [{ erasure: 1, kind: "erased", by: "olive" }],
    backups: [{ place: to, states: [left], count: 2 }],
    span,
  });

  await rm(generation, { recursive: true });
  expect(await trace({ callId: "A" })).toMatchObject({
    here: NOTHING,
    backups: [{ place: to, states: [], count: 1 }],
    span: undefined,
  });
  const nobody = { here: NOTHING, entries: [], backups: [{ states: [] }] };
  expect(await trace({ callId: "nobody" })).toMatchObject(nobody);
  expect((await trace({ callId: "nobody" })).erased).toBeUndefined();
});

test("what an interrupted backup has left is searched, or named if it cannot be read", async () => {
  const { directory, to, archive, trace, backUp, sha256 } = await createBackedUp();
  const [whole = ""] = listGenerations(to);
  await archive.erase({ callId: "A" }, { operator: "olive" });
  await backUp();
  const left = join(to, ".generation-abcdef");
  const going = join(to, ".generation-ghijkl");
  await mkdir(left);
  await mkdir(going);
  await writeFile(join(left, "access.db.7.part"), "");
  await writeFile(join(left, "archive.db.8.part"), "");
  await copyFile(join(whole, "archive.db"), join(left, "archive.db.7.part"));
  {
    // As the archive is, until the copy is complete.
    using part = new DatabaseSync(join(left, "archive.db.7.part"));
    part.exec("PRAGMA journal_mode = WAL");
  }
  await rename(whole, join(going, basename(whole)));
  await copyFile(join(left, "archive.db.7.part"), join(directory, "archive.db.9.part"));
  const places = [
    join(directory, "archive.db.9.part"),
    join(left, "archive.db.7.part"),
    join(going, basename(whole), "archive.db"),
  ];
  const names = await readdir(left);
  for (const of of [{ callId: "A" }, { sha256 }]) {
    const { parts, unread, backups } = await trace(of);
    expect(parts.map(({ place }) => place).toSorted()).toEqual(places.toSorted());
    expect(parts[0]?.found).toMatchObject({ records: 1, states: expect.any(Number) });
    expect(unread).toEqual([]);
    expect(backups).toMatchObject([{ states: [] }]);
  }
  expect(await trace({ callId: "nobody" })).toMatchObject({ parts: [], unread: [] });
  expect((await trace({ text: SECRET })).files).toEqual(expect.arrayContaining(places));
  expect(await readdir(left)).toEqual(names);

  await writeFile(join(left, "archive.db.7.part-journal"), "");
  await truncate(join(directory, "archive.db.9.part"), 5_000);
  const unread = expect.arrayContaining(places.slice(0, 2));
  expect(await trace({ callId: "A" })).toMatchObject({ parts: [{ place: places[2] }], unread });
});

test("a recording that went with its call, and came again under its own name, is found by its digest", async () => {
  const { directory, archive, trace, backUp, sha256 } = await createBackedUp();
  expect(await trace({ sha256 })).toMatchObject({ here: { records: 1, states: 0, files: 1 } });
  await archive.erase({ callId: "A" }, { operator: "olive" });
  await backUp();
  expect(await trace({ sha256 })).toMatchObject({
    here: NOTHING,
    entries: [{ erasure: 1 }],
    backups: [{ states: [{ found: { records: 1, states: 0, files: 0 } }] }],
  });
  {
    await using store = await openStore({ records: directory });
    await fill(store, [call({ call_id: "C" }, { recordings: [await addRecording(store, "A")] })]);
  }
  expect(await trace({ sha256 })).toMatchObject({ here: { records: 1, files: 1, bytes: 10 } });
  // It is of another call now.
  expect(await trace({ callId: "A" })).toMatchObject({ here: NOTHING });
});

test("a recording that went with its call and lies there again, of no call, is found by the call", async () => {
  const { directory, archive, trace } = await createBackedUp();
  await archive.erase({ callId: "A" }, { operator: "olive" });
  {
    await using store = await openStore({ records: directory });
    await addRecording(store, "A");
  }
  expect(await trace({ callId: "A" })).toMatchObject({ here: { ...NOTHING, files: 1, bytes: 10 } });
});

test("a linked recording is found where it is, as long as a record names it", async () => {
  const { directory, archive, trace } = await createBackedUp();
  const path = join(await createFolder(), "linked.wav");
  await writeFile(path, "sound of L");
  {
    await using store = await openStore({ records: directory });
    const media = await store.media.link?.({ name: "linked.wav", path });
    if (media === undefined) throw new Error("an archive in a folder can have links");
    const recordings = [{ filename: "linked.wav", media }];
    await fill(store, [call({ call_id: "L", datetime: AT }, { recordings })]);
  }
  expect(await trace({ callId: "L" })).toMatchObject({ here: { records: 1, files: 1, bytes: 10 } });
  await rename(path, `${path}-away`);
  expect(await trace({ callId: "L" })).toMatchObject({ here: { records: 1, files: 0 } });
  await rename(`${path}-away`, path);
  await archive.erase({ callId: "L" }, { operator: "olive" });
  expect(await trace({ callId: "L" })).toMatchObject({ here: NOTHING, entries: [{}] });
});

test("a text is found across the pieces in which a file is read, and in small letters", async () => {
  const directory = await createFolder();
  const size = 1 << 20;
  for (const [name, at] of [
    ["a", 0],
    ["b", size - 3],
    ["c", 2 * size - 8],
    ["d", 3 * size - 9],
  ] as const)
    await writeFile(join(directory, name), "x".repeat(at) + '"der" Oper');
  await writeFile(join(directory, "e"), '"der" oper');
  await writeFile(join(directory, "f"), '\\"der\\" Oper');
  await writeFile(join(directory, "g"), '"der" Ope');
  const { files } = await findText(directory, '"der" Oper');
  expect(files.map((path) => basename(path)).toSorted()).toEqual(["a", "b", "c", "d", "e", "f"]);
});

test("each part of a record that SQLite lays on several pages is found, in the archive and in its backup", async () => {
  const { directory, to, trace, backUp } = await createBackedUp();
  const words = Array.from({ length: 3_000 }, (_, index) => `word${index * 7_919}`);
  {
    await using store = await openStore({ records: directory });
    await fill(store, [call({ call_id: "L", datetime: AT, notes: words.join(" ") })]);
  }
  await backUp();
  const generation = listGenerations(to).at(-1) ?? "";
  const databases = [join(directory, "archive.db"), join(generation, "archive.db")];
  const bytes = await Promise.all(databases.map((path) => readFile(path)));
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
  const parted = pairs.filter((pair) => bytes.some((one) => !one.includes(pair)));
  expect(parted.length).toBeGreaterThan(3);
  for (const text of parted)
    expect(await trace({ text })).toMatchObject({
      files: expect.arrayContaining(databases),
      unread: [],
    });
  expect(await trace({ text: `${words[1]} ${words[0]}` })).toMatchObject({ files: [], unread: [] });
});

test("the reserve of purges is not searched, and what cannot be read is named", async () => {
  const { directory, trace } = await createBackedUp();
  const damaged = join(directory, "damaged.db");
  await writeFile(join(directory, "purge.reserve"), "by chance");
  await writeFile(damaged, "SQLite format 3\0 and nothing after it");
  expect(await trace({ text: "by chance" })).toMatchObject({ files: [], unread: [damaged] });
});

test("a text is found in the bytes of all files, and nowhere after its erasure", async () => {
  const { directory, to, archive, trace, backUp } = await createBackedUp();
  const [generation = ""] = listGenerations(to);
  const { files } = await trace({ text: SECRET });
  expect(files).toContain(join(directory, "archive.db"));
  expect(files).toContain(join(generation, "archive.db"));
  expect(await trace({ text: "Gespenst" })).toMatchObject({
    files: expect.arrayContaining([join(directory, "archive.db")]),
  });
  await archive.erase({ callId: "A" }, { operator: "olive" });
  await backUp();
  await rm(generation, { recursive: true });
  for (const text of [SECRET, "Gespenst"]) expect((await trace({ text })).files).toEqual([]);
});

test("a backup that cannot be read is named, and the backup itself can be traced", async () => {
  const { to, trace } = await createBackedUp();
  const [generation = ""] = listGenerations(to);
  const copy = await openMaintenance({ records: to });
  expect(await copy.trace?.({ callId: "A" })).toMatchObject({ here: { records: 1 }, backups: [] });
  expect(await readdir(generation)).toEqual(
    expect.arrayContaining(["access.db", "archive.db", "backup.json"]),
  );
  await rename(to, `${to}-away`);
  expect(await trace({ callId: "A" })).toMatchObject({
    here: { records: 1 },
    backups: [{ place: to, states: undefined, count: 0 }],
  });
  expect((await trace({ text: SECRET })).files).not.toEqual([]);
});
