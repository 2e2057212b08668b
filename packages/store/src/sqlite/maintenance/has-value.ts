// Looks for a text in the values of a database. A long value lies on several pages: no part of the file has all of it.
import type { DatabaseSync } from "node:sqlite";
import { openToSearch } from "./searched-files.ts";

/** True if a text or a blob in the database file has one of these. Throws SQLite's error for a file that it cannot read. */
export function hasValue(file: string, sought: readonly Buffer[]): boolean {
  using database = openToSearch(file);
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return tables.some(({ name }) => hasInTable(database, String(name), sought));
}

function hasInTable(database: DatabaseSync, table: string, sought: readonly Buffer[]): boolean {
  const columns = database.prepare("SELECT name FROM pragma_table_info(?)").all(table);
  const conditions = columns.map(({ name }) => {
    const column = quote(String(name));
    const tests = sought.map((_, index) => `instr(CAST(${column} AS BLOB), ?${index + 1}) > 0`);
    return `typeof(${column}) IN ('text', 'blob') AND (${tests.join(" OR ")})`;
  });
  const sql = `SELECT 1 FROM ${quote(table)} WHERE ${conditions.join(" OR ")} LIMIT 1`;
  return database.prepare(sql).get(...sought) !== undefined;
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
