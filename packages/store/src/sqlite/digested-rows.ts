// The rows of tables with a digest of all their columns that are not what was written, as they are named to an operator; and tables that
// lack some.
import type { DatabaseSync } from "node:sqlite";
import { nameDigested, notAsWritten } from "../values/damaged-records.ts";
import { describeRows, isOtherNumber } from "../values/row-sums.ts";
import { prepareBig } from "./files/connection.ts";
import { type DigestedTable, isWholeIn } from "./schema/digested.ts";
import { hasColumn, hasTable } from "./schema/has-column.ts";
import { readRowNumber, readRowSum, type SummedTable } from "./schema/row-sums.ts";

/** The first `limit` of them; all without. */
export function listAltered(
  database: DatabaseSync,
  table: DigestedTable,
  limit = -1,
): readonly string[] {
  // An archive of before lacks the table, or the digests.
  if (!hasColumn(database, table, "digest")) return [];
  const select = prepareBig(
    database,
    `SELECT * FROM ${table} WHERE NOT ${isWholeIn(database, table)} LIMIT ${limit}`,
  );
  return select.all().map((row) => nameDigested(table, row));
}

/** The tables that have not the rows which were written. `isKnown`: of those with as many others, since each was named. */
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

/** Reads all rows of these tables. Throws `StoreFault` for one that is not what was written, and where some are missing. */
export function checkTables(database: DatabaseSync, tables: readonly DigestedTable[]): void {
  for (const table of tables)
    for (const name of listAltered(database, table, 1)) throw notAsWritten(name);
  for (const name of listLost(database, tables)) throw notAsWritten(name);
}

/** Throws `StoreFault` where a table has another number of rows than was written. */
export function checkNumbers(database: DatabaseSync, tables: readonly SummedTable[]): void {
  for (const table of tables) {
    const name = describeRows(readRowNumber(database, table));
    if (name !== undefined) throw notAsWritten(name);
  }
}

/** What an import adds to, or is found by again: with some of it missing, it would make an archive that looks whole. */
export const ADDED_TO: readonly SummedTable[] = ["user", "flag", "call", "chat"];

/** What all of an archive is read by: few rows. */
export const READ_BY: readonly DigestedTable[] = ["setting", "record_field", "call_span"];
