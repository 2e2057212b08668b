// What somebody sees of crowds of more calls than every look-up judges: kept until a call of any crowd changes, so that only the first
// look-up of such a crowd takes longer for its size.
import type { DatabaseSync } from "node:sqlite";
import { createMemory } from "../pieces/memory.ts";
import type { Restriction, ToRestrictions } from "./block.ts";

/** Of one crowd, by the rights of one who looks. */
interface Recalled {
  /** The ids of the calls that are seen; undefined where nobody has looked. */
  readonly seen: readonly string[] | undefined;
  readonly keep: (seen: readonly string[]) => void;
}

const MAX_BYTES = 16 * 1024 ** 2;
/** An id, and what a list has around it. */
const BYTES_OF_AN_ID = 32;
const BYTES_OF_A_LIST = 128;

export function createSeenMemory(database: DatabaseSync) {
  // A block that changes gets an id that none had, and one that ends held calls that nobody finds any more.
  const selectLatest = database.prepare("SELECT max(id) AS id FROM crowd_block");
  const toNumber = createNumbering();
  let memory = createMemory<readonly string[]>(MAX_BYTES);
  let known: unknown;
  return (term: number, toRestrictions: ToRestrictions): Recalled => {
    // Before anything is read: what was read of later blocks is not taken for what these say.
    const latest = selectLatest.get()?.["id"];
    if (latest !== known) memory = createMemory(MAX_BYTES);
    known = latest;
    const key = `${toNumber(toRestrictions(0))} ${term}`;
    return {
      seen: memory.get(key),
      keep: (seen) => memory.set(key, seen, BYTES_OF_A_LIST + seen.length * BYTES_OF_AN_ID),
    };
  };
}

/** A number for each set of rights, for as long as it is there. */
function createNumbering(): (rights: readonly Restriction[]) => number {
  const numbers = new WeakMap<readonly Restriction[], number>();
  let last = 0;
  return (rights) => {
    const number = numbers.get(rights) ?? ++last;
    numbers.set(rights, number);
    return number;
  };
}
