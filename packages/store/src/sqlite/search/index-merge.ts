// Merging what imports have left of the search index: a batch does one merge at most, so that none takes long.
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { inTransaction } from "../files/transaction.ts";
import { openSegmentIndex } from "../segment-index/segment-index.ts";

/**
 * Does the merges that are due, each in a transaction of its own: should the program end between two, nothing is lost, and
 * the next import goes on from there. Throws SQLite's errors.
 */
export async function mergeIndex(database: DatabaseSync): Promise<void> {
  const index = openSegmentIndex(database);
  while (inTransaction(database, () => index.merge())) await setImmediate();
}
