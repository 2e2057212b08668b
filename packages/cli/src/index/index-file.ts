// The index file of an export: SQLite with a full-text index (FTS5) of its metadata and transcripts.
import { hash } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  statSync,
} from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { CommandFailure } from "../failures/command-failure.ts";
import { console, toPrintable, UsageError } from "@call-media/terminal";
import { permissions } from "../files/written-files.ts";

/** "CMix". */
const APPLICATION_ID = 0x43_4d_69_78;
/** Increase it with the schema, and whenever words fold to other tokens. Older indexes are then rebuilt. */
const VERSION = 1;
const BUSY_MS = 5000;

// `words` stores no text, only positions. Its rows have the numbers of the documents.
const SCHEMA = `
CREATE TABLE folder (
  stamp TEXT NOT NULL,   -- of the files that it was made from
  fields TEXT NOT NULL,  -- names that occur in the records, with commas between them
  masked TEXT NOT NULL,  -- fields that the export masks
  unreadable INTEGER NOT NULL
) STRICT;
CREATE TABLE document (
  n INTEGER PRIMARY KEY,
  digest BLOB NOT NULL,  -- of the line of a record, or of the file of a transcript
  round INTEGER NOT NULL, -- the update that saw it last
  call_id TEXT,
  at INTEGER,            -- of a record: its first byte in the metadata
  bytes INTEGER,
  file TEXT              -- of a transcript: its path in the folder
) STRICT;
CREATE INDEX document_by_digest ON document (digest);
CREATE INDEX document_by_call ON document (call_id);
CREATE VIRTUAL TABLE words USING fts5 (text, content='', columnsize=0, tokenize='ascii');
PRAGMA application_id = ${APPLICATION_ID};`;

/** For a single search in a read-only folder. */
export const IN_MEMORY = ":memory:";

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens the index, or creates it with the permissions of an export.
 *
 * @throws UsageError if the file is something else, such as a link; CommandFailure if this Node.js has no SQLite.
 */
export async function openIndex(path: string, readOnly = false): Promise<DatabaseSync> {
  const { DatabaseSync } = await loadSqlite();
  if (path !== IN_MEMORY) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw toForeign(path);
    if (!readOnly) createFile(path);
  }
  const database = new DatabaseSync(path, { readOnly });
  try {
    // A file that came with the folder must not execute anything, and deleted data must be erased from the file.
    database.exec(
      `PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON; PRAGMA busy_timeout = ${BUSY_MS};`,
    );
    settleSchema(database, path);
    return database;
  } catch (error) {
    database.close();
    throw toIndexFailure(error, path);
  }
}

/** SQLite gives its journal the permissions of the file, which may already exist with others. */
function createFile(path: string): void {
  const file = openSync(path, "a", permissions().file);
  try {
    fchmodSync(file, permissions().file);
  } catch {
    console.info(toPrintable(`others may read ${path}: its permissions cannot be changed`));
  } finally {
    closeSync(file);
  }
}

function settleSchema(database: DatabaseSync, path: string): void {
  const read = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name];
  const version = toVersion(path);
  const isSettled = () =>
    read("application_id") === APPLICATION_ID && read("user_version") === version;
  if (isSettled()) return;
  const isEmpty = read("page_count") === 0;
  if (!isEmpty && read("application_id") !== APPLICATION_ID) throw toForeign(path);
  database.exec("BEGIN IMMEDIATE");
  // Another call-media may have done this already, and be searching.
  if (!isSettled()) {
    for (const name of ["folder", "document", "words"])
      database.exec(`DROP TABLE IF EXISTS ${name}`);
    database.exec(`${SCHEMA} PRAGMA user_version = ${version}`);
  }
  database.exec("COMMIT");
}

/**
 * Identifies the schema and the file itself. A copied index has another version and is rebuilt: an index that came with a folder could hide
 * calls, and no manifest shows that.
 */
function toVersion(path: string): number {
  const { ino, birthtimeNs } = { ...statSync(path, { bigint: true, throwIfNoEntry: false }) };
  return hash("sha256", `${VERSION} ${ino} ${birthtimeNs}`, "buffer").readInt32BE();
}

async function loadSqlite() {
  try {
    return await import("node:sqlite");
  } catch (error) {
    throw new CommandFailure(
      `this Node.js (${process.version}) has no SQLite, which an index needs: install Node.js 24, or one that was not built --without-sqlite`,
      { cause: error },
    );
  }
}

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Translates errors of SQLite, and returns any other error unchanged. */
export function toIndexFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !("errcode" in error)) return error;
  const errcode = Number(error.errcode) & 0xff; // the upper bits give more detail
  if (errcode === SQLITE_BUSY)
    return new CommandFailure(`another call-media writes ${path}: try again when it has ended`, {
      cause: error,
    });
  if (errcode === SQLITE_NOTADB || errcode === SQLITE_CORRUPT) return toForeign(path, error);
  return new CommandFailure(`${path}: ${error.message}`, { cause: error });
}

const toForeign = (path: string, cause?: unknown) =>
  new UsageError(`${path} is damaged, or no index of call-media: delete it, and index again`, {
    cause,
  });
