// Finds damaged rows in tables whose rows have a digest, named for an operator, and tables that lack rows.
import type { DatabaseSync } from "node:sqlite";
import { nameDigested, notAsWritten } from "../values/damaged-records.ts";
import { describeRows, isOtherNumber } from "../values/row-sums.ts";
import { prepareBig } from "./files/connection.ts";
import { type DigestedTable, isWholeIn } from "./schema/digested.ts";
import { hasColumn, hasTable } from "./schema/has-column.ts";
import { readRowNumber, readRowSum, type SummedTable } from "./schema/row-sums.ts";

/** The first `limit` damaged rows; all of them without `limit`. */
export function listAltered(
  database: DatabaseSync,
  table: DigestedTable,
  limit = -1,
): readonly string[] {
  // An archive of an earlier version lacks the table, or the digests.
  if (!hasColumn(database, table, "digest")) return [];
  const select = prepareBig(
    database,
    `SELECT * FROM ${table} WHERE NOT ${isWholeIn(database, table)} LIMIT ${limit}`,
  );
  return select.all().map((row) => nameDigested(table, row));
}

/**
 * Names the tables with missing, added or damaged rows. `isKnown`: skips tables with the right number of rows, because
 * their damaged rows were already named.
 */
export function listLost(
  database: DatabaseSync,
  tables: readonly SummedTable[],
  isKnown = false,
): readonly string[] {
  // A backup of an earlier version has none.
  if (!hasColumn(database, "row_sum", "sum")) return [];
  const sums = tables
    .filter((table) => hasTable(database, table))
    .map((table) => readRowSum(database, table));
  return sums.flatMap((one) => (isKnown && !isOtherNumber(one) ? [] : (describeRows(one) ?? [])));
}

/** Reads all rows of these tables. Throws `StoreFault` if one is damaged or missing. */
export function checkTables(database: DatabaseSync, tables: readonly DigestedTable[]): void {
  for (const table of tables)
    for (const name of listAltered(database, table, 1)) throw notAsWritten(name);
  for (const name of listLost(database, tables)) throw notAsWritten(name);
}

/** Throws `StoreFault` if a table does not have the number of rows that were written. */
export function checkNumbers(database: DatabaseSync, tables: readonly SummedTable[]): void {
  for (const table of tables) {
    const name = describeRows(readRowNumber(database, table));
    if (name !== undefined) throw notAsWritten(name);
  }
}

/** The tables that an import adds to, or compares with. If some of it were missing, an import would make an archive that looks complete. */
export const ADDED_TO: readonly SummedTable[] = ["user", "flag", "call", "chat"];

/** The tables that all reads of an archive depend on: few rows. */
export const READ_BY: readonly DigestedTable[] = ["setting", "record_field", "call_span"];
