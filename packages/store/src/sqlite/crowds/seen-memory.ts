// What somebody sees of large crowds, beyond the calls that every look-up judges. It is found out for all of them at once, by the first
// look-up with these rights and the first since blocks changed, whatever they ask for: so their time tells of no identifier.
import type { DatabaseSync } from "node:sqlite";
import { RecordDamaged } from "../../call-store.ts";
import { prepareRows } from "../files/connection.ts";
import { findLast } from "../pieces/layout.ts";
import { createMemory } from "../pieces/memory.ts";
import { judgeCalls, type Rights } from "./block.ts";
import { createBlockReader, keepBlocks } from "./crowd-blocks.ts";
import { LARGE_BLOCKS, type LargeBlock } from "./large-crowds.ts";

/** The ids of those calls of a block that are seen. One that is damaged is a fault of its own crowd alone. */
type Ids = BigInt64Array | RecordDamaged;

interface Seen {
  /** The last block that there was. */
  readonly latest: unknown;
  /** Of each block that begins with a call of a large crowd, those of this crowd. */
  readonly byBlock: ReadonlyMap<number, Ids>;
  /** The same, without the blocks of which nothing is seen. */
  readonly byTerm: ReadonlyMap<number, readonly Ids[]>;
}

const MAX_BYTES = 64 * 1024 ** 2;
/** What maps and an array have around the ids: an estimate. */
const BYTES_OF_A_BLOCK = 64;
const BYTES_OF_IDS = 128;

const NOTHING: Seen = { latest: undefined, byBlock: new Map(), byTerm: new Map() };
const NONE = new BigInt64Array();

/**
 * Makes a function that gives the ids of the seen calls of a large crowd, by its term; it throws `RecordDamaged`. To be called
 * within `readAtOnce`.
 */
export function createSeenMemory(database: DatabaseSync) {
  // A block that changes gets an id that none had, and one that ends held calls that nobody finds any more.
  const selectLatest = database.prepare("SELECT max(id) AS id FROM crowd_block");
  const listLarge = prepareRows<LargeBlock>(database, LARGE_BLOCKS);
  const judgeBlock = createBlockJudge(database);
  const known = createMemory<Seen>(MAX_BYTES);

  const look = (rights: Rights, latest: unknown, before: Seen): Seen => {
    const byBlock = new Map<number, Ids>();
    const byTerm = new Map<number, Ids[]>();
    for (const { id, term } of listLarge.iterate()) {
      const ids = before.byBlock.get(id) ?? judgeBlock(id, term, rights);
      byBlock.set(id, ids);
      if (ids === NONE) continue;
      const others = byTerm.get(term);
      if (others === undefined) byTerm.set(term, [ids]);
      else others.push(ids);
    }
    return { latest, byBlock, byTerm };
  };
  const bringUpToDate = (rights: Rights): Seen => {
    const latest = selectLatest.get()?.["id"];
    const before = known.get(rights.name) ?? NOTHING;
    if (before.latest === latest) return before;
    const seen = look(rights, latest, before);
    known.set(rights.name, seen, countBytes(seen));
    return seen;
  };

  return (term: number, rights: Rights): readonly bigint[] => {
    const ids = bringUpToDate(rights).byTerm.get(term) ?? [];
    return ids.flatMap((ofBlock) => {
      if (ofBlock instanceof RecordDamaged) throw ofBlock;
      return [...ofBlock];
    });
  };
}

/** Judges the calls of a term with which a block begins. */
function createBlockJudge(database: DatabaseSync) {
  // Apart from those that look-ups keep: which of these were read last would tell.
  const readBlock = keepBlocks(createBlockReader(database));
  return (id: number, term: number, { toRestrictions }: Rights): Ids => {
    try {
      const block = readBlock(id);
      const until = findLast(block.terms, term) + 1;
      const places = judgeCalls(block, { from: 0, until }, toRestrictions(block.newest));
      if (places.length === 0) return NONE;
      return BigInt64Array.from(places, (place) => block.ids[place] ?? 0n);
    } catch (error) {
      if (error instanceof RecordDamaged) return error;
      throw error;
    }
  };
}

function countBytes({ byBlock, byTerm }: Seen): number {
  const bytes = [...byTerm.values()]
    .flat()
    .map((ids) => BYTES_OF_IDS + (ids instanceof RecordDamaged ? 0 : ids.byteLength));
  return bytes.reduce((sum, more) => sum + more, byBlock.size * BYTES_OF_A_BLOCK);
}
