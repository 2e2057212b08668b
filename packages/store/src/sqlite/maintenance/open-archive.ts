// An archive's records opened for work on its files.
import { statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { Connection } from "../files/connection.ts";
import { ArchiveError, DATABASE, isBackup, openDatabase } from "../files/database.ts";

export interface ArchiveToKeep extends Disposable {
  readonly database: DatabaseSync;
  /** A backup is only looked at: its databases are sealed by their hashes. */
  readonly isWritable: boolean;
}

/** Throws `ArchiveError` when the folder holds no archive. */
export async function openArchiveToKeep(directory: string): Promise<ArchiveToKeep> {
  checkArchive(directory);
  const isWritable = !isBackup(directory);
  const database = isWritable ? openDatabase(directory) : openReadOnly(join(directory, DATABASE));
  return { database, isWritable, [Symbol.dispose]: () => database.close() };
}

/** Throws `ArchiveError` when the folder holds no archive, and the system's error when it may not be looked into. */
export function checkArchive(directory: string): void {
  // SQLite would wait for a pipe without end.
  if (statSync(join(directory, DATABASE), { throwIfNoEntry: false })?.isFile() !== true)
    throw new ArchiveError(`there is no archive in ${directory}`);
}

export function openReadOnly(file: string): DatabaseSync {
  return new Connection(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

// Readers wait for who makes the log good after a crash, or takes it away at the end (https://sqlite.org/wal.html, section 8).
const BUSY_TIMEOUT_MS = 5_000;
