// The number of rows of each table and the sum of their digests, which the database maintains: see values/row-sums.ts. Partitions count
// towards their table.
import { notAsWritten } from "../values/damaged-records.ts";
import { describeRows, isOtherNumber, type RowSum } from "../values/row-sums.ts";
import type { Ask } from "./connection.ts";
import { type DigestedTable, listAltered, type SummedTable } from "./digested.ts";

/**
 * Names the tables with missing, added or damaged rows. `isKnown`: skips tables with the right number of rows, because
 * their damaged rows were already named.
 */
export async function listLost(
  ask: Ask,
  tables: readonly SummedTable[],
  isKnown = false,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const table of tables) {
    const sum = await readRowSum(ask, table);
    const name = isKnown && !isOtherNumber(sum) ? undefined : describeRows(sum);
    if (name !== undefined) names.push(name);
  }
  return names;
}

/** Throws `StoreFault` if a row of these tables is damaged or missing. */
export async function checkTables(ask: Ask, tables: readonly DigestedTable[]): Promise<void> {
  for (const table of tables)
    for (const name of await listAltered(ask, table, 1)) throw notAsWritten(name);
  for (const name of await listLost(ask, tables)) throw notAsWritten(name);
}

/** Throws `StoreFault` if a table does not have the number of rows that were written. */
export async function checkNumbers(ask: Ask, tables: readonly SummedTable[]): Promise<void> {
  for (const table of tables) {
    const [row] = await ask<{ written: number | null; found: number }>(
      `SELECT (SELECT sum(rows)::float8 FROM row_sum WHERE name = $1::text) AS written,
         (SELECT count(*)::float8 FROM "${table}") AS found`,
      [table],
    );
    const written = row?.written ?? undefined;
    const name = describeRows({ table, written, found: row?.found ?? 0, isSame: true });
    if (name !== undefined) throw notAsWritten(name);
  }
}

async function readRowSum(ask: Ask, table: SummedTable): Promise<RowSum> {
  const [row] = await ask<{ written: number | null; found: number; same: boolean | null }>(
    `SELECT found, written, sum = written_sum AS same
     FROM (SELECT count(*)::float8 AS found, coalesce(sum(digest_number(digest)), 0) AS sum FROM "${table}") AS own,
       (SELECT sum(rows)::float8 AS written, sum(sum) AS written_sum FROM row_sum WHERE name = $1::text) AS kept`,
    [table],
  );
  return {
    table,
    written: row?.written ?? undefined,
    found: row?.found ?? 0,
    isSame: row?.same === true,
  };
}

/** SQL: subtracts a partition that is dropped from the sums. `of`: its table. */
export const toForgotten = (of: SummedTable, partition: string): string =>
  `SELECT add_row_sum('${of}', -count(*), -coalesce(sum(digest_number(digest)), 0)) FROM ${partition};`;

/** True for the tables whose partitions are counted. */
export const isPartitioned = (table: string): table is "call" | "recording" =>
  table === "call" || table === "recording";
