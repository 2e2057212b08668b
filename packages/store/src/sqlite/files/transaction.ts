// Transactions: what is written in one is kept whole or not at all, what is read in one is of one state.
import type { DatabaseSync } from "node:sqlite";

/** Does `work` and keeps what it writes; of work that throws nothing is kept. Throws what it throws, and SQLite's errors. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const done = work();
    database.exec("COMMIT");
    return done;
  } catch (error) {
    // A full disk has ended the transaction already.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Whatever others write meanwhile is in all that `read` reads, or in none of it. */
export function readAtOnce<T>(database: DatabaseSync, read: () => T): T {
  database.exec("BEGIN");
  try {
    return read();
  } finally {
    // An error of the disk has ended it already.
    if (database.isTransaction) database.exec("COMMIT");
  }
}

/** A write that changes nothing, in a transaction of the caller's: the first page of the file is written anew as it is. */
export function writeNothing(database: DatabaseSync): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  database.exec(`PRAGMA user_version = ${version}`);
}
