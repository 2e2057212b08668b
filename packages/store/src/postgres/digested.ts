// The tables whose rows have a digest of all their other columns. In these a changed bit would grant rights, bring erased calls back,
// or hide calls. The database computes the digest of a row without one; a statement that changes a row sets it to null.
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

/** Also the tables whose digests this program computes: see row-sums.ts. */
export const SUMMED = [...DIGESTED, "user", "flag", "call", "recording", "chat"] as const;

export type SummedTable = (typeof SUMMED)[number];

/** SQL: true if a row is undamaged. `name`: of the table in the statement. */
export const isWhole = (name: string): string => `(${name}.digest = row_digest(${name})) IS TRUE`;

/** SQL: the digest to set along with other values. A damaged row keeps its digest, so it stays damaged. */
export const toNextDigest = (name: string): string =>
  `CASE WHEN ${isWhole(name)} THEN NULL ELSE ${name}.digest END`;

/** Reads all rows of the table. Returns the names, for an operator, of the first `limit` damaged ones. */
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

/** A row with the result of `isWhole`. */
export interface Judged {
  readonly whole: boolean;
}

/** The rows without that result. Throws `StoreFault` if one is damaged. */
export const toWhole = <Row extends Judged>(
  table: DigestedTable,
  rows: readonly Row[],
): Omit<Row, "whole">[] =>
  rows.map(({ whole, ...row }) => {
    if (!whole) throw notAsWritten(nameDigested(table, row));
    return row;
  });
