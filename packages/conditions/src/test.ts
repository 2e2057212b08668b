// The comparisons of which conditions are made.
import type { Condition } from "./condition.ts";

export const COMPARISONS = ["==", "!=", "<=", ">=", "<", ">", "~"] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** One comparison of a field with a value. */
export interface Test<Field extends string = string> {
  readonly field: Field;
  readonly comparison: Comparison;
  /** null asks whether there is nothing; a number is compared with values that are numbers. */
  readonly value: string | number | null;
}

/** All comparisons in it. */
export function listTests<Field extends string>(condition: Condition<Field>): Test<Field>[] {
  if ("all" in condition) return condition.all.flatMap(listTests);
  if ("any" in condition) return condition.any.flatMap(listTests);
  return "not" in condition ? listTests(condition.not) : [condition];
}

/** What was written in a call was said as well. */
export const readsChat = ({ field, comparison }: Test): boolean =>
  field === "transcript" && comparison === "~";
