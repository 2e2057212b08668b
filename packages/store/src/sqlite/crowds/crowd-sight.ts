// Looking for what somebody may see of a crowd, in a time that does not tell how many of its calls they may not, nor whether there
// is one.
import type { DatabaseSync } from "node:sqlite";
import type { Identifier } from "../identifiers.ts";
import { findLast } from "../pieces/layout.ts";
import { judgeCalls, type ToRestrictions } from "./block.ts";
import { createBlockReader } from "./crowd-blocks.ts";
import { createShutOutFinder } from "./crowd-values.ts";
import { createNameTerm } from "./members.ts";

/** So many calls are judged at least, whosever they are; fewer where all crowds together have fewer. */
export const LEAST_CALLS = 1_024;

const toList = (where: string) =>
  `SELECT id FROM crowd_block WHERE (from_term, from_id) ${where} ORDER BY from_term, from_id`;

/** Of the crowds of an archive, whichever identifier they have. */
export function createCrowdSight(database: DatabaseSync) {
  const readBlock = createBlockReader(database);
  const findShutOut = createShutOutFinder(database);
  // The block in which calls of the term would begin.
  const selectStart = database.prepare(
    `SELECT from_term, from_id FROM crowd_block WHERE from_term < ?
     ORDER BY from_term DESC, from_id DESC LIMIT 1`,
  );
  selectStart.setReadBigInts(true);
  const listOn = database.prepare(toList(">= (?, ?)"));
  const listBefore = database.prepare(toList("< (?, ?)"));

  /**
   * Gives the ids of those calls of a crowd that are seen; none where there is no crowd of that term. It judges the blocks from
   * where the crowd begins, or would, as far as it goes and others until `LEAST_CALLS` are judged; no further where its values
   * tell that nothing is seen. Throws `RecordDamaged`.
   */
  const find = (term: number, toRestrictions: ToRestrictions): readonly string[] => {
    const seen: string[] = [];
    const look = (id: unknown) => {
      const block = readBlock(Number(id));
      const { calls, newest, terms, ids, numbers } = block;
      for (const place of judgeCalls(calls, numbers, toRestrictions(newest)))
        if (terms[place] === term) seen.push(String(ids[place]));
      return block;
    };
    const { from_term: startTerm = 0n, from_id: startId = 0n } = selectStart.get(term) ?? {};
    const isShutOut = findShutOut(term, toRestrictions);
    let judged = 0;
    for (const { id } of listOn.iterate(startTerm, startId)) {
      const { calls, terms } = look(id);
      // Terms are integers.
      judged += calls - 1 - findLast(terms, term - 1);
      if (judged >= LEAST_CALLS && (isShutOut || (terms.at(-1) ?? 0) > term)) break;
    }
    for (const { id } of listBefore.iterate(startTerm, startId)) {
      if (judged >= LEAST_CALLS) break;
      judged += look(id).calls;
    }
    return seen;
  };

  return {
    prepareFinding: (identifier: Identifier) => {
      const toTerm = createNameTerm(database, identifier);
      return (name: string, toRestrictions: ToRestrictions) => find(toTerm(name), toRestrictions);
    },
  };
}
