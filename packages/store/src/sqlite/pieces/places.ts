// What sets of places have in common, and which are in it. A list stays a list: to look up the few places of a rare value in the
// bits of another takes a fraction of what to go through all of these does.
import {
  type Bits,
  bitsDown,
  countBits,
  createBits,
  hasPlace,
  keepBoth,
  removeBits,
} from "./bits.ts";
import { findLast, type Places, toBits } from "./layout.ts";

type List = Uint16Array;

interface Within {
  readonly calls: number;
  readonly removed: Bits | undefined;
}

/** The places that are in each of the sets and not in `removed`, of as many as there are `calls`. Not to be changed. */
export function intersect(sets: readonly Places[], { calls, removed }: Within): Places {
  const bits = sets.filter((places) => places instanceof Uint32Array);
  const [shortest, ...lists] = sets
    .filter((places) => places instanceof Uint16Array)
    .toSorted((a, b) => a.length - b.length);
  if (shortest === undefined) return intersectBits(bits, { calls, removed });
  let common = removed === undefined ? shortest : pick(shortest, removed, false);
  for (const other of bits) common = pick(common, other, true);
  for (const other of lists) common = pick(common, toBits(other, calls), true);
  return common;
}

function intersectBits([first, ...others]: readonly Bits[], { calls, removed }: Within): Bits {
  if (first !== undefined && others.length === 0 && removed === undefined) return first;
  const common = first?.slice() ?? createBits(calls).fill(0xffff_ffff);
  for (const other of others) keepBoth(common, other);
  if (removed !== undefined) removeBits(common, removed);
  return common;
}

/** What of the list is in the bits, or what is not. */
function pick(list: List, bits: Bits, isWanted: boolean): List {
  const picked = new Uint16Array(list.length);
  let count = 0;
  for (const place of list) {
    picked[count] = place; // the next one takes its place if it is not wanted: quicker than to branch
    count += Number(hasPlace(bits, place) === isWanted);
  }
  return picked.subarray(0, count);
}

interface Stretch {
  readonly from: number;
  readonly until: number;
}

/** How many there are from `from` up to `until`, without it. */
export function countPlaces(places: Places, { from, until }: Stretch): number {
  if (places instanceof Uint32Array) return countBits(places, from, until);
  return findLast(places, until - 1) - findLast(places, from - 1);
}

/** The places from `from` up to `until`, the greatest first, without the first `skipped` of them. */
export function* placesDown(places: Places, stretch: Stretch, skipped: number): Generator<number> {
  if (places instanceof Uint32Array) {
    yield* bitsDown(places, stretch, skipped);
    return;
  }
  const first = findLast(places, stretch.from - 1);
  for (let at = findLast(places, stretch.until - 1) - skipped; at > first; at -= 1)
    yield places[at] ?? 0;
}
