// Somebody's rights as the numbers of restricted values, which calls carry: looked up once, until there are new numbers.
import type { DatabaseSync } from "node:sqlite";
import type { Visibility } from "../../call-store.ts";
import { RESTRICTED_FIELDS } from "../../visibility.ts";
import type { Restriction } from "../crowds/block.ts";
import { prepareBig } from "../files/connection.ts";
import { addPlace, createBits } from "../pieces/bits.ts";
import { createMemory } from "../pieces/memory.ts";
import { createNumberFinder } from "../restricted-values.ts";

/** Each restriction is a bit. */
export interface Eyes {
  /** As JSON: the same for the same rights. */
  readonly rights: string;
  /** Which restrictions a number meets; those that meet none are left out. */
  readonly met: ReadonlyMap<number, number>;
  readonly all: number;
  /** The same, for blocks of crowds. */
  readonly restrictions: readonly Restriction[];
  /** The last number that was given when they were looked up. */
  readonly lastNumber: number;
}

// Bits of a number in `met`; D21 has ten restrictions.
const MAX_RESTRICTIONS = 31;

// No archive has as many values; the last number of a damaged one may be any.
const MAX_NUMBER = 2 ** 27;

// Of the rights, as JSON and as bits: an estimate of what is kept. Ten thousand values take tens of milliseconds to look up.
const MAX_BYTES = 32 * 1024 ** 2;

/**
 * All values of the rights are looked up at once, also those that no call to be judged has: one that is looked up when it is
 * first met would tell of the call that has it. Throws `RangeError` for more than 31 restrictions.
 */
export function createEyesFinder(database: DatabaseSync): (visibility: Visibility) => Eyes {
  const findNumber = createNumberFinder(database);
  // Of a damaged archive it may be no safe integer.
  const selectLast = prepareBig(database, "SELECT max(id) AS last FROM restricted_value");
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
    const restrictions = visibility.map(({ field, allowed }, index) => {
      const bits = createBits(Math.max(0, Math.min(lastNumber, MAX_NUMBER)) + 1);
      for (const key of allowed) {
        const number = findNumber(field, key);
        if (number === undefined) continue;
        met.set(number, (met.get(number) ?? 0) | (1 << index));
        addPlace(bits, number);
      }
      return { field: RESTRICTED_FIELDS.indexOf(field), allowed: bits };
    });
    const eyes = { rights, met, all: 2 ** visibility.length - 1, restrictions, lastNumber };
    const bytes = restrictions.reduce((sum, { allowed }) => sum + allowed.byteLength, 0);
    known.set(rights, eyes, rights.length + bytes);
    return eyes;
  };
}

/** What somebody's eyes found in a list of calls. */
interface Judged {
  readonly calls: number;
  /** Where the digits of those begin that are seen. */
  readonly seen: readonly number[];
  /** Whether a call has a number that is newer than the eyes. */
  readonly isOutdated: boolean;
}

/**
 * Judges a list of calls: of each a byte of 0, which is in no number, its numbers as restricted-values.ts writes them, another
 * byte of 0, a digit that says whether it is one that is looked for, and its id in digits. A call takes as long whether it is
 * seen or not. One loop without iterators or functions, which would take twice as long.
 */
export function judge(list: Uint8Array, { met, all, lastNumber }: Eyes): Judged {
  const seen: number[] = [];
  let [calls, newest] = [0, 0];
  for (let index = 0; index < list.length;) {
    let [number, unit, metByCall] = [0, 1, 0];
    for (let byte; (byte = list[++index] ?? 0) > 0;) {
      number += (byte & 0x7f) * unit;
      unit *= 0x80;
      if (byte >= 0x80) continue;
      metByCall |= met.get(number) ?? 0;
      if (number > newest) newest = number;
      number = 0;
      unit = 1;
    }
    index += 1;
    if (metByCall === all) seen.push(index);
    calls += 1;
    while ((list[index] ?? 0) > 0) index += 1;
  }
  return { calls, seen, isOutdated: newest > lastNumber };
}

const ONE = 0x31;

/** Whether the call whose digits begin there is one that is looked for. */
export function isOne(list: Uint8Array, start: number): boolean {
  return list[start] === ONE;
}

/** The id of the call whose digits begin there. */
export function readId(list: Uint8Array, start: number): string {
  let id = "";
  // Of few digits this is quicker than to decode them at once, the more so when it is seldom done.
  for (let index = start + 1; (list[index] ?? 0) > 0; index += 1)
    id += String.fromCharCode(list[index] ?? 0);
  return id;
}
