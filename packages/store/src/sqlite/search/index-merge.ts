// Does the merges of the search index that imports left. A batch does at most one merge, so that none takes long.
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { inTransaction } from "../files/transaction.ts";
import { openSegmentIndex } from "../segment-index/segment-index.ts";

/**
 * Does the due merges, each in its own transaction: after an interruption nothing is lost, and the next import
 * continues. Throws SQLite's errors.
 */
export async function mergeIndex(database: DatabaseSync): Promise<void> {
  const index = openSegmentIndex(database);
  while (inTransaction(database, () => index.merge())) await setImmediate();
}
