// Bounds of numbers, in their three notations: `minimum: 1`, `exclusiveMinimum: 0` and, in OpenAPI 3.0, `minimum: 0` with
// `exclusiveMinimum: true`.
import { toList, type JsonObject } from "../json.ts";
import { shiftOfBounds, type Shift } from "./shift.ts";

/** The lower or the upper bound. */
type End = "least" | "greatest";

interface Bound {
  readonly value: number;
  /** True if the bound is exclusive. */
  readonly isOpen: boolean;
}

const KEYWORDS = {
  least: ["minimum", "exclusiveMinimum"],
  greatest: ["maximum", "exclusiveMaximum"],
} as const;

/** True if a number is within a schema's bound at this end. */
export function isWithin(end: End, value: number, schema: JsonObject): boolean {
  const bound = toBound(end, schema);
  if (bound === undefined || value === bound.value) return bound?.isOpen !== true;
  return value > bound.value === (end === "least");
}

/** How the bound at this end moves. */
export function shiftOfNumbers(end: End, before: JsonObject, after: JsonObject): Shift {
  const [old, now] = [toBound(end, before), toBound(end, after)];
  if (old === undefined || now === undefined || old.value !== now.value)
    return shiftOfBounds(end, old?.value, now?.value);
  if (old.isOpen === now.isOpen) return "same";
  return old.isOpen ? "wider" : "narrower";
}

/** The stricter bound, if a schema has both. */
function toBound(end: End, schema: JsonObject): Bound | undefined {
  const [closed, open] = KEYWORDS[end].map((keyword) => schema[keyword]);
  if (typeof open !== "number")
    return typeof closed === "number"
      ? forIntegers(end, { value: closed, isOpen: open === true }, schema)
      : undefined;
  const isClosedStricter =
    typeof closed === "number" && closed !== open && closed > open === (end === "least");
  const bound = isClosedStricter ? { value: closed, isOpen: false } : { value: open, isOpen: true };
  return forIntegers(end, bound, schema);
}

/** For integers, more than 0 is the same as at least 1. */
function forIntegers(end: End, bound: Bound, { type }: JsonObject): Bound {
  const isInteger = toList(type).includes("integer") && !toList(type).includes("number");
  if (!isInteger) return bound;
  const { value, isOpen } = bound;
  if (end === "least")
    return { value: isOpen ? Math.floor(value) + 1 : Math.ceil(value), isOpen: false };
  return { value: isOpen ? Math.ceil(value) - 1 : Math.floor(value), isOpen: false };
}
