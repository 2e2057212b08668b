// Describes a search as text: its days, filters and conditions.
import { type Condition, printCondition, type Test } from "@call-media/conditions";
import type { Days } from "../days.ts";
import { type Field, type FilterField, isFreeField, NUMBERS } from "../fields.ts";
import type { Column, SearchRoute } from "../route.ts";
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

/** A condition with brackets or "or" is shown as written. */
export const nameCondition = (condition: Condition<Field>): string =>
  "comparison" in condition
    ? `${nameColumn(condition.field)} ${nameTest(condition)}`
    : printCondition(condition);

/** The comparison and value, without the field. */
export function nameTest({ field, comparison, value }: Test<Field>): string {
  const t = text.value;
  if (value === null) return comparison === "==" ? t.nothingIn : t.somethingIn;
  const named = nameValue(field, value);
  if (NUMBERS.has(field) && comparison === ">=") return t.orMore(named);
  if (NUMBERS.has(field) && comparison === "<=") return t.orLess(named);
  return `${t.comparisons[comparison]} ${named}`;
}

/** Seconds as minutes and seconds. */
export const nameValue = (field: Field, value: string | number): string =>
  NUMBERS.has(field) ? showSeconds(Number(value)) : String(value);

/** "Leïla Benali, 16 Nov 2026 – 22 Nov 2026" */
export function nameSearch({ days, words: wanted, filters, where }: SearchRoute): string {
  // Filters have only such fields as keys.
  const entries = Object.entries(filters) as [FilterField, readonly string[]][];
  return [
    wanted,
    ...entries.map(([field, values]) =>
      [nameColumn(field), values.map((value) => nameValue(field, value)).join(" / ")].join(" "),
    ),
    ...where.map(nameCondition),
    nameDays(days),
  ]
    .filter(Boolean)
    .join(", ");
}

/** The field's name in the contract; undefined for `customer` and the numbered fields. */
export const hintOf = (column: Column): string | undefined =>
  column === "customer" || isFreeField(column) ? undefined : column;
