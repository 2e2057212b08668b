// Copies of an archive of which the disk has changed a record: it is named, and no copy calls it well.
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { migrateArchive } from "../src/index.ts";
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { createMaintenance } from "../src/sqlite/maintenance/maintenance.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { call, fill, toUser } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { AT, createFull, readAll } from "./support/full-archive.ts";
import { change } from "./support/examined.ts";
import { backUp, examine, rebuildIndex, restore } from "./support/maintenance.ts";

async function scan(directory: string) {
  const rows = await readAll(directory);
  return {
    damaged: rows.flatMap(({ damaged = [] }) => damaged),
    kinds: rows.flatMap(({ items }) => items.map(({ kind }) => kind)).toSorted(),
  };
}

const ALL = [
  ...Array<string>(3).fill("chat"),
  ...Array<string>(5).fill("call"),
  "flag",
  "user",
].toSorted();
const OF_B = "(SELECT id FROM call WHERE call_id = 'b')";

const BUY = "UPDATE chat SET record = replace(record, 'Bye', 'Buy')";

/** What is done, how it is named, and what is left out. */
const WAYS: readonly (readonly [sql: string, damaged: string, kind: string, ...lost: string[]])[] =
  [
    [
      "UPDATE call SET record = replace(record, '2025', '2024') WHERE call_id = 'b'",
      "call_id b",
      "call",
    ],
    ["UPDATE call SET record = '[\"agent' WHERE call_id = 'b'", "call_id b", "call"],
    [
      "UPDATE call SET record = replace(record, 'nobody', 'somebody')",
      "a call without call_id and ref_id",
      "call",
    ],
    ["UPDATE call SET call_id = NULL WHERE call_id = 'b'", "ref_id r-b", "call"],
    ["UPDATE call SET session_id = 'S' WHERE call_id = 'b'", "call_id b", "call"],
    ["UPDATE call SET digest = zeroblob(16) WHERE call_id = 'b'", "call_id b", "call"],
    ["UPDATE call SET identity = x'5b22' WHERE call_id = 'declared'", "call_id declared", "call"],
    [`UPDATE recording SET filename = 'c.ulaw' WHERE call = ${OF_B}`, "call_id b", "call"],
    [
      `DELETE FROM recording WHERE call = ${OF_B}`,
      "call_id b",
      "call",
      "the table recording (1 of 3 rows missing)",
    ],
    [`UPDATE recording SET type = 'audio/wbv' WHERE call = ${OF_B}`, "call_id b", "call"],
    [
      `UPDATE recording SET modified_ms = modified_ms + 1 WHERE call = ${OF_B}`,
      "call_id b",
      "call",
    ],
    [BUY, "a chat message of call_id a", "chat"],
    [
      "UPDATE chat SET call_id = NULL WHERE record LIKE '%Bye%'",
      "a chat message of no call",
      "chat",
    ],
    [
      "UPDATE chat SET record = '{' WHERE call_id = 'of nobody'",
      "a chat message of call_id of nobody",
      "chat",
    ],
    ["UPDATE user SET record = replace(record, 'false', 'true')", "user 1", "user"],
    ["UPDATE user SET record = '{'", "user 1", "user"],
    ["UPDATE flag SET record = replace(record, 'vip', 'vap')", "flag 7", "flag"],
  ];

test.each(WAYS)("%s: a scan leaves it out, and names it", async (sql, damaged, kind, ...lost) => {
  const directory = await createFull();
  expect(await scan(directory)).toEqual({ damaged: [], kinds: ALL });
  change(directory, sql);
  expect(await examine(directory)).toContainEqual(expect.objectContaining({ level: "error" }));

  const left = ALL.toSpliced(ALL.indexOf(kind), 1);
  expect(await scan(directory)).toEqual({ damaged: [damaged, ...lost], kinds: left });
});

/** Each place of a text in the file, among them those in indexes. */
const placesOf = (file: Buffer, text: string): number[] =>
  Array.from({ length: file.length }, (_, at) => at).filter((at) =>
    file.subarray(at, at + text.length).equals(Buffer.from(text)),
  );

/** What is left of a scan once a bit of a byte is another. */
async function scanFlipped(directory: string, file: Buffer, at: number) {
  const flipped = Buffer.from(file);
  flipped.writeUInt8(flipped.readUInt8(at) ^ 2, at);
  await writeFile(join(directory, "archive.db"), flipped);
  return await scan(directory);
}

describe("one bit", () => {
  test("of the name of a field stops a copy: all records would get the wrong one", async () => {
    const directory = await createFull();
    const file = await readFile(join(directory, "archive.db"));
    const places = placesOf(file, "disposition_notes");
    expect(places.length).toBe(2);
    for (const at of places)
      await expect(scanFlipped(directory, file, at)).rejects.toThrow(
        /the name of the field \d+, .* is not what was written|database disk image is malformed|record_field/,
      );
  });

  test.each([
    [
      "UPDATE record_field SET name = 'customer_firsu_name' WHERE name = 'customer_first_name'",
      /the name of the field \d+, .* is not what was written|names of fields are not what was written/,
    ],
    ["UPDATE setting SET value = 'UUC' WHERE name = 'time_zone'", /the setting time_zone/],
  ])("of what all records are read by is found wherever they are: %s", async (sql, what) => {
    const directory = await createFull();
    change(directory, sql);
    await expect(openStore({ directory })).rejects.toThrow(what);
    await expect(readAll(directory)).rejects.toThrow(what);
    const to = await createFolder();
    await expect(backUp({ from: directory, to })).rejects.toThrow(what);
    await expect(rebuildIndex({ directory })).rejects.toThrow(what);
    expect(await examine(directory)).toMatchObject([
      { level: "error", what: expect.stringMatching(what) },
    ]);
  });

  test("of the name of a column stops it as well, if only its case is another", async () => {
    const directory = await createFull();
    const file = await readFile(join(directory, "archive.db"));
    // Another table has columns of these names as well.
    const column = "REFERENCES media (sha256),\n    type TEXT NOT NULL, modified_ms INTEGER";
    const [at = 0] = placesOf(file, column);
    const flipped = Buffer.from(file);
    flipped.write("M", at + column.indexOf("modified_ms"));
    await writeFile(join(directory, "archive.db"), flipped);
    const fault =
      /the names of the fields are damaged \(columns of the table (?:version_)?recording\)/;
    await expect(scan(directory)).rejects.toThrow(fault);
    const to = join(await createFolder(), "backup");
    await expect(backUp({ from: directory, to })).rejects.toThrow(fault);
    expect(await examine(directory)).toMatchObject([
      {
        level: "error",
        what: expect.stringMatching(/^the table (?:version_)?recording is altered$/),
      },
    ]);
  });

  test("of the name of a column of the search index stops all that reads it", async () => {
    const directory = await createFull();
    change(directory, "ALTER TABLE index_segment RENAME COLUMN firsts TO Firsts");
    const what = "the table index_segment is altered";
    expect(await examine(directory)).toMatchObject([{ level: "error", what }]);
  });

  test("of an index, or of what it leads to, is named, and the rest is copied", async () => {
    const directory = await createFull();
    const file = await readFile(join(directory, "archive.db"));
    const places = [...placesOf(file, "declared"), ...placesOf(file, "of nobody")];
    expect(places.length).toBeGreaterThan(3);
    const named = [];
    for (const at of places) {
      const { damaged } = await scanFlipped(directory, file, at);
      expect(damaged).not.toEqual([]);
      named.push(...damaged);
    }
    expect(named).toContainEqual(expect.stringMatching(/^the table chat \(.*chat_by_call_id/));
  });
});

const FLIP = "UPDATE call SET record = replace(record, '2025', '2024') WHERE call_id = 'b'";

test("archives of which a record is damaged are not equal, before and after a migration", async () => {
  const directory = await createFull();
  const from = createMaintenance(directory);
  await using to = createMemoryStore();
  expect(await migrateArchive({ from, to })).toMatchObject({ differences: [] });
  change(directory, FLIP);
  await using other = createMemoryStore();
  const damagedRecords = ["call_id b"];
  expect(await migrateArchive({ from, to: other })).toMatchObject({
    damagedRecords,
    differences: [],
  });
  expect(await other.calls.byCallId("b", "everything")).toEqual([]);
  // The good one that came earlier stays.
  expect(await migrateArchive({ from, to })).toMatchObject({
    damagedRecords,
    differences: ["2025-05-01: 4 records became 5"],
  });
  expect(await to.calls.byCallId("b", "everything")).toMatchObject([{ datetime: AT }]);
});

describe("a backup", () => {
  test("names damaged records, and is what is left of the archive; so does its restore", async () => {
    const directory = await createFull();
    change(directory, FLIP);
    const to = join(await createFolder(), "backup");
    const damagedRecords = ["call_id b"];
    expect(await backUp({ from: directory, to })).toMatchObject({ damagedRecords, damages: [] });
    const target = join(await createFolder(), "restored");
    expect(await restore({ from: to, to: target })).toMatchObject({ damagedRecords, calls: 5 });
    expect(await scan(target)).toMatchObject({ damaged: damagedRecords });
  });

  test.each([
    ["archive.db", "DROP TRIGGER revised_call_gone", "the trigger revised_call_gone (missing)"],
    ["archive.db", "DROP INDEX chat_by_digest", "the index chat_by_digest (missing)"],
    ["access.db", "DROP TRIGGER access_kept", "the trigger access_kept (missing)"],
    [
      "archive.db",
      "CREATE TRIGGER thief AFTER INSERT ON call BEGIN DELETE FROM chat; END",
      "the trigger thief (not of this program)",
    ],
  ])("of a %s after %s does not take the place of an earlier one", async (name, sql, damaged) => {
    const directory = await createFull();
    const to = join(await createFolder(), "backup");
    await backUp({ from: directory, to });
    change(directory, "CREATE INDEX of_others ON call (act)");
    await backUp({ from: directory, to });
    change(directory, sql, name);
    await expect(backUp({ from: directory, to })).rejects.toThrow(
      `not what was imported: ${damaged}. The backup in ${to} stays as it is`,
    );
    await using other = createMemoryStore();
    const migrated = migrateArchive({ from: createMaintenance(directory), to: other });
    // Credentials and the access log are moved as a whole, or not at all.
    const told = await migrated.then(
      ({ damagedRecords }) => damagedRecords.join(),
      ({ message }: Error) => message,
    );
    const ofAccess = `${damaged} is not what was written`;
    expect(told).toContain(name === "access.db" ? ofAccess : damaged);
  });

  test("lacks no recording unseen whose file the archive no longer knows", async () => {
    const directory = await createFull();
    const others = "SELECT sha256 FROM recording WHERE call <> " + OF_B;
    change(
      directory,
      `PRAGMA foreign_keys = OFF; DELETE FROM media WHERE sha256 NOT IN (${others})`,
    );
    const to = join(await createFolder(), "backup");
    const damagedRecords = ["call_id b", "the table media (1 of 3 rows missing)"];
    expect(await backUp({ from: directory, to })).toMatchObject({ damagedRecords, damages: [] });
  });

  test("with damaged records does not take the place of an earlier one", async () => {
    const directory = await createFull();
    const to = join(await createFolder(), "backup");
    expect(await backUp({ from: directory, to })).toMatchObject({ damagedRecords: [] });
    const before = await readFile(join(to, "backup.json"), "utf8");
    change(directory, "UPDATE call SET record = replace(record, '2025', '2024')");
    await expect(backUp({ from: directory, to })).rejects.toMatchObject({
      name: "ArchiveError",
      message: expect.stringMatching(
        /^not what was imported: .*call_id b, .*The backup in .* stays/,
      ),
    });
    expect(await readFile(join(to, "backup.json"), "utf8")).toBe(before);
    expect(await scan(to)).toMatchObject({ damaged: [] });
    const target = join(await createFolder(), "restored");
    await restore({ from: to, to: target });
    expect((await stat(join(target, "archive.db"))).isFile()).toBe(true);
    expect(await examine(target)).toEqual([]);
  });
});

test.each([
  [FLIP, "call_id b is not what was imported, and no index is made of it"],
  [BUY, "a chat message of call_id a is not what was imported"],
])("%s: no index is made of it", async (sql, sentence) => {
  const directory = await createFull();
  change(directory, sql);
  await expect(rebuildIndex({ directory })).rejects.toThrow(sentence);
});

test("a change of a user does not call well what the disk has changed of it", async () => {
  const directory = await createFull();
  change(directory, "UPDATE user SET record = replace(record, '\"status\":1', '\"status\":3')");
  await using store = await openStore({ directory });
  const before = toUser(1, { status: 3 });
  const record = toUser(1, { title: "Ms" });
  const [outcome] = await fill(store, [{ kind: "user", record, before }]);
  expect(outcome).toMatchObject({
    rejected: expect.stringContaining("the user 1 is not what was"),
  });
  expect(await fill(store, [{ kind: "user", record }])).toEqual(["replaced"]);
  expect(await examine(directory)).toEqual([]);
});

test("a call that comes again keeps no recordings that the disk has changed", async () => {
  const directory = await createFull();
  change(directory, `UPDATE recording SET start_ms = 1 WHERE call = ${OF_B}`);
  await using store = await openStore({ directory });
  const again = call({ call_id: "b", ref_id: "r-b", datetime: AT, notes: "more" });
  const [outcome] = await fill(store, [{ ...again, keepsRecordings: true }]);
  expect(outcome).toMatchObject({ rejected: expect.stringContaining("cannot be kept") });
  expect(await scan(directory)).toMatchObject({ damaged: ["call_id b"] });
});
