// How a search is said in words: its days, its filters and its conditions.
import { type Condition, printCondition, type Test } from "@call-media/conditions";
import type { Days } from "../days.ts";
import { type Field, isFreeField, NUMBERS } from "../fields.ts";
import type { Column } from "../route.ts";
import { text } from "../text/text.ts";
import { showDay, showSeconds } from "../time.ts";

export function nameDays(days: Days): string {
  const t = text.value;
  if (days === "all") return t.allDays;
  if (typeof days === "string") return t.periods[days];
  if ("last" in days) return t.lastDays(days.last);
  return days.from === days.to ? showDay(days.from) : `${showDay(days.from)} – ${showDay(days.to)}`;
}

export const nameColumn = (column: Column): string =>
  column === "customer" ? text.value.customer : text.value.fields[column];

/** One with brackets or "or" as it is written. */
export const nameCondition = (condition: Condition<Field>): string =>
  "comparison" in condition
    ? `${nameColumn(condition.field)} ${nameTest(condition)}`
    : printCondition(condition);

/** The comparison without its field. */
export function nameTest({ field, comparison, value }: Test<Field>): string {
  const t = text.value;
  if (value === null) return comparison === "==" ? t.nothingIn : t.somethingIn;
  return `${t.comparisons[comparison]} ${nameValue(field, value)}`;
}

/** Seconds as minutes and seconds. */
export const nameValue = (field: Field, value: string | number): string =>
  NUMBERS.has(field) ? showSeconds(Number(value)) : String(value);

/** The name of a field in the contract, where people would not find it by its label. */
export const hintOf = (column: Column): string | undefined =>
  column === "customer" || isFreeField(column) ? undefined : column;
