// Checks with SQLite's own means that the pages of a database, its tables and their indexes are consistent.
import type { DatabaseSync } from "node:sqlite";
import { isOfDamage } from "./database.ts";

const MOST = 3;

/**
 * Up to three faults of one table or of the whole database; none if it is intact. The copies of keys in the table's indexes are compared
 * too.
 */
export function findFaults(database: DatabaseSync, table?: string): readonly string[] {
  try {
    const faults = database
      .prepare(`PRAGMA integrity_check(${table ?? MOST})`)
      .all()
      .flatMap((row) => String(row["integrity_check"]).split("\n"))
      .filter((line) => !line.startsWith("***")); // the first entries of the result
    return faults[0] === "ok" ? [] : faults.slice(0, MOST);
  } catch (error) {
    if (!(error instanceof Error && isOfDamage(error))) throw error;
    return [error.message];
  }
}
