// The database file of an archive: opened with the settings every connection needs, and brought to the newest schema.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrate } from "./migrations.ts";

export const DATABASE = "archive.db";

// A batch of an import holds the write lock for about a third of a second; a sign-in waits for it.
const BUSY_TIMEOUT_MS = 5_000;

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
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -65536;
    `);
    migrate(database);
    return database;
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new ArchiveError(`${file} cannot be used: ${fault}`, { cause: error });
  }
}
