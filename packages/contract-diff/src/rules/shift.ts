// How the values that a document allows change between versions, and what that means for a client.
import { deepEqual } from "fast-equals";
import type { Rating } from "../rating.ts";
import type { Direction } from "../parts.ts";

/** `wider`: more is allowed than before. `narrower`: less. `other`: some more and some less, or unknown. */
export type Shift = "same" | "wider" | "narrower" | "other";

/** The allowed values of a request may grow but not shrink. Those of a response may shrink but not grow. */
export function rateShift(shift: Shift, direction: Direction): Rating {
  if (shift === "same") return "none";
  const isSafe = shift === (direction === "request" ? "wider" : "narrower");
  return isSafe ? "additive" : "breaking";
}

/** Sets of allowed values; undefined allows all. */
export function shiftOfSets(
  before: readonly unknown[] | undefined,
  after: readonly unknown[] | undefined,
): Shift {
  if (before === undefined || after === undefined) return shiftOfPresence(before, after);
  const has = (list: readonly unknown[], value: unknown) =>
    list.some((item) => deepEqual(item, value));
  const isGained = after.some((value) => !has(before, value));
  const isLost = before.some((value) => !has(after, value));
  if (isGained) return isLost ? "other" : "wider";
  return isLost ? "narrower" : "same";
}

/** Sets of conditions, all of which must hold; undefined has none. */
export function shiftOfConditions(
  before: readonly unknown[] = [],
  after: readonly unknown[] = [],
): Shift {
  return shiftOfSets(after, before);
}

/** A bound; undefined does not bind. */
export function shiftOfBounds(kind: "least" | "greatest", before: unknown, after: unknown): Shift {
  if (typeof before !== "number" || typeof after !== "number")
    return shiftOfPresence(before, after);
  if (before === after) return "same";
  return after > before === (kind === "greatest") ? "wider" : "narrower";
}

/** A condition without an order, such as a pattern. Removing it allows more; changing it has an unknown effect. */
export function shiftOfPresence(before: unknown, after: unknown): Shift {
  if (deepEqual(before, after)) return "same";
  if (before === undefined) return "narrower";
  return after === undefined ? "wider" : "other";
}
