// Transactions: all writes in one are kept or none, and all reads in one see the same state.
import type { DatabaseSync } from "node:sqlite";

/** Does `work` and commits; rolls back if it throws. Throws its error, and SQLite's errors. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  return endTransaction(database, work);
}

/** The same in the open transaction, or in a new one if none is open. */
export function endTransaction<T>(database: DatabaseSync, work: () => T): T {
  if (!database.isTransaction) database.exec("BEGIN IMMEDIATE");
  try {
    const done = work();
    database.exec("COMMIT");
    return done;
  } catch (error) {
    // On a full disk the transaction has already ended.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** All of `read` sees the same state: it sees each transaction of another connection completely or not at all. */
export function readAtOnce<T>(database: DatabaseSync, read: () => T): T {
  database.exec("BEGIN");
  try {
    return read();
  } finally {
    // A disk error has already ended it.
    if (database.isTransaction) database.exec("COMMIT");
  }
}

/** The transaction shared by all reads in one turn of the event loop. */
export interface ReadTurn {
  /** Must be called before a read. */
  readonly begin: () => void;
  /** Later reads see what has been written since. Without this call, the turn ends automatically. */
  readonly end: () => void;
}

/**
 * One transaction for all reads of a turn: acquiring and releasing SQLite's locks costs a third of a lookup. A read sees the
 * writes of another connection from the next turn on.
 */
export function createReadTurn(database: DatabaseSync): ReadTurn {
  const [start, finish] = [database.prepare("BEGIN"), database.prepare("COMMIT")];
  let isOpen = false;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    try {
      // A disk error has already ended it.
      if (database.isTransaction) finish.run();
    } catch {
      // With a damaged file, even ending the read may fail. That must not stop the service: the next read reports the damage.
      if (database.isTransaction) database.exec("ROLLBACK");
    }
  };
  return {
    begin: () => {
      if (isOpen) return;
      start.run();
      isOpen = true;
      setImmediate(end);
    },
    end,
  };
}

/**
 * A write without changes, in the caller's transaction: it rewrites the first page of the file with the same
 * content.
 */
export function writeNothing(database: DatabaseSync): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  database.exec(`PRAGMA user_version = ${version}`);
}
