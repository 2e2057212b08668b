// Looking for what somebody may see of a crowd, in a time that does not tell how many of its calls they may not.
import type { DatabaseSync } from "node:sqlite";
import type { Identifier } from "../identifiers.ts";
import {
  type Block,
  judgeCalls,
  MAX_CALLS,
  readIds,
  readNumbers,
  type Restriction,
  toBlock,
} from "./block.ts";

/** The restrictions by numbers, those up to `newest` among them. */
export type ToRestrictions = (newest: number) => readonly Restriction[];

// Of a block that every archive has, with a call that nobody made.
const NOBODYS_KIND = "nobody's";

/** Calls that nobody made. */
const NOBODYS = toBlock(Array.from({ length: MAX_CALLS }, () => ({ id: 0n, numbers: [] })));

/**
 * Gives the ids of those calls of a crowd that are seen; none where there is no crowd of that name. A block at least is read, and
 * `MAX_CALLS` calls at least are judged, whatever there is. Throws `RecordDamaged`.
 */
export function createCrowdSight(database: DatabaseSync, kind: Identifier["kind"]) {
  const select = database.prepare(
    "SELECT calls, newest, numbers, ids FROM crowd WHERE kind = ? AND name = ?",
  );
  return (name: string, toRestrictions: ToRestrictions): string[] => {
    const blocks = select.all(kind, name) as unknown as Block[]; // the columns that are selected
    select.all(blocks.length === 0 ? NOBODYS_KIND : "", "");
    const newest = blocks.reduce((greatest, block) => Math.max(greatest, block.newest), 0);
    const restrictions = toRestrictions(newest);
    const lacking = MAX_CALLS - blocks.reduce((sum, { calls }) => sum + calls, 0);
    if (lacking > 0) findSeen(toCopy(NOBODYS, lacking), restrictions);
    return blocks.flatMap((block) => findSeen(block, restrictions));
  };
}

function findSeen(block: Block, restrictions: readonly Restriction[]): string[] {
  const ids = readIds(block);
  return judgeCalls(block.calls, readNumbers(block), restrictions).map((place) =>
    String(ids[place]),
  );
}

/** Its first calls, copied twice as SQLite and Node.js copy those of a block that is read. */
function toCopy({ calls, newest, numbers, ids }: Block, count: number): Block {
  const copyTwice = (bytes: Uint8Array) => bytes.slice(0, (bytes.length / calls) * count).slice();
  return { calls: count, newest, numbers: copyTwice(numbers), ids: copyTwice(ids) };
}
