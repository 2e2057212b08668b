// Opens the two database files of an archive with the settings that every connection needs, and creates their tables.
import { closeSync, constants, existsSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isMainThread } from "node:worker_threads";
import { ArchiveError } from "../../port/faults.ts";
import { settleFields } from "../call-row.ts";
import { checkTables, READ_BY } from "../digested-rows.ts";
import { Connection } from "./connection.ts";
import { MAKE_ROOM } from "../../media/files.ts";
import { isOfFullDisk } from "./full-disk.ts";
import { ACCESS_SCHEMA } from "../schema/access-schema.ts";
import { ARCHIVE_SCHEMA } from "../schema/archive-schema.ts";
import { fillEarlier } from "../schema/fill-earlier.ts";
import { settleSchema } from "../schema/settle-schema.ts";

export { ArchiveError };

/** Records: written by imports and operators' commands. */
export const DATABASE = "archive.db";

/** Credentials and the access log: also written by the running service. */
export const ACCESS_DATABASE = "access.db";

/** In the directory of a finished backup; it seals the databases by their digests. */
export const BACKUP_MANIFEST = "backup.json";

// On a busy machine, an import holds the write lock for five to seven seconds at a time; another import waits for it.
const ARCHIVE_TIMEOUT_MS = 10_000;

// A writer of access.db holds its lock for some milliseconds. A reader of recordings waits no longer than this.
const ACCESS_TIMEOUT_MS = 2_000;

// With this size, imports are some 3% faster and the archive 6% smaller than with 4,096 bytes; reads cost the same.
const PAGE_BYTES = 8_192;

// Lookups read pages from all over the file: a page that is not cached costs a system call, a tenth of a request.
const CACHE_KIB = 262_144;

// For each search thread, which caches what it read of the search index itself.
const SEARCH_CACHE_KIB = 16_384;

// One page of the smallest size (https://sqlite.org/fileformat2.html, section 1.3.2).
const LEAST_DATABASE_BYTES = 512;

/** SQLite would make an empty archive of an empty file, which would then be served as if nothing were wrong. */
export function hasArchive(directory: string): boolean {
  return toSize(join(directory, DATABASE)) >= LEAST_DATABASE_BYTES;
}

export function toSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Throws `ArchiveError` if only access.db is left of the archive. A new archive numbers users from 1 again, so the
 * old credentials would become those of new users.
 */
export function checkNotLost(directory: string): void {
  const file = join(directory, ACCESS_DATABASE);
  if (hasArchive(directory) || toSize(file) === 0) return;
  throw new ArchiveError(
    `${join(directory, DATABASE)} is lost, and ${file} has the credentials of its users: put it back from a backup ("restore"), or move ${ACCESS_DATABASE} away to begin another archive`,
  );
}

export function isBackup(directory: string): boolean {
  return existsSync(join(directory, BACKUP_MANIFEST));
}

/** Throws `ArchiveError`: opening a database for shared use changes its digest, even if nothing is written. */
export function checkNoBackup(directory: string): void {
  if (!isBackup(directory)) return;
  throw new ArchiveError(
    `${directory} is a backup, which must stay as it is to be restored: "restore" makes an archive of it in another folder`,
  );
}

/**
 * Opens archive.db of `directory`, or creates it. Throws `ArchiveError` for an invalid file, for a backup, and if only access.db is left
 * of the archive.
 */
export function openDatabase(directory: string): DatabaseSync {
  checkNoBackup(directory);
  checkNotLost(directory);
  return open(join(directory, DATABASE), ARCHIVE_TIMEOUT_MS, (database) => {
    // secure_delete: otherwise, splitting or rewriting pages would leave copies of a record in free space, which would outlive its erasure.
    database.exec(`
      PRAGMA page_size = ${PAGE_BYTES};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
      PRAGMA cache_size = -${CACHE_KIB};
    `);
    settleSchema(database, ARCHIVE_SCHEMA, fillEarlier);
    checkTables(database, READ_BY);
    settleFields(database);
  });
}

/** Opens archive.db of `directory` for searches, after `openDatabase` has opened it. Throws SQLite's errors. */
export function openForSearches(directory: string): DatabaseSync {
  const options = { readOnly: true, timeout: ARCHIVE_TIMEOUT_MS };
  const database = new Connection(join(directory, DATABASE), options);
  database.exec(`PRAGMA cache_size = -${SEARCH_CACHE_KIB}`);
  return database;
}

/** Opens access.db of `directory`, or creates it. Throws `ArchiveError` for an invalid file. */
export function openAccessDatabase(directory: string): DatabaseSync {
  return open(join(directory, ACCESS_DATABASE), ACCESS_TIMEOUT_MS, (database) => {
    // FULL: a confirmed row survives a power loss, not only a crash of the process.
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON`);
    settleSchema(database, ACCESS_SCHEMA);
  });
}

// Opening a pipe at the file's path would block until the pipe is read. Windows has no such flag.
const APPEND_AT_ONCE =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

// The files that this process has opened. The store's own threads open only those.
const opened = new Set<string>();

/**
 * Creates an empty file that only its owner may read. SQLite would make it readable for all users of the machine, and
 * its companion files inherit its permissions. Throws the file system's error for a file that cannot be written, which
 * SQLite would open for reading. Opens each file only once: closing it again releases all locks that this process has on
 * it (https://sqlite.org/howtocorrupt.html, section 2.2).
 */
export function createPrivate(file: string): void {
  if (existsSync(file) && (opened.has(file) || !isMainThread)) return;
  closeSync(openSync(file, APPEND_AT_ONCE, 0o600));
  opened.add(file);
}

function open(
  file: string,
  timeout: number,
  prepare: (database: DatabaseSync) => void,
): DatabaseSync {
  const endMs = performance.now() + timeout;
  for (;;) {
    let database: DatabaseSync | undefined;
    try {
      createPrivate(file);
      database = new Connection(file, { timeout });
      prepare(database);
      return database;
    } catch (error) {
      database?.close();
      // Two processes may create an archive at the same time. SQLite fails immediately where waiting would be a deadlock.
      if (isBusy(error) && performance.now() < endMs) {
        sleep(BUSY_PAUSE_MS);
        continue;
      }
      throw toArchiveError(file, error);
    }
  }
}

/** The reason why a file could not be used. */
export function toArchiveError(file: string, cause: unknown): ArchiveError {
  if (cause instanceof ArchiveError) return cause;
  const fault = cause instanceof Error ? cause.message : String(cause);
  const reason = isOfFullDisk(cause, file) ? MAKE_ROOM : fault;
  return new ArchiveError(`${file} cannot be used: ${reason}`, { cause });
}

/** Returns the result of `use`. Errors that SQLite throws meanwhile get the name of `file`, because they do not name it. */
export function namingFile<T>(file: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    const isOfSqlite = error instanceof Error && "errcode" in error;
    throw isOfSqlite || isOfDamage(error) ? toArchiveError(file, error) : error;
  }
}

const BUSY_PAUSE_MS = 10;

// https://sqlite.org/rescode.html; the lowest eight bits, the others give more detail.
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;

/** True if another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  return toCode(error) === SQLITE_BUSY;
}

/** True if the file is damaged. An integer that Node.js cannot read as a number also shows that. */
export function isOfDamage(error: unknown): boolean {
  if (toCode(error) === SQLITE_CORRUPT) return true;
  return error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE";
}

function toCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return Number(error.errcode) & 255;
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
