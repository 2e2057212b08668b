// Transactions: what is written in one is kept whole or not at all, what is read in one is of one state.
import type { DatabaseSync } from "node:sqlite";

/** Does `work` and keeps what it writes; of work that throws nothing is kept. Throws what it throws, and SQLite's errors. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  return endTransaction(database, work);
}

/** The same in the transaction that is open; in one of its own if there is none. */
export function endTransaction<T>(database: DatabaseSync, work: () => T): T {
  if (!database.isTransaction) database.exec("BEGIN IMMEDIATE");
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

/** Writes of other connections are in all that `read` reads, or in none of it. */
export function readAtOnce<T>(database: DatabaseSync, read: () => T): T {
  database.exec("BEGIN");
  try {
    return read();
  } finally {
    // An error of the disk has ended it already.
    if (database.isTransaction) database.exec("COMMIT");
  }
}

/** The transaction that all reads in one turn of the event loop share. */
export interface ReadTurn {
  /** To be called before a read. */
  readonly begin: () => void;
  /** Later reads see what has been written since. Without a call the turn ends by itself. */
  readonly end: () => void;
}

/**
 * One transaction for all reads of a turn: taking and releasing SQLite's locks costs a third of a lookup. So a read sees what
 * another connection writes from the next turn on.
 */
export function createReadTurn(database: DatabaseSync): ReadTurn {
  const [start, finish] = [database.prepare("BEGIN"), database.prepare("COMMIT")];
  let isOpen = false;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    try {
      // An error of the disk has ended it already.
      if (database.isTransaction) finish.run();
    } catch {
      // Of a damaged file even the end of reading may fail, which must not end the service: what is read next says so.
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
 * A write that changes nothing, in a transaction of the caller: the first page of the file is rewritten with the same
 * content.
 */
export function writeNothing(database: DatabaseSync): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  database.exec(`PRAGMA user_version = ${version}`);
}
