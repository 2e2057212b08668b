// In which form the words of an archive are in its search index. Archives of version 1.0 have them as hashes alone until the index is
// rebuilt.
import type { DatabaseSync } from "node:sqlite";
import { findSetting, putSetting } from "../settings.ts";

const NAME = "index_format";
const WITH_CODES = "2";

/** Whether words have codes, so that a beginning is a range of terms. It changes when the index is rebuilt. */
export function hasWordCodes(database: DatabaseSync): boolean {
  return findSetting(database, NAME) === WITH_CODES;
}

/** Of an index without calls, in a transaction of the caller's. */
export function useWordCodes(database: DatabaseSync): void {
  putSetting(database, NAME, WITH_CODES);
}
