// The columns that archive.db has got since version 1.0: an archive of before gets them when it is opened.
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../files/transaction.ts";

/** What is null in them says nothing. */
const ADDED = [
  ["tombstone", "until_day", "INTEGER"],
  ["tombstone", "erasure", "INTEGER"],
  ["index_segment", "sums", "BLOB"],
  ["recording", "digest", "BLOB"],
] as const;

export function settleColumns(database: DatabaseSync): void {
  if (listMissing(database).length === 0) return;
  inTransaction(database, () => {
    // Asked again with the lock held: another program may be opening the same archive.
    for (const [table, column, type] of listMissing(database))
      database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
  });
}

const listMissing = (database: DatabaseSync) =>
  ADDED.filter(([table, column]) => !hasColumn(database, table, column));

/** False in a backup that an earlier version made. */
export function hasColumn(database: DatabaseSync, table: string, column: string): boolean {
  const find = database.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?");
  return find.get(table, column) !== undefined;
}
