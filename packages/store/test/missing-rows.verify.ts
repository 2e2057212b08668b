// A row of each table of an archive in a folder, taken out by another program: no doctor, backup or migration calls the rest well. The
// tables are those of the schema, so that a new one without cover fails.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { ArchiveError, isFault, migrateArchive } from "../src/index.ts";
import { createMaintenance } from "../src/sqlite/maintenance/maintenance.ts";
import { createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { fill } from "../src/suite/records.ts";
import { fillEveryTable, GONE } from "./support/altered-columns.ts";
import { createFolder } from "./support/archives.ts";
import { backUp, examine, restore } from "./support/maintenance.ts";

interface Table {
  readonly file: string;
  readonly table: string;
}

/** By the next segment's number nothing is found; without the count of revocations credentials are read anew each time. */
const HARMLESS: ReadonlySet<string> = new Set([
  "archive.db sqlite_schema",
  "access.db sqlite_schema",
  "archive.db sqlite_sequence",
  "access.db revocations",
]);

function listTables(directory: string): readonly Table[] {
  return ["archive.db", "access.db"].flatMap((file) => {
    using database = new DatabaseSync(join(directory, file), { readOnly: true });
    return database
      .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
      .all()
      .map(({ name }) => ({ file, table: String(name) }))
      .filter(({ table }) => !HARMLESS.has(`${file} ${table}`));
  });
}

/** False if it has no row. */
function removeRow(directory: string, { file, table }: Table): boolean {
  using database = new DatabaseSync(join(directory, file), { enableForeignKeyConstraints: false });
  const triggers = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
  const columns = database
    .prepare("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map(({ name }) => String(name));
  const select = database.prepare(`SELECT ${columns.join()} FROM ${table} LIMIT 1`);
  select.setReadBigInts(true);
  const row = select.get();
  if (row !== undefined)
    database
      .prepare(`DELETE FROM ${table} WHERE ${columns.map((name) => `${name} IS ?`).join(" AND ")}`)
      .run(...columns.map((name) => row[name] ?? null));
  for (const { sql } of triggers) database.exec(String(sql));
  return row !== undefined;
}

/** What is said: the words of a finding or of an error, or nothing. */
async function say(ask: () => Promise<readonly string[]>): Promise<string> {
  try {
    return (await ask()).join("; ");
  } catch (error) {
    if (error instanceof ArchiveError || isFault(error, "damaged", "lost", "unavailable"))
      return error.message;
    throw error;
  }
}

async function askAll(directory: string) {
  const backup = join(await createFolder(), "backup");
  const doctor = await say(async () =>
    (await examine(directory)).flatMap(({ level, what, todo }) =>
      level === "error" ? `${what}: ${todo}` : [],
    ),
  );
  const copied = await say(async () => {
    const { damagedRecords, damages, indexFault } = await backUp({ from: directory, to: backup });
    const others = damages.map(({ fault }) => fault);
    return [...damagedRecords, ...others, ...(indexFault === undefined ? [] : [indexFault])];
  });
  const restored = await say(async () => {
    const to = join(await createFolder(), "restored");
    const { damagedRecords, damages, indexFault } = await restore({ from: backup, to });
    const others = damages.map(({ fault }) => fault);
    return [...damagedRecords, ...others, ...(indexFault === undefined ? [] : [indexFault])];
  });
  const migrated = await say(async () => {
    await using to = createMemoryStore();
    const report = await migrateArchive({ from: createMaintenance(directory), to });
    const { damagedRecords, differences, damages } = report;
    return [...damagedRecords, ...differences, ...damages.map(({ fault }) => fault)];
  });
  return { doctor, copied, restored, migrated };
}

async function createOriginal(): Promise<string> {
  const directory = await createFolder();
  await using store = await createStore({ directory });
  await fillEveryTable(store);
  return directory;
}

/** What no migration copies: it is made anew of the records. */
const MADE_ANEW: ReadonlySet<string> = new Set([
  "index_segment",
  "index_page",
  "index_block",
  "word",
  "call_span",
]);

test("no row of any table can be missing unnoticed", async () => {
  const original = await createOriginal();
  const copy = async () => {
    const directory = join(await createFolder(), "archive");
    await cp(original, directory, { recursive: true });
    return directory;
  };
  expect(await askAll(await copy())).toEqual({
    doctor: "",
    copied: "",
    restored: "",
    migrated: "",
  });
  const silent: string[] = [];
  for (const table of listTables(original)) {
    const directory = await copy();
    if (!removeRow(directory, table)) {
      silent.push(`${table.table} is empty`);
      continue;
    }
    const told = await askAll(directory);
    for (const [face, words] of Object.entries(told))
      if (words === "" && (face !== "migrated" || !MADE_ANEW.has(table.table)))
        silent.push(`${table.table}: ${face}`);
  }
  expect(silent).toEqual([]);
}, 600_000);

test("an import that may bring an erased call back does not begin without its tombstone", async () => {
  const directory = await createOriginal();
  removeRow(directory, { file: "archive.db", table: "tombstone" });
  await using store = await openStore({ directory });
  await expect(fill(store, [GONE])).rejects.toThrow(
    /the table tombstone \(1 of \d+ rows missing\)/,
  );
});
