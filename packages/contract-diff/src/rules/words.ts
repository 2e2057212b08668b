// The words for which way a change goes.
import type { Direction } from "../parts.ts";
import type { Shift } from "./shift.ts";

/** Of a part that is now needed, or is so no more. */
export function tellNeed(direction: Direction, isNeeded: boolean): string {
  if (direction === "request") return isNeeded ? "it must be sent now" : "it need not be sent now";
  return isNeeded ? "it is always there now" : "it may be missing now";
}

/** Of a keyword that now allows other values. */
export function tellShift(keyword: string, shift: Shift, direction: Direction): string {
  const how = { narrower: "fewer", wider: "more", other: "other", same: "the same" } as const;
  if (keyword !== "required") return `${keyword} allows ${how[shift]} values`;
  // More required fields allow fewer values.
  const fields = { ...how, narrower: "more", wider: "fewer" }[shift];
  return `${fields} fields ${direction === "request" ? "must be sent" : "are always there"}`;
}

// What is longer is looked up at its place.
const SHOWN_CHARACTERS = 60;

/** Both values in brackets; nothing where that is too long, or both are missing. */
export function tellValues(before: unknown, after: unknown): string {
  const [old, now] = [before, after].map((value) =>
    value === undefined ? "nothing" : JSON.stringify(value),
  );
  const text = `(${old} -> ${now})`;
  return old === now || text.length > SHOWN_CHARACTERS ? "" : text;
}
