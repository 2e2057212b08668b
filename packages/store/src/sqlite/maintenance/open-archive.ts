// Opens an archive's records for work on its files.
import { statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { Connection } from "../files/connection.ts";
import { ArchiveError, DATABASE, isBackup, openDatabase } from "../files/database.ts";

export interface ArchiveToKeep extends Disposable {
  readonly database: DatabaseSync;
  /** A backup is only read: hashes seal its databases. */
  readonly isWritable: boolean;
}

/** Throws `ArchiveError` if the directory has no archive. */
export async function openArchiveToKeep(directory: string): Promise<ArchiveToKeep> {
  checkArchive(directory);
  const isWritable = !isBackup(directory);
  const database = isWritable ? openDatabase(directory) : openReadOnly(join(directory, DATABASE));
  return { database, isWritable, [Symbol.dispose]: () => database.close() };
}

/** Throws `ArchiveError` if the directory has no archive, and the system's error if it may not be read. */
export function checkArchive(directory: string): void {
  // SQLite would wait forever for a pipe.
  if (statSync(join(directory, DATABASE), { throwIfNoEntry: false })?.isFile() !== true)
    throw new ArchiveError(`there is no archive in ${directory}`);
}

export function openReadOnly(file: string): DatabaseSync {
  return new Connection(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

// Readers wait for the process that recovers the log after a crash, or removes it at the end (https://sqlite.org/wal.html, section 8).
const BUSY_TIMEOUT_MS = 5_000;
