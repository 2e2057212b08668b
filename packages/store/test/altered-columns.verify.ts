// Each column of each table of an archive in a folder, altered one after the other: nothing that reads it answers as if it were well.
// The tables are those of the schema, so that a new one without cover fails.
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createMaintenance } from "../src/sqlite/maintenance/maintenance.ts";
import { createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { call, fill } from "../src/suite/records.ts";
import {
  alter,
  ask,
  type Faces,
  fillEveryTable,
  listAnswers,
  listCopies,
  listLies,
  type Told,
} from "./support/altered-columns.ts";
import { createFolder } from "./support/archives.ts";
import { backUp, examine } from "./support/maintenance.ts";

interface Column {
  readonly file: string;
  readonly table: string;
  readonly column: string;
}

const FILES = ["archive.db", "access.db"];

function listColumns(directory: string): readonly Column[] {
  return FILES.flatMap((file) => {
    using database = new DatabaseSync(join(directory, file), { readOnly: true });
    return database
      .prepare(
        `SELECT list.name AS "table", info.name AS "column" FROM pragma_table_list AS list, pragma_table_info(list.name) AS info
         WHERE list.schema = 'main' AND list.type = 'table' AND list.name <> 'sqlite_schema'`,
      )
      .all()
      .map((row) => ({ file, table: String(row["table"]), column: String(row["column"]) }));
  });
}

/** Alters the first row that has a value there; false if none has. */
function alterColumn(directory: string, { file, table, column }: Column): boolean {
  using database = new DatabaseSync(join(directory, file), { enableForeignKeyConstraints: false });
  database.exec("PRAGMA ignore_check_constraints = ON");
  const triggers = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
  const select = database.prepare(
    `SELECT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL LIMIT 1`,
  );
  select.setReadBigInts(true);
  const value = select.get()?.["value"];
  if (value !== undefined)
    database
      .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} IS ?`)
      .run(alter(value) as string, value);
  for (const { sql } of triggers) database.exec(String(sql));
  return value !== undefined;
}

async function askAll(directory: string): Promise<{ told: Told; isExamined: boolean }> {
  const findings = await examine(directory);
  const isExamined = findings.some(({ level }) => level === "error");
  const copies: Faces = {
    ...listCopies(createMaintenance(directory)),
    backup: async () => {
      const report = await backUp({ from: directory, to: join(await createFolder(), "backup") });
      const { damagedRecords, damages, indexFault } = report;
      const isWhole = damagedRecords.length + damages.length === 0 && indexFault === undefined;
      return isWhole ? report : "damaged";
    },
  };
  const told = new Map(await ask(copies));
  const opened = await ask({
    opening: async () => void (await openStore({ directory }))[Symbol.asyncDispose](),
  });
  for (const [name, one] of opened) told.set(name, one);
  if (opened.get("opening") === "damaged") return { told, isExamined };
  await using store = await openStore({ directory });
  for (const [name, one] of await ask(listAnswers(store))) told.set(name, one);
  return { told, isExamined };
}

test("no column of any table can be altered unnoticed", async () => {
  const original = await createFolder();
  {
    await using store = await createStore({ directory: original });
    await fillEveryTable(store);
    const path = join(await createFolder(), "linked.ulaw");
    await writeFile(path, "linked");
    const media = await store.media.link?.({ path });
    if (media === undefined) throw new Error("an archive in a folder links recordings");
    const recordings = [{ filename: "linked.ulaw", media }];
    await fill(store, [call({ call_id: "linked", datetime: "2025-07-01" }, { recordings })]);
  }
  const copy = async () => {
    const directory = join(await createFolder(), "archive");
    await cp(original, directory, { recursive: true });
    return directory;
  };
  const whole = await askAll(await copy());
  expect([...whole.told].filter(([, told]) => told === "damaged").map(([name]) => name)).toEqual(
    [],
  );
  const lies: Record<string, readonly string[]> = {};
  const empty: string[] = [];
  for (const column of listColumns(original)) {
    const name = `${column.table}.${column.column}`;
    const directory = await copy();
    if (!alterColumn(directory, column)) {
      empty.push(name);
      continue;
    }
    const { told, isExamined } = await askAll(directory);
    const own = [...listLies(whole.told, told, isExamined)];
    if (own.length > 0) lies[name] = own;
  }
  // Of calls that were taken out a segment has as many as it says.
  expect({ lies, empty }).toEqual({
    lies: {},
    empty: ["index_segment.removed"],
  });
}, 600_000);
