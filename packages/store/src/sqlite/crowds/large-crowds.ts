// The list of large crowds, those of more calls than every look-up judges: what is seen of them is known beforehand (seen-memory.ts).
import type { DatabaseSync } from "node:sqlite";
import { prepareRows } from "../files/connection.ts";
import { findLast } from "../pieces/layout.ts";
import { type Block, type Edit, readBlock } from "./block.ts";

/**
 * So many calls of crowds every look-up judges, whosever they are; fewer where all crowds together have fewer. With four times as
 * many, the first ones of a crowd of hundreds would be in fewer caches than what lies beside most names: 3 us that tell.
 */
export const LEAST_CALLS = 256;

/** One of their blocks, and the term of its crowd. */
export interface LargeBlock {
  readonly id: number;
  readonly term: number;
}

/** SQL for each of their blocks that begins with one of their calls. The calls before these are fewer than `LEAST_CALLS`. */
export const LARGE_BLOCKS =
  "SELECT id, term FROM large_crowd CROSS JOIN crowd_block ON from_term = term";

/** Keeps it, in a transaction of the caller's, once the blocks are written. Throws `RecordDamaged`. */
export function createLargeWriter(database: DatabaseSync): (edits: readonly Edit[]) => void {
  const isLarge = createLargeFinder(database);
  const add = database.prepare("INSERT OR IGNORE INTO large_crowd (term) VALUES (?)");
  const remove = database.prepare("DELETE FROM large_crowd WHERE term = ?");
  return (edits) => {
    for (const term of new Set(edits.map((edit) => edit.term)))
      if (isLarge(term)) add.run(term);
      else remove.run(term);
  };
}

function createLargeFinder(database: DatabaseSync): (term: number) => boolean {
  const columns = "calls, newest, keys, numbers";
  const listBeginning = prepareRows<Block>(
    database,
    `SELECT ${columns} FROM crowd_block WHERE from_term = ? ORDER BY from_id`,
  );
  // In which the crowd itself begins.
  const selectBefore = prepareRows<Block>(
    database,
    `SELECT ${columns} FROM crowd_block WHERE from_term < ? ORDER BY from_term DESC, from_id DESC LIMIT 1`,
  );
  return (term) => {
    let calls = 0;
    for (const row of listBeginning.iterate(term)) {
      if (calls === 0) calls += countCalls(selectBefore.get(term), term);
      calls += countCalls(row, term);
      if (calls > LEAST_CALLS) return true;
    }
    return false;
  };
}

function countCalls(block: Block | undefined, term: number): number {
  const { terms } = readBlock(block);
  return findLast(terms, term) - findLast(terms, term - 1);
}
