// Prints a condition as text that parses to the same condition.
import type { Condition, Test } from "./condition.ts";

export function printCondition(condition: Condition): string {
  if ("any" in condition) return condition.any.map(printCondition).join(" || ");
  if ("all" in condition) return condition.all.map(printPart).join(" && ");
  return "not" in condition ? `!${printNegated(condition.not)}` : printTest(condition);
}

const printPart = (part: Condition): string =>
  "any" in part ? `(${printCondition(part)})` : printCondition(part);

const printNegated = (part: Condition): string =>
  "all" in part ? `(${printCondition(part)})` : printPart(part);

const printTest = ({ field, comparison, value }: Test): string =>
  `${field} ${comparison} ${typeof value === "number" ? printNumber(value) : JSON.stringify(value)}`;

/** Avoids exponents, which the language does not have. */
const printNumber = (value: number): string =>
  value.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 });
