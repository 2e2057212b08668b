// Tests for a table or a column: archives and backups of earlier versions lack some.
import type { DatabaseSync } from "node:sqlite";

export function hasColumn(database: DatabaseSync, table: string, column: string): boolean {
  const find = database.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?");
  return find.get(table, column) !== undefined;
}

export function hasTable(database: DatabaseSync, table: string): boolean {
  const find = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  return find.get(table) !== undefined;
}
