// In which form the words of an archive are in its search index. Archives of version 1.0 have them as hashes alone until the index is
// rebuilt.
import type { DatabaseSync } from "node:sqlite";
import { ARCHIVE_SCHEMA } from "../schema/archive-schema.ts";
import { findSetting } from "../settings.ts";

const NAME = "index_format";
const WITH_CODES = "2";

/** Whether words have codes, so that a beginning is a range of terms. It changes when the index is rebuilt. */
export function hasWordCodes(database: DatabaseSync): boolean {
  return findSetting(database, NAME) === WITH_CODES;
}

/** Of an index without calls, in a transaction of the caller's. Programs that know no codes refuse the archive from then on. */
export function useWordCodes(database: DatabaseSync): void {
  database
    .prepare("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)")
    .run(NAME, WITH_CODES);
  database.exec(`PRAGMA user_version = ${ARCHIVE_SCHEMA.version}`);
}
