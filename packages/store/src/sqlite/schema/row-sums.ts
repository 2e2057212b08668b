// The number of rows of each table and the sum of their digests: see values/row-sums.ts. Triggers on this program's connections maintain
// them, so rows that anything else removes or adds are not counted.
import type { DatabaseSync } from "node:sqlite";
import { type RowSum, toDigestNumber } from "../../values/row-sums.ts";
import type { DigestedTable } from "./digested.ts";

/** The tables whose rows have their own digest, and two tables of the search index, whose rows are only counted. */
export type SummedTable =
  | DigestedTable
  | "call"
  | "recording"
  | "chat"
  | "user"
  | "flag"
  | IndexTable;

type IndexTable = "index_segment" | "word";

/** Missing rows of these are rebuilt from the records. */
export const INDEX_TABLES: readonly IndexTable[] = ["index_segment", "word"];

/** SQL: the table, for a schema. It is also added to an archive of an earlier version. */
export const ROW_SUMS = `CREATE TABLE IF NOT EXISTS row_sum (
    name TEXT PRIMARY KEY, rows INTEGER NOT NULL, sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`;

export const isOfIndex = (table: SummedTable): boolean => INDEX_TABLES.some((one) => one === table);

const toSum = (table: SummedTable) =>
  isOfIndex(table) ? "0" : "ifnull(sum(digest_number(digest)), 0)";

/** Treats the present rows as the written ones. */
export function fillRowSums(database: DatabaseSync, tables: readonly SummedTable[]): void {
  database.exec(ROW_SUMS);
  for (const table of tables)
    database.exec(`INSERT INTO row_sum SELECT '${table}', count(*), ${toSum(table)} FROM ${table}`);
}

/** For a search index that is rebuilt, whatever was missing. */
export function forgetIndexRows(database: DatabaseSync): void {
  database.exec("UPDATE row_sum SET rows = 0 WHERE name IN ('index_segment', 'word')");
}

/** From now on, this connection's writes to these tables are counted. */
export function countRows(database: DatabaseSync, tables: readonly SummedTable[]): void {
  // Otherwise a row that REPLACE removes would not fire a trigger.
  database.exec("PRAGMA recursive_triggers = ON");
  database.exec(tables.map(toTriggers).join(""));
}

const toTriggers = (table: SummedTable): string =>
  isOfIndex(table)
    ? toTrigger(table, "INSERT", "rows = rows + 1") + toTrigger(table, "DELETE", "rows = rows - 1")
    : toSumTriggers(table);

const toSumTriggers = (table: SummedTable): string =>
  [
    toTrigger(table, "INSERT", "rows = rows + 1, sum = sum + digest_number(NEW.digest)"),
    toTrigger(table, "DELETE", "rows = rows - 1, sum = sum - digest_number(OLD.digest)"),
    toTrigger(
      table,
      "UPDATE OF digest",
      "sum = sum + digest_number(NEW.digest) - digest_number(OLD.digest)",
    ),
  ].join("");

const toTrigger = (table: SummedTable, event: string, set: string) =>
  `CREATE TEMP TRIGGER IF NOT EXISTS ${table}_${event.slice(0, 6).toLowerCase()} AFTER ${event} ON main.${table}
   BEGIN UPDATE row_sum SET ${set} WHERE name = '${table}'; END;`;

/**
 * Counts rows added to these tables in memory instead; `flush` writes the counts before the end of the transaction. A statement with a
 * trigger first copies each page that it changes, which would make an import take half as long again.
 */
export function countAdded(database: DatabaseSync): AddedRows {
  for (const table of ADDED) database.exec(`DROP TRIGGER temp.${table}_insert`);
  const put = database.prepare("UPDATE row_sum SET rows = rows + ?, sum = sum + ? WHERE name = ?");
  const added = new Map<AddedTable, { rows: number; sum: number }>();
  return {
    add: (table, digest) => {
      const known = added.get(table) ?? { rows: 0, sum: 0 };
      known.rows += 1;
      known.sum += toDigestNumber(digest);
      added.set(table, known);
    },
    flush: () => {
      for (const [table, { rows, sum }] of added) put.run(rows, sum, table);
      added.clear();
    },
  };
}

const ADDED = ["call", "recording", "chat"] as const;

type AddedTable = (typeof ADDED)[number];

export interface AddedRows {
  readonly add: (table: AddedTable, digest: Uint8Array) => void;
  readonly flush: () => void;
}

/** Like `readRowSum`, but only the number of rows, which an index yields. */
export function readRowNumber(database: DatabaseSync, table: SummedTable): RowSum {
  const row = database
    .prepare(
      `SELECT (SELECT rows FROM row_sum WHERE name = ?) AS written, ${toNumber(table)} AS found`,
    )
    .get(table);
  const written = row?.["written"] ?? undefined;
  return {
    table,
    written: written === undefined ? undefined : Number(written),
    found: Number(row?.["found"]),
    isSame: true,
  };
}

/** No single index covers every call, and reading the table would read the records. */
const toNumber = (table: SummedTable) =>
  table === "call"
    ? "(SELECT count(*) FROM call WHERE call_id IS NULL) + (SELECT count(*) FROM call WHERE call_id IS NOT NULL)"
    : `(SELECT count(*) FROM ${table})`;

/** Reads all rows. */
export function readRowSum(database: DatabaseSync, table: SummedTable): RowSum {
  const row = database
    .prepare(
      `SELECT rows AS written, found, sum IS found_sum AS same
       FROM (SELECT count(*) AS found, ${toSum(table)} AS found_sum FROM ${table}) LEFT JOIN row_sum ON name = ?`,
    )
    .get(table);
  const written = row?.["written"] ?? undefined;
  return {
    table,
    written: written === undefined ? undefined : Number(written),
    found: Number(row?.["found"]),
    isSame: row?.["same"] === 1,
  };
}
