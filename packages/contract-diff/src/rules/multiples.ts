// The rule on `multipleOf`.
import type { JsonObject } from "../json.ts";
import { shiftOfPresence, type Shift } from "./shift.ts";

/**
 * True if a number is a multiple of another in decimal notation. In binary, 0.07 / 0.01 is 7.000000000000001: each number and the quotient
 * have an error of up to half a unit in the last place.
 */
export function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Math.abs(quotient - Math.round(quotient)) <= 2 * Number.EPSILON * Math.abs(quotient);
}

export function shiftOfMultiples(before: JsonObject, after: JsonObject): Shift {
  const [old, now] = [before, after].map(({ type, multipleOf }) =>
    // Every integer is a multiple of 1.
    type === "integer" && multipleOf === 1 ? undefined : multipleOf,
  );
  if (typeof old !== "number" || typeof now !== "number" || old === now)
    return shiftOfPresence(old, now);
  if (isMultiple(now, old)) return "narrower";
  return isMultiple(old, now) ? "wider" : "other";
}
