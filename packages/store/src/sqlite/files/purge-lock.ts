// Keeps the users of an archive's files apart from a purge: an import copies a recording before it writes the row, and a backup reads files
// for hours. The lock is an SQLite lock on a separate empty file, so it ends with its process, even after a crash.
import { join } from "node:path";
import { Connection } from "./connection.ts";
import { ArchiveError, createPrivate, isBusy, toArchiveError } from "./database.ts";

const LOCK = "purge.lock";

const EXCLUSIVE = "BEGIN EXCLUSIVE";

// `user add` takes milliseconds; an import or a purge takes minutes, too long to wait without a message.
const WAIT_MS = 1_000;

/** Nothing is purged until it is disposed. Throws `ArchiveError` while a purge is running. */
export function keepFromPurging(directory: string): Disposable {
  return hold(
    directory,
    "BEGIN; SELECT count(*) FROM sqlite_schema",
    "records are being purged from this archive: try again when that has ended",
  );
}

/** No other process fills or copies the archive until it is disposed. Throws `ArchiveError` while one does. */
export function lockForPurging(directory: string): Disposable {
  return hold(
    directory,
    EXCLUSIVE,
    "an import, a backup, an export or another purge is under way in this archive: try again when it has ended",
  );
}

function hold(directory: string, statements: string, refusal: string): Disposable {
  const file = join(directory, LOCK);
  try {
    return lock(file, statements, WAIT_MS);
  } catch (error) {
    throw isBusy(error) ? new ArchiveError(refusal, { cause: error }) : toArchiveError(file, error);
  }
}

/** Locks a file for the caller alone, and creates it. Throws SQLite's errors. */
export const lockFile = (file: string): Disposable => lock(file, EXCLUSIVE, WAIT_MS);

/** The same without waiting; undefined while somebody else has it locked. */
export function tryLockFile(file: string): Disposable | undefined {
  try {
    return lock(file, EXCLUSIVE, 0);
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function lock(file: string, statements: string, timeout: number): Disposable {
  createPrivate(file);
  const database = new Connection(file, { timeout });
  try {
    // A full disk has no room for a journal, and nothing is written.
    database.exec(`PRAGMA journal_mode = MEMORY; ${statements}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
