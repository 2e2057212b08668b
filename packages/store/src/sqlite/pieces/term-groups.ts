// Brings together the places of each term of a new piece. It is what an import spends most on, so numbers stay in typed
// arrays: a Map with as many terms takes four times as long.
import type { Run } from "./layout.ts";

export interface TermGroups {
  add(term: number, place: number): void;
  /** Gives every term in order, with its places in the order in which they were added; afterwards, come what may, there are none. */
  take(give: (term: number, run: Run) => void): void;
}

const FIRST_SLOTS = 2 ** 12;
const NONE = -1;

export function createTermGroups(): TermGroups {
  // Terms in an open-addressed table, each with the number of its places; and all pairs of a slot and a place, as they came.
  let table = createTable(FIRST_SLOTS);
  let pairs = {
    slots: new Int32Array(FIRST_SLOTS),
    places: new Uint16Array(FIRST_SLOTS),
    count: 0,
  };

  return {
    add: (term, place) => {
      if (table.terms * 2 > table.keys.length) [table, pairs.slots] = grow(table, pairs);
      if (pairs.count === pairs.places.length) pairs = lengthen(pairs);
      const slot = findSlot(table.keys, term);
      if (table.keys[slot] === NONE) {
        table.keys[slot] = term;
        table.terms += 1;
      }
      table.counts[slot] = (table.counts[slot] ?? 0) + 1;
      pairs.slots[pairs.count] = slot;
      pairs.places[pairs.count] = place;
      pairs.count += 1;
    },
    take: (give) => {
      try {
        giveTerms(table, pairs, give);
      } finally {
        table.keys.fill(NONE);
        table.counts.fill(0);
        table.terms = 0;
        pairs.count = 0;
      }
    },
  };
}

function giveTerms(
  { keys, counts }: Table,
  pairs: Pairs,
  give: (term: number, run: Run) => void,
): void {
  const terms = keys.filter((key) => key !== NONE).toSorted();
  const starts = new Int32Array(keys.length);
  let at = 0;
  for (const term of terms) {
    const slot = findSlot(keys, term);
    starts[slot] = at;
    at += counts[slot] ?? 0;
  }
  const places = sortPairs(pairs, starts);
  for (const term of terms) {
    // `starts` has become the ends.
    const slot = findSlot(keys, term);
    const end = starts[slot] ?? 0;
    give(term, { places, from: end - (counts[slot] ?? 0), until: end });
  }
}

interface Table {
  /** Of a slot: its term, or `NONE`. */
  readonly keys: Float64Array;
  readonly counts: Int32Array;
  terms: number;
}

interface Pairs {
  readonly slots: Int32Array;
  readonly places: Uint16Array;
  readonly count: number;
}

function createTable(slots: number): Table {
  return {
    keys: new Float64Array(slots).fill(NONE),
    counts: new Int32Array(slots),
    terms: 0,
  };
}

// Terms are evenly distributed in all their bits; the lowest 20 and those above them in one number spread them well.
function findSlot(keys: Float64Array, term: number): number {
  const mask = keys.length - 1;
  let slot = (term ^ (term / 2 ** 32)) & mask;
  while (keys[slot] !== term && keys[slot] !== NONE) slot = (slot + 1) & mask;
  return slot;
}

function grow(table: Table, { slots, count }: Pairs): [Table, Int32Array<ArrayBuffer>] {
  const larger = createTable(table.keys.length * 4);
  larger.terms = table.terms;
  const moved = new Int32Array(table.keys.length);
  for (const [slot, term] of table.keys.entries()) {
    if (term === NONE) continue;
    const other = findSlot(larger.keys, term);
    larger.keys[other] = term;
    larger.counts[other] = table.counts[slot] ?? 0;
    moved[slot] = other;
  }
  const movedSlots = new Int32Array(slots.length);
  for (let pair = 0; pair < count; pair += 1) movedSlots[pair] = moved[slots[pair] ?? 0] ?? 0;
  return [larger, movedSlots];
}

function lengthen({ slots, places, count }: Pairs) {
  const longer = {
    slots: new Int32Array(slots.length * 2),
    places: new Uint16Array(places.length * 2),
    count,
  };
  longer.slots.set(slots);
  longer.places.set(places);
  return longer;
}

/** The places of all pairs by slot; moves each start to its end. */
function sortPairs({ slots, places, count }: Pairs, starts: Int32Array): Uint16Array {
  const sorted = new Uint16Array(count);
  for (let pair = 0; pair < count; pair += 1) {
    const slot = slots[pair] ?? 0;
    const at = starts[slot] ?? 0;
    sorted[at] = places[pair] ?? 0;
    starts[slot] = at + 1;
  }
  return sorted;
}
