// Somebody's eyes on the calls that an identifier names (D21): their rights, judged by the numbers that calls carry in the
// indexes by identifier, so that what may not be seen is passed over without being read, and in a time that does not tell of it.
import type { DatabaseSync } from "node:sqlite";
import type { Visibility } from "../call-store.ts";
import { createDecoys } from "./decoys.ts";
import { createNumberFinder, readNumbers } from "./restricted-values.ts";

/** Rights as numbers of restricted values. Each restriction is a bit. */
interface Eyes {
  /** Which restrictions a number meets; those that meet none are left out. */
  readonly met: ReadonlyMap<number, number>;
  readonly all: number;
  /** The last number that was given when they were read. */
  readonly lastNumber: number;
}

/** Runs a look-up of calls with somebody's eyes: what `is_seen` says no to is not in what it gives. */
export type Look = <T extends readonly unknown[]>(visibility: Visibility, read: () => T) => T;

/** Gives statements of `database` the function `is_seen(restricted)`. */
export function createSight(database: DatabaseSync): Look {
  const openEyes = createEyesReader(database);
  const known = new WeakMap<Visibility, Eyes>();
  let looking: Visibility = [];
  let eyes: Eyes = openEyes(looking);
  let judged = 0;

  const isSeen = (restricted: unknown): boolean => {
    judged += 1;
    if (looking.length === 0) return true;
    const numbers = readNumbers(restricted);
    // Rights that are older than an import: the service reads them anew after each.
    if (numbers.some((number) => number > eyes.lastNumber)) eyes = open(looking);
    return numbers.reduce((met, number) => met | (eyes.met.get(number) ?? 0), 0) === eyes.all;
  };
  // All values at once: one that is judged when it is first met would tell of the call that has it.
  const open = (visibility: Visibility): Eyes => {
    const opened = openEyes(visibility);
    known.set(visibility, opened);
    return opened;
  };
  database.function("is_seen", (restricted) => (isSeen(restricted) ? 1 : 0));
  const judgeDecoys = createDecoys(database);

  return (visibility, read) => {
    [looking, judged] = [visibility, 0];
    eyes = known.get(visibility) ?? open(visibility);
    const found = read();
    if (found.length === 0 && visibility.length > 0) judgeDecoys(judged);
    return found;
  };
}

// Bits of a number; D21 has ten restrictions.
const MAX_RESTRICTIONS = 31;

function createEyesReader(database: DatabaseSync): (visibility: Visibility) => Eyes {
  const find = createNumberFinder(database);
  const selectLast = database.prepare("SELECT max(id) AS last FROM restricted_value");
  return (visibility) => {
    if (visibility.length > MAX_RESTRICTIONS)
      throw new RangeError(`rights restrict more than ${MAX_RESTRICTIONS} fields`);
    const lastNumber = Number(selectLast.get()?.["last"]);
    const met = new Map<number, number>();
    for (const [index, { field, allowed }] of visibility.entries())
      for (const key of allowed) {
        const number = find(field, key);
        if (number !== undefined) met.set(number, (met.get(number) ?? 0) | (1 << index));
      }
    return { met, all: 2 ** visibility.length - 1, lastNumber };
  };
}
