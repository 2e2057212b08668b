// The database file of an archive: opened with the settings every connection needs, and brought to the newest schema.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrate } from "./migrations.ts";

export const DATABASE = "archive.db";

// A batch of an import holds the write lock for about a third of a second; a sign-in waits for it.
const BUSY_TIMEOUT_MS = 5_000;

// Of the sizes tried, imports are some 3% quicker and the archive 6% smaller than with 4,096 bytes; reads cost the same.
const PAGE_BYTES = 8_192;

// What is asked for lies anywhere in the file: pages that are not kept cost a system call each, a tenth of a request.
const CACHE_KIB = 262_144;

/** A folder that holds no usable archive, or a setting that does not fit the one it holds; one line for people. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** Opens the database of the archive in `directory`, or makes it. Throws `ArchiveError` for a file that is none. */
export function openDatabase(directory: string): DatabaseSync {
  const file = join(directory, DATABASE);
  try {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    database.exec(`
      PRAGMA page_size = ${PAGE_BYTES};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -${CACHE_KIB};
    `);
    migrate(database);
    return database;
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new ArchiveError(`${file} cannot be used: ${fault}`, { cause: error });
  }
}
