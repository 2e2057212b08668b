// Cleans up when rows were erased from archive.db, so that nothing of them can be read from its files.
import type { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { isFull } from "./files/full-disk.ts";
import { inTransaction } from "./files/transaction.ts";
import { ARCHIVE_SCHEMA } from "./schema/archive-schema.ts";
import { setTempStore } from "./schema/settle-schema.ts";
import { openSegmentIndex } from "./segment-index/segment-index.ts";
import { isSwept, noteSwept } from "./swept.ts";

export const EMPTY_LOG = "PRAGMA wal_checkpoint(TRUNCATE)";

// A search may read an old state for 10 seconds, so this waits 12. Half of each attempt is spent waiting in SQLite, which blocks this
// process.
const LOG_ATTEMPTS = 24;
const LOG_WAIT_MS = 250;

export interface Scrubbed {
  /** False if a reader holds an old state, which the log then still has, or if the disk lacks room. */
  readonly isComplete: boolean;
  /** The free bytes that the rest needs; undefined if the disk had enough. */
  readonly roomBytes: number | undefined;
}

/** Frees the space, so that no erased data can be read from the file or its log. */
export async function scrub(database: DatabaseSync): Promise<Scrubbed> {
  const roomBytes = rewrite(database);
  database.exec(`PRAGMA busy_timeout = ${LOG_WAIT_MS}`);
  const checkpoint = database.prepare(EMPTY_LOG);
  for (let attempt = 0; attempt < LOG_ATTEMPTS; attempt += 1) {
    if (checkpoint.get()?.["busy"] === 0) return { isComplete: roomBytes === undefined, roomBytes };
    await setTimeout(LOG_WAIT_MS);
  }
  return { isComplete: false, roomBytes };
}

/** Returns the free bytes that this needs if the disk has fewer; the steps that failed have then changed nothing. */
function rewrite(database: DatabaseSync): number | undefined {
  // The lists are no longer needed, and a temporary file as large as the database should not be in memory.
  setTempStore(database, ARCHIVE_SCHEMA, "DEFAULT");
  const isFirst = !isSwept(database);
  const done = unlessFull(() => {
    inTransaction(database, () => openSegmentIndex(database).erase(isFirst));
    // Empties the log for what the next step writes to it.
    database.exec(EMPTY_LOG);
    if (!isFirst) return;
    // Earlier versions left old content in free pages, also that of replaced calls.
    database.exec("VACUUM");
    noteSwept(database);
  });
  // Free pages hold no content; this only shrinks the file.
  if (done && !isFirst && hasMuchFree(database)) unlessFull(() => database.exec("VACUUM"));
  if (done) return undefined;
  const { bytes } = database.prepare(USED_BYTES).get() ?? {};
  return REWRITES * Number(bytes);
}

/** False if the disk is full. */
function unlessFull(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (isFull(error)) return false;
    throw error;
  }
}

/** With fewer free pages, rewriting the file would take longer than imports take to fill them. */
const hasMuchFree = (database: DatabaseSync): boolean =>
  database.prepare(FREE_SHARE).get()?.["isMuch"] === 1;

const FREE_SHARE = `SELECT freelist_count * 4 > page_count AS isMuch FROM pragma_page_count, pragma_freelist_count`;

// Once into a temporary file, which may be on the same disk, and once into the log.
const REWRITES = 2;

const USED_BYTES = `SELECT page_size * (page_count - freelist_count) AS bytes
  FROM pragma_page_size, pragma_page_count, pragma_freelist_count`;
