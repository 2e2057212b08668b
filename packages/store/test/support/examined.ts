// Archives that are broken in one way each, and what the doctor says of them.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { Connection } from "../../src/sqlite/files/connection.ts";
import { ACCESS_SCHEMA } from "../../src/sqlite/schema/access-schema.ts";
import { ARCHIVE_SCHEMA } from "../../src/sqlite/schema/archive-schema.ts";
import { toDigest } from "../../src/sqlite/schema/digested.ts";
import { countRows } from "../../src/sqlite/schema/row-sums.ts";
import { examine, type Finding } from "./maintenance.ts";
import { createClosedArchive } from "./kept-archive.ts";

/** What is done to the archive, what the doctor is to say, word for word or by a matcher; `where` is below its folder. */
export type BrokenWay = readonly [
  what: string,
  damage: (directory: string) => unknown,
  finding: Finding,
];

export const CALLS = ["a", "b", "c"];

/** A test for each way: an archive of three calls that is broken in that way alone, and all that is said of it. */
export function testFindings(ways: readonly BrokenWay[]): void {
  test.each(ways)("%s", async (_what, damage, { where, ...finding }) => {
    const directory = await createClosedArchive(...CALLS);
    expect(await examine(directory)).toEqual([]);

    await damage(directory);

    expect(await examine(directory)).toEqual([{ ...finding, where: join(directory, where) }]);
  });
}

/** Changes a database of the archive, `archive.db` unless named, as no program of this project would. */
export function change(directory: string, sql: string, name = "archive.db"): void {
  using database = new DatabaseSync(join(directory, name));
  database.exec(sql);
}

/** The same, where triggers keep others from it. */
export function changeUnguarded(directory: string, sql: string, name: string): void {
  using database = new DatabaseSync(join(directory, name));
  const triggers = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  for (const trigger of triggers) database.exec(`DROP TRIGGER ${String(trigger["name"])}`);
  database.exec(sql);
  for (const trigger of triggers) database.exec(String(trigger["sql"]));
}

/** The same, as another version of this project would: what it writes has digests and is counted. */
export function rewrite(directory: string, sql: string, name = "archive.db"): void {
  using database = new Connection(join(directory, name));
  const { digested, summed } = name === "archive.db" ? ARCHIVE_SCHEMA : ACCESS_SCHEMA;
  countRows(database, summed);
  database.exec(sql);
  for (const table of digested) database.exec(`UPDATE ${table} SET digest = ${toDigest(table)}`);
}

/** Makes the archive, which is closed, one of the version that gave digests to records alone. */
export function makeEarlier(directory: string): void {
  for (const [name, schema] of SCHEMAS) {
    using database = new DatabaseSync(join(directory, name));
    for (const table of schema.digested) database.exec(`ALTER TABLE ${table} DROP COLUMN digest`);
    database.exec("DROP TABLE row_sum");
    if (name === "archive.db")
      database.exec("UPDATE recording SET digest = NULL; UPDATE index_segment SET sums = NULL");
    database.exec(`PRAGMA user_version = ${schema.version - 1}`);
  }
}

const SCHEMAS = [
  ["archive.db", ARCHIVE_SCHEMA],
  ["access.db", ACCESS_SCHEMA],
] as const;

export const RESTORE =
  'restore the last backup into another folder ("restore"), and look for what damaged this one: disk, memory, a copy made while it was in use';
