// The schema of a database. A new file gets it, a file of an earlier version is upgraded to it, and a file with another schema is
// rejected.
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../files/transaction.ts";
import { type DigestedTable, isWhole, toDigest, toDigestWithout, toReplace } from "./digested.ts";
import { hasColumn, hasTable } from "./has-column.ts";
import { countRows, fillRowSums, type SummedTable } from "./row-sums.ts";

export interface Schema {
  /** Stored in `PRAGMA user_version`; 0 is a file without tables. It changes whenever the tables do. */
  readonly version: number;
  /** The oldest version whose program still works with these tables; default: this one. Stored in the setting `readable_since`. */
  readonly readableSince?: number;
  /** The earlier versions that this program upgrades. */
  readonly earlier: readonly number[];
  /** The columns that were added to tables since the earliest of these. */
  readonly added: readonly (readonly [table: string, column: string, type: string])[];
  /** SQL that creates the tables added since, if they are missing. */
  readonly later?: string;
  readonly digested: readonly DigestedTable[];
  readonly summed: readonly SummedTable[];
  readonly sql: string;
}

/** The advice for a database of another schema. */
export const EXPORT_FIRST = "export it with the version that made it, and import that";

/**
 * Creates the tables of a new database, and upgrades an earlier one to this schema. Its rows get the missing digests; from then on, a row
 * without a digest is damaged. These digests do not reveal earlier damage. `fill` does the same for data that an adapter reads in other
 * ways. From then on, the writes of this connection count for the sums of the rows. Throws an `Error` for another schema.
 */
export function settleSchema(
  database: DatabaseSync,
  schema: Schema,
  fill: (database: DatabaseSync) => void = () => {},
): void {
  bringUp(database, schema, fill);
  countRows(database, schema.summed);
}

/**
 * Sets the place of SQLite's temporary data. Changing it drops the temporary triggers that count rows
 * (https://sqlite.org/pragma.html#pragma_temp_store), so they are created again.
 */
export function setTempStore(
  database: DatabaseSync,
  { summed }: Pick<Schema, "summed">,
  place: "MEMORY" | "DEFAULT",
): void {
  database.exec(`PRAGMA temp_store = ${place}`);
  countRows(database, summed);
}

function bringUp(
  database: DatabaseSync,
  schema: Schema,
  fill: (database: DatabaseSync) => void,
): void {
  const { version, sql, added, digested, summed, later = "" } = schema;
  if (isCurrent(database, schema)) return;
  inTransaction(database, () => {
    // Read again while holding the lock: another program may be opening the same archive.
    const found = readVersion(database);
    if (isCurrent(database, schema)) return;
    if (found !== 0 && !isUsable(database, schema))
      throw new Error(`it has schema ${found}, and this program uses ${version}: ${EXPORT_FIRST}`);
    const isSummed = hasColumn(database, "row_sum", "sum");
    const created = summed.filter((table) => !hasTable(database, table));
    if (isSummed) countRows(database, without(summed, created));
    database.exec(found === 0 ? sql : later);
    const lacking = added.filter(([table, column]) => !hasColumn(database, table, column));
    for (const [table, column, type] of lacking)
      database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    if (schema.readableSince !== undefined)
      database
        .prepare(toReplace("setting"))
        .run({ name: READABLE_SINCE, value: String(schema.readableSince) });
    for (const table of digested) database.exec(toFill(table, found === 0, lacking));
    if (lacking.some(([, column]) => column === "digest")) fill(database);
    fillRowSums(database, isSummed ? created : summed);
    database.exec(`PRAGMA user_version = ${version}`);
  });
}

const without = <T>(all: readonly T[], some: readonly T[]) =>
  all.filter((one) => !some.includes(one));

/** SQL for the digests of a table that had none, or digests of fewer columns. */
function toFill(table: DigestedTable, isNew: boolean, lacking: Schema["added"]): string {
  const added = lacking.flatMap(([of, column]) => (of === table ? [column] : []));
  const update = `UPDATE ${table} SET digest = ${toDigest(table)}`;
  return isNew || added.includes("digest")
    ? update
    : `${update} WHERE digest IS ${toDigestWithout(table, added)}`;
}

const READABLE_SINCE = "readable_since";

/** True if this program can use the tables unchanged: they are its own, or a later version allows it. */
function isCurrent(database: DatabaseSync, { version }: Schema): boolean {
  const found = readVersion(database);
  if (found <= version || !hasTable(database, "setting")) return found === version;
  const select = database.prepare(
    `SELECT value FROM setting WHERE name = ? AND ${isWhole("setting")}`,
  );
  const since = select.get(READABLE_SINCE)?.["value"];
  return since !== undefined && Number(since) <= version;
}

export const isUsable = (database: DatabaseSync, schema: Schema): boolean =>
  isCurrent(database, schema) || schema.earlier.includes(readVersion(database));

export function readVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}
