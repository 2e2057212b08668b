// The schema of a database: a new file gets it, a file that has another one is refused.
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../files/transaction.ts";

export interface Schema {
  /** Kept in `PRAGMA user_version`; 0 is a file without tables. It changes whenever the tables do. */
  readonly version: number;
  /** Those of before that this program goes on with as they are. */
  readonly earlier?: readonly number[];
  readonly sql: string;
}

/** The advice for a database of another schema. */
export const EXPORT_FIRST = "export it with the version that made it, and import that";

/** Makes the tables of a new database. Throws an `Error` for one that has another schema. */
export function settleSchema(database: DatabaseSync, schema: Schema): void {
  const { version, sql } = schema;
  if (isUsable(schema, readVersion(database))) return;
  inTransaction(database, () => {
    // Read again with the lock held: another program may be opening the same new archive.
    const found = readVersion(database);
    if (isUsable(schema, found)) return;
    if (found !== 0)
      throw new Error(`it has schema ${found}, and this program uses ${version}: ${EXPORT_FIRST}`);
    database.exec(`${sql}; PRAGMA user_version = ${version}`);
  });
}

export function isUsable({ version, earlier = [] }: Schema, found: number): boolean {
  return found === version || earlier.includes(found);
}

export function readVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}
