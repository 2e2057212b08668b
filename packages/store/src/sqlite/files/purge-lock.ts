// Keeps the users of an archive's files apart from a purge: an import has copied a recording before its row is written,
// and a backup reads files for hours. A lock of SQLite's on an empty file of its own ends with the program that holds
// it, however that ends.
import { join } from "node:path";
import { Connection } from "./connection.ts";
import { ArchiveError, createPrivate, isBusy, toArchiveError } from "./database.ts";

const LOCK = "purge.lock";

// `user add` takes milliseconds; an import or a purge takes minutes, for which nobody wants to wait in silence.
const WAIT_MS = 1_000;

/** Until it is disposed of, nothing is purged. Throws `ArchiveError` while something is. */
export function keepFromPurging(directory: string): Disposable {
  return hold(
    directory,
    "BEGIN; SELECT count(*) FROM sqlite_schema",
    "records are being purged from this archive: try again when that has ended",
  );
}

/** Until it is disposed of, nobody fills or copies the archive. Throws `ArchiveError` while another program does. */
export function lockForPurging(directory: string): Disposable {
  return hold(
    directory,
    "BEGIN EXCLUSIVE",
    "an import, a backup, an export or another purge is under way in this archive: try again when it has ended",
  );
}

function hold(directory: string, lock: string, refusal: string): Disposable {
  const file = join(directory, LOCK);
  createPrivate(file);
  const database = new Connection(file, { timeout: WAIT_MS });
  try {
    // A full disk has no room for a journal, and nothing is written.
    database.exec(`PRAGMA journal_mode = MEMORY; ${lock}`);
    return database;
  } catch (error) {
    database.close();
    throw isBusy(error) ? new ArchiveError(refusal, { cause: error }) : toArchiveError(file, error);
  }
}
