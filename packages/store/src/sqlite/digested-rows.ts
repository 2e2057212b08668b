// The rows of tables with a digest of all their columns that are not what was written, as they are named to an operator.
import type { DatabaseSync } from "node:sqlite";
import { nameDigested, notAsWritten } from "../values/damaged-records.ts";
import { prepareBig } from "./files/connection.ts";
import { type DigestedTable, isWholeIn } from "./schema/digested.ts";

/** The first `limit` of them; all without. */
export function listAltered(
  database: DatabaseSync,
  table: DigestedTable,
  limit = -1,
): readonly string[] {
  const select = prepareBig(
    database,
    `SELECT * FROM ${table} WHERE NOT ${isWholeIn(database, table)} LIMIT ${limit}`,
  );
  return select.all().map((row) => nameDigested(table, row));
}

/** Reads all rows of these tables. Throws `StoreFault` for one that is not what was written. */
export function checkTables(database: DatabaseSync, tables: readonly DigestedTable[]): void {
  for (const table of tables)
    for (const name of listAltered(database, table, 1)) throw notAsWritten(name);
}

/** What all of an archive is read by: few rows. */
export const READ_BY: readonly DigestedTable[] = ["setting", "record_field", "call_span"];
