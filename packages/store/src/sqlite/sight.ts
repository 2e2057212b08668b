// Somebody's sight of the calls that an identifier names (D21): their rights, judged by the numbers that calls carry in the
// indexes by identifier, so that what may not be seen is passed over without being read, and in a time that does not tell of it.
import type { DatabaseSync } from "node:sqlite";
import type { Visibility } from "../call-store.ts";
import { createDecoys } from "./decoys.ts";
import { createEyesFinder, type Eyes } from "./eyes.ts";
import { readNumbers } from "./restricted-values.ts";

/** Runs a look-up of calls with somebody's eyes: what `is_seen` says no to is not in what it gives. */
export type Look = <T extends readonly unknown[]>(visibility: Visibility, read: () => T) => T;

/** Gives statements of `database` the function `is_seen(restricted)`. */
export function createSight(database: DatabaseSync): Look {
  const findEyes = createEyesFinder(database);
  const known = new WeakMap<Visibility, Eyes>();
  let looking: Visibility = [];
  let eyes: Eyes = findEyes(looking);
  let judged = 0;

  const open = (visibility: Visibility): Eyes => {
    const found = findEyes(visibility);
    known.set(visibility, found);
    return found;
  };
  const isSeen = (restricted: unknown): boolean => {
    judged += 1;
    if (looking.length === 0) return true;
    const numbers = readNumbers(restricted);
    // Rights that are older than an import: the service reads them anew after each.
    if (numbers.some((number) => number > eyes.lastNumber)) eyes = open(looking);
    return numbers.reduce((met, number) => met | (eyes.met.get(number) ?? 0), 0) === eyes.all;
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
