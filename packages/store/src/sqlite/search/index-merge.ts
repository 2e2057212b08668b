// Merging what imports have left of the search index: a batch does one merge at most, so that none takes long.
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { inTransaction } from "../files/transaction.ts";
import { openSegmentIndex } from "../segment-index/segment-index.ts";

/**
 * Does the merges that are due, each in its own transaction: after an interruption nothing is lost, and the next import
 * continues. Throws SQLite's errors.
 */
export async function mergeIndex(database: DatabaseSync): Promise<void> {
  const index = openSegmentIndex(database);
  while (inTransaction(database, () => index.merge())) await setImmediate();
}
