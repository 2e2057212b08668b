// Looking for what somebody may see of a crowd, in a time that does not tell how many of its calls they may not, nor whether there
// is one.
import type { DatabaseSync } from "node:sqlite";
import { prepareBig } from "../files/connection.ts";
import type { Identifier } from "../identifiers.ts";
import type { Stretch } from "../pieces/bits.ts";
import { findLast } from "../pieces/layout.ts";
import { type Calls, judgeCalls, type ToRestrictions } from "./block.ts";
import { createBlockReader } from "./crowd-blocks.ts";
import { createShutOutFinder } from "./crowd-values.ts";
import { createNameTerm } from "./members.ts";
import { createSeenMemory } from "./seen-memory.ts";

/**
 * So many calls are judged, whosever they are; fewer where all crowds together have fewer, more of a crowd that has more. With four
 * times as many, the first ones of a crowd of hundreds would be in fewer caches than what lies beside most names: 3 us that tell.
 */
export const LEAST_CALLS = 256;

/** So many blocks are looked into, as each takes its time: 256 calls lie in at most 4, but where a purge left few in one. */
const LEAST_BLOCKS = 4;

const toList = (where: string) =>
  `SELECT id FROM crowd_block WHERE (from_term, from_id) ${where} ORDER BY from_term, from_id`;

/** Of the crowds of an archive, whichever identifier they have. */
export function createCrowdSight(database: DatabaseSync) {
  const readBlock = createBlockReader(database);
  const findShutOut = createShutOutFinder(database);
  const recall = createSeenMemory(database);
  // The block in which calls of the term would begin.
  const selectStart = prepareBig(
    database,
    `SELECT from_term, from_id FROM crowd_block WHERE from_term < ?
     ORDER BY from_term DESC, from_id DESC LIMIT 1`,
  );
  const listOn = database.prepare(toList(">= (?, ?)"));
  const listBefore = database.prepare(toList("< (?, ?)"));

  /**
   * Gives the ids of those calls of a crowd that are seen; none where there is no crowd of that term. It judges `LEAST_CALLS` from
   * where the crowd begins, or would, in `LEAST_BLOCKS`, and all of a larger crowd, but where its values tell that nothing of it
   * is seen, or where somebody with these rights has looked since a call of a crowd changed. Throws `RecordDamaged`.
   */
  const find = (term: number, toRestrictions: ToRestrictions): readonly string[] => {
    const memory = recall(term, toRestrictions);
    const isShutOut = findShutOut(term, toRestrictions);
    const isSettled = isShutOut || memory.seen !== undefined;
    const seen: string[] = [];
    let [judged, blocks] = [0, 0];
    const isEnough = () => judged >= LEAST_CALLS && blocks >= LEAST_BLOCKS;
    // A stretch, and more of its block until enough are judged.
    const judge = (block: Calls, { from, until: end }: Stretch) => {
      const until = Math.min(block.calls, Math.max(from + LEAST_CALLS - judged, end));
      judged += until - from;
      blocks += 1;
      const { newest, terms, ids } = block;
      for (const place of judgeCalls(block, { from, until }, toRestrictions(newest)))
        if (terms[place] === term) seen.push(String(ids[place]));
    };
    const { from_term: startTerm = 0n, from_id: startId = 0n } = selectStart.get(term) ?? {};
    for (const { id } of listOn.iterate(startTerm, startId)) {
      const block = readBlock(Number(id));
      // Terms are integers.
      const from = findLast(block.terms, term - 1) + 1;
      const end = findLast(block.terms, term) + 1;
      judge(block, { from, until: isSettled ? from : end });
      if (isEnough() && (isSettled || end < block.calls)) break;
    }
    for (const { id } of listBefore.iterate(startTerm, startId)) {
      if (isEnough()) break;
      judge(readBlock(Number(id)), { from: 0, until: 0 });
    }
    if (judged > LEAST_CALLS) memory.keep(seen);
    return memory.seen ?? seen;
  };

  return {
    prepareFinding: (identifier: Identifier) => {
      const toTerm = createNameTerm(database, identifier);
      return (name: string, toRestrictions: ToRestrictions) => find(toTerm(name), toRestrictions);
    },
  };
}
