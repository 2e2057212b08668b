// The schema of a database: a new file gets it, one of an earlier version is brought to it, a file that has another one is refused.
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../files/transaction.ts";
import { type DigestedTable, toDigest, toDigestWithout } from "./digested.ts";
import { hasColumn } from "./has-column.ts";
import { countRows, fillRowSums, type SummedTable } from "./row-sums.ts";

export interface Schema {
  /** Kept in `PRAGMA user_version`; 0 is a file without tables. It changes whenever the tables do. */
  readonly version: number;
  /** Those of before that this program brings to this one. */
  readonly earlier: readonly number[];
  /** The columns that tables have got since the earliest of these. */
  readonly added: readonly (readonly [table: string, column: string, type: string])[];
  readonly digested: readonly DigestedTable[];
  readonly summed: readonly SummedTable[];
  readonly sql: string;
}

/** The advice for a database of another schema. */
export const EXPORT_FIRST = "export it with the version that made it, and import that";

/**
 * Makes the tables of a new database, and brings those of an earlier one to this schema: its rows get the digests that they lack, and
 * from then on one without is damaged. What was damaged before they had any is not found by these. `fill` does the same for what
 * an adapter reads in other ways. What this connection writes from then on counts for the sums of the rows. Throws an `Error` for one
 * that has another schema.
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
 * Where SQLite puts what is temporary. A change of it drops the temporary triggers that count rows
 * (https://sqlite.org/pragma.html#pragma_temp_store): they are made again.
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
  const { version, sql, added, digested } = schema;
  if (readVersion(database) === version) return;
  inTransaction(database, () => {
    // Read again with the lock held: another program may be opening the same archive.
    const found = readVersion(database);
    if (found === version) return;
    if (found !== 0 && !isUsable(schema, found))
      throw new Error(`it has schema ${found}, and this program uses ${version}: ${EXPORT_FIRST}`);
    const isSummed = hasColumn(database, "row_sum", "sum");
    if (isSummed) countRows(database, schema.summed);
    if (found === 0) database.exec(sql);
    const lacking = added.filter(([table, column]) => !hasColumn(database, table, column));
    for (const [table, column, type] of lacking)
      database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    for (const table of digested) database.exec(toFill(table, found === 0, lacking));
    if (lacking.some(([, column]) => column === "digest")) fill(database);
    if (!isSummed) fillRowSums(database, schema.summed);
    database.exec(`PRAGMA user_version = ${version}`);
  });
}

/** SQL for the digests of a table that had none, or had them of fewer columns. */
function toFill(table: DigestedTable, isNew: boolean, lacking: Schema["added"]): string {
  const added = lacking.flatMap(([of, column]) => (of === table ? [column] : []));
  const update = `UPDATE ${table} SET digest = ${toDigest(table)}`;
  return isNew || added.includes("digest")
    ? update
    : `${update} WHERE digest IS ${toDigestWithout(table, added)}`;
}

export function isUsable({ version, earlier }: Schema, found: number): boolean {
  return found === version || earlier.includes(found);
}

export function readVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}
