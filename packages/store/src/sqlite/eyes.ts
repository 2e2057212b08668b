// Somebody's rights as the numbers of restricted values, which calls carry: looked up once, until there are new numbers.
import type { DatabaseSync } from "node:sqlite";
import type { Visibility } from "../call-store.ts";
import { createMemory } from "./pieces/memory.ts";
import { createNumberFinder } from "./restricted-values.ts";

/** Each restriction is a bit. */
export interface Eyes {
  /** Which restrictions a number meets; those that meet none are left out. */
  readonly met: ReadonlyMap<number, number>;
  readonly all: number;
  /** The last number that was given when they were looked up. */
  readonly lastNumber: number;
}

// Bits of a number; D21 has ten restrictions.
const MAX_RESTRICTIONS = 31;

// Of the rights, as JSON: an estimate of what is kept. Ten thousand values take tens of milliseconds to look up.
const MAX_BYTES = 32 * 1024 ** 2;

/**
 * All values of the rights are looked up at once, also those that no call to be judged has: one that is looked up when it is
 * first met would tell of the call that has it. Throws `RangeError` for more than 31 restrictions.
 */
export function createEyesFinder(database: DatabaseSync): (visibility: Visibility) => Eyes {
  const findNumber = createNumberFinder(database);
  const selectLast = database.prepare("SELECT max(id) AS last FROM restricted_value");
  // By what they say: the service makes the rights of its users anew after each transaction of an import.
  const known = createMemory<Eyes>(MAX_BYTES);

  return (visibility) => {
    if (visibility.length > MAX_RESTRICTIONS)
      throw new RangeError(`rights restrict more than ${MAX_RESTRICTIONS} fields`);
    const lastNumber = Number(selectLast.get()?.["last"]);
    const rights = JSON.stringify(visibility);
    const kept = known.get(rights);
    if (kept?.lastNumber === lastNumber) return kept;
    const met = new Map<number, number>();
    for (const [index, { field, allowed }] of visibility.entries())
      for (const key of allowed) {
        const number = findNumber(field, key);
        if (number !== undefined) met.set(number, (met.get(number) ?? 0) | (1 << index));
      }
    const eyes = { met, all: 2 ** visibility.length - 1, lastNumber };
    known.set(rights, eyes, rights.length);
    return eyes;
  };
}
