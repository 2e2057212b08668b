// The format of words in an archive's search index. Archives of version 1.0 have them only as hashes until the index is
// rebuilt.
import type { DatabaseSync } from "node:sqlite";
import { findSetting, putSetting } from "../settings.ts";

const NAME = "index_format";
const WITH_CODES = "2";

/** True if words have codes, so that a prefix is a range of terms. It changes when the index is rebuilt. */
export function hasWordCodes(database: DatabaseSync): boolean {
  return findSetting(database, NAME) === WITH_CODES;
}

/** For an index without calls; must be called in a transaction. */
export function useWordCodes(database: DatabaseSync): void {
  putSetting(database, NAME, WITH_CODES);
}
