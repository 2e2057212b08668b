// What keeps a clock from telling a hidden call from one that does not exist (D21): a look-up that shows nothing judges the
// same number of calls, whatever there was to judge.
import type { DatabaseSync } from "node:sqlite";

// Few identifiers have as many records: legs of a transfer, calls of a session. One that has more, all of them hidden, takes
// some 0.15 us longer for each further one. Each call more would take as much of every look-up that shows nothing.
const MOST = 64;

/**
 * Makes a function that is told how many calls of an identifier a look-up judged in vain, and judges as many others as are
 * lacking: by `statement`, which judges `:lacking` calls that lie in the index where the identifier does, or would. So the same
 * part of the index is read whatever is there, and what is not in memory does not tell of it either.
 */
export function createDecoys(
  database: DatabaseSync,
  statement: string,
): (name: string, judged: number) => void {
  const judge = database.prepare(statement);
  return (name, judged) => void judge.all({ name, lacking: Math.max(1, 1 + MOST - judged) });
}
