// How many rows each table has, and the sum of their digests: see values/row-sums.ts. Triggers of the connections of this program keep
// them, so that what anything else removes or adds does not count.
import type { DatabaseSync } from "node:sqlite";
import { type RowSum, toDigestNumber } from "../../values/row-sums.ts";
import type { DigestedTable } from "./digested.ts";

/** The tables whose rows have a digest of their own, and two of the search index that are counted alone. */
export type SummedTable =
  | DigestedTable
  | "call"
  | "recording"
  | "chat"
  | "user"
  | "flag"
  | IndexTable;

type IndexTable = "index_segment" | "word";

/** What is missing in these is made anew of the records. */
export const INDEX_TABLES: readonly IndexTable[] = ["index_segment", "word"];

/** SQL: the table, for a schema. An archive of an earlier version gets it as well. */
export const ROW_SUMS = `CREATE TABLE IF NOT EXISTS row_sum (
    name TEXT PRIMARY KEY, rows INTEGER NOT NULL, sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`;

export const isOfIndex = (table: SummedTable): boolean => INDEX_TABLES.some((one) => one === table);

const toSum = (table: SummedTable) =>
  isOfIndex(table) ? "0" : "ifnull(sum(digest_number(digest)), 0)";

/** Takes the rows that are there for those that were written. */
export function fillRowSums(database: DatabaseSync, tables: readonly SummedTable[]): void {
  database.exec(ROW_SUMS);
  for (const table of tables)
    database.exec(`INSERT INTO row_sum SELECT '${table}', count(*), ${toSum(table)} FROM ${table}`);
}

/** For a search index that begins anew, whatever was missing. */
export function forgetIndexRows(database: DatabaseSync): void {
  database.exec("UPDATE row_sum SET rows = 0 WHERE name IN ('index_segment', 'word')");
}

/** From now on what this connection writes to these tables counts. */
export function countRows(database: DatabaseSync, tables: readonly SummedTable[]): void {
  // Or a row that REPLACE takes away would go without a trigger.
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
 * The same for what is added to these tables, where it is added: `flush` writes it, before the end of the transaction. A statement with a
 * trigger copies each page that it changes first, and half as much again is an import's time.
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

/** As `readRowSum`, by the number of the rows alone, for which an index is read. */
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

/** No single index has every call, and the table has their texts. */
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
