// The row id of a call: its instant and its import order in one 64-bit integer. So the table, the search index and
// every page have the order of D09 without sorting. Upper 44 bits: milliseconds since 1970. Lower 20: import order
// among equal instants, counted down, because pages read from the largest id to the smallest.

const SEQUENCE_BITS = 20n;
const LAST_SEQUENCE = (1n << SEQUENCE_BITS) - 1n;

/** The last order number within an instant, counted from 0. */
export const MAX_ORDER = Number(LAST_SEQUENCE);

/** Calls without a datetime have ids below every dated one, counted down from here: they are not in any date range. */
export const FIRST_DATED_ID = -(1n << 62n);
export const LAST_UNDATED_ID = FIRST_DATED_ID - 1n;

// The range of instants that the upper bits can hold. The days of a search may be outside of it, but calls are not.
const FIRST_INSTANT_MS = Number(FIRST_DATED_ID >> SEQUENCE_BITS);
const LAST_INSTANT_MS = 2 ** 43 - 1;

/** The smallest id a call at `instantMs` can have; one instant holds 1,048,576 calls. */
export function toFirstId(instantMs: number): bigint {
  return BigInt(Math.min(Math.max(instantMs, FIRST_INSTANT_MS), LAST_INSTANT_MS)) << SEQUENCE_BITS;
}

/** The id that the first call imported at `instantMs` gets. */
export function toLastId(instantMs: number): bigint {
  return toFirstId(instantMs) | LAST_SEQUENCE;
}

/** The id of a call from its instant, in ms, and its order within that instant, from 0. */
export function toId(instantMs: number | undefined, order: number): bigint {
  return (instantMs === undefined ? LAST_UNDATED_ID : toLastId(instantMs)) - BigInt(order);
}

/** The order of the call with that id within its instant, from 0. */
export function toOrder(id: bigint): number {
  return Number(toLastOfMoment(id) - id);
}

/** The largest id of a call with the same instant, or without a datetime. */
export function toLastOfMoment(id: bigint): bigint {
  const instantMs = toInstantMs(id);
  return instantMs === undefined ? LAST_UNDATED_ID : toLastId(instantMs);
}

/** The instant of the call with that id; undefined for a call without a datetime. */
export function toInstantMs(id: bigint): number | undefined {
  return id < FIRST_DATED_ID ? undefined : Number(id >> SEQUENCE_BITS);
}
