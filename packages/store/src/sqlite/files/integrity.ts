// Whether the pages of a database, its tables and their indexes fit together, as SQLite itself sees it.
import type { DatabaseSync } from "node:sqlite";
import { isOfDamage } from "./database.ts";

const MOST = 3;

/** Up to three faults, of one table or of the whole; none if it is well. Its indexes hold keys a second time, which are compared. */
export function findFaults(database: DatabaseSync, table?: string): readonly string[] {
  try {
    const faults = database
      .prepare(`PRAGMA integrity_check(${table ?? MOST})`)
      .all()
      .flatMap((row) => String(row["integrity_check"]).split("\n"))
      .filter((line) => !line.startsWith("***")); // the head of a list
    return faults[0] === "ok" ? [] : faults.slice(0, MOST);
  } catch (error) {
    if (!(error instanceof Error && isOfDamage(error))) throw error;
    return [error.message];
  }
}
