// Looking for what somebody may see of a crowd, in a time that does not tell how many of its calls they may not, nor whether there
// is one.
import type { DatabaseSync } from "node:sqlite";
import { prepareBig } from "../files/connection.ts";
import type { Identifier } from "../identifiers.ts";
import { findLast } from "../pieces/layout.ts";
import { type Calls, judgeCalls, type Rights } from "./block.ts";
import { createBlockReader, keepBlocks } from "./crowd-blocks.ts";
import { LEAST_CALLS } from "./large-crowds.ts";
import { createNameTerm } from "./members.ts";
import { createSeenMemory } from "./seen-memory.ts";

/** So many blocks are looked into, as each takes its time: 256 calls lie in at most 4, but where a purge left few in one. */
const LEAST_BLOCKS = 4;

const toList = (where: string) =>
  `SELECT id FROM crowd_block WHERE (from_term, from_id) ${where} ORDER BY from_term, from_id`;

/** Of the crowds of an archive, whichever identifier they have. */
export function createCrowdSight(database: DatabaseSync) {
  const readBlock = keepBlocks(createBlockReader(database));
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
   * where the crowd begins, or would, in `LEAST_BLOCKS`; what is seen of further ones is known. Throws `RecordDamaged`.
   */
  const find = (term: number, rights: Rights): readonly string[] => {
    const seen = recall(term, rights).map(String);
    let [judged, blocks] = [0, 0];
    const isEnough = () => judged >= LEAST_CALLS && blocks >= LEAST_BLOCKS;
    const judge = (block: Calls, from: number) => {
      const until = Math.min(block.calls, from + LEAST_CALLS - judged);
      judged += until - from;
      blocks += 1;
      const { newest, terms, ids } = block;
      for (const place of judgeCalls(block, { from, until }, rights.toRestrictions(newest)))
        if (terms[place] === term) seen.push(String(ids[place]));
    };
    const { from_term: startTerm = 0n, from_id: startId = 0n } = selectStart.get(term) ?? {};
    for (const { id } of listOn.iterate(startTerm, startId)) {
      const block = readBlock(Number(id));
      // Terms are integers.
      judge(block, findLast(block.terms, term - 1) + 1);
      if (isEnough()) break;
    }
    for (const { id } of listBefore.iterate(startTerm, startId)) {
      if (isEnough()) break;
      judge(readBlock(Number(id)), 0);
    }
    return seen;
  };

  return {
    prepareFinding: (identifier: Identifier) => {
      const toTerm = createNameTerm(database, identifier);
      return (name: string, rights: Rights) => find(toTerm(name), rights);
    },
  };
}
