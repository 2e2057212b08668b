// Merging the pieces in which imports leave the search index: a search looks into each of them for each of its terms.
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";

// Of FTS5's index, 4 KB each: some 15 ms of one core, during which nobody else can write to the archive.
const PAGES_PER_STEP = 500;

// As many steps as it takes to merge what an import of so many calls has left. A merge of more than that, which comes now
// and then in a large archive, goes on at the end of the next imports: none takes much longer than its own calls do.
const CALLS_PER_STEP = 5_000;

/**
 * To be called when `calls` calls were changed. Every step is a transaction: should the program end between two, nothing
 * is lost, and the next import goes on from there. Throws SQLite's errors.
 */
export async function mergeIndex(database: DatabaseSync, calls: number): Promise<void> {
  const merge = createStep(database);
  for (let left = Math.ceil(calls / CALLS_PER_STEP); left > 0; left -= 1) {
    if (!merge()) return;
    await setImmediate();
  }
}

/** Does one step; false when nothing was left to do. */
function createStep(database: DatabaseSync): () => boolean {
  const merge = database.prepare("INSERT INTO call_index (call_index, rank) VALUES ('merge', ?)");
  const total = database.prepare("SELECT total_changes() AS n");
  const countChanges = () => Number(total.get()?.["n"]);
  return () => {
    const before = countChanges();
    merge.run(PAGES_PER_STEP);
    // FTS5's documentation: one change is the command itself.
    return countChanges() - before >= 2;
  };
}
