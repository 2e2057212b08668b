// The comparisons that stand in a condition.
import type { Condition } from "./condition.ts";
import type { Test } from "./test.ts";

/** All comparisons in it. */
export function listTests<Field extends string>(condition: Condition<Field>): Test<Field>[] {
  if ("all" in condition) return condition.all.flatMap(listTests);
  if ("any" in condition) return condition.any.flatMap(listTests);
  return "not" in condition ? listTests(condition.not) : [condition];
}
