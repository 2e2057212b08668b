// The tables whose rows have a digest of all their other columns: in these a changed bit gives rights, lets erased calls back, or leaves
// calls out. The database makes a digest where a row comes without one; what changes a row sets it to null.
import { nameDigested, notAsWritten } from "../values/damaged-records.ts";
import { HOLD_TABLES } from "../values/holds.ts";
import { LIFE_TABLES } from "../values/versions.ts";
import type { Ask } from "./connection.ts";

export const DIGESTED = [
  "setting",
  "month",
  "call_revision",
  "segment",
  "segment_bits",
  "media",
  "tombstone",
  ...LIFE_TABLES,
  ...HOLD_TABLES,
  "imported_rows",
  "application",
  "bearer",
  "read_back",
] as const;

export type DigestedTable = (typeof DIGESTED)[number];

/** With those whose digests are made by this program: see row-sums.ts. */
export const SUMMED = [...DIGESTED, "user", "flag", "call", "recording", "chat"] as const;

export type SummedTable = (typeof SUMMED)[number];

/** SQL: whether a row is what was written. `name`: of the table in the statement. */
export const isWhole = (name: string): string => `(${name}.digest = row_digest(${name})) IS TRUE`;

/** SQL: the digest to set with other values. A row that is damaged keeps its own, and stays so. */
export const toNextDigest = (name: string): string =>
  `CASE WHEN ${isWhole(name)} THEN NULL ELSE ${name}.digest END`;

/** Reads all rows of the table; gives the first `limit` that are not what was written, as they are named to an operator. */
export async function listAltered(
  ask: Ask,
  table: DigestedTable,
  limit?: number,
): Promise<readonly string[]> {
  const rows = await ask<Record<string, unknown>>(
    `SELECT * FROM ${table} WHERE NOT ${isWhole(table)} LIMIT $1::int8`,
    [limit ?? null],
  );
  return rows.map((row) => nameDigested(table, row));
}

/** A row of which `isWhole` was asked. */
export interface Judged {
  readonly whole: boolean;
}

/** The rows without that. Throws `StoreFault` for one that is not what was written. */
export const toWhole = <Row extends Judged>(
  table: DigestedTable,
  rows: readonly Row[],
): Omit<Row, "whole">[] =>
  rows.map(({ whole, ...row }) => {
    if (!whole) throw notAsWritten(nameDigested(table, row));
    return row;
  });
