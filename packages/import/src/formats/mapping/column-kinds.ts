// Tells by its values whether a column may be what a field reads.
import { toSeconds } from "./conversion.ts";
import type { Rule } from "./rule.ts";
import type { Reading, SampleColumn } from "./sample-columns.ts";

export const LENGTHS: ReadonlySet<string> = new Set(["talk_time", "handle_time"]);
export const NUMBERS: ReadonlySet<string> = new Set(["ani", "dnis"]);
/** The name of any other field is none of an identifier. */
export const IDS: ReadonlySet<string> = new Set(["call_id", "session_id", "master_id"]);

/** True if more than half of the values fit. */
export function areMost({ values }: Pick<SampleColumn, "values">, fits: (text: string) => boolean) {
  const texts = [...values.values()];
  return texts.filter(fits).length * 2 > texts.length;
}

const TELEPHONE = /^\+?[\d ()./-]{3,}$/;

const isLength = (text: string) => "value" in toSeconds(text);

/** True if the values of a column are such as the field has. */
export function hasKind({ field, rules }: Reading, column: SampleColumn): boolean {
  const areTimes = areMost(column, (text) => /\d:\d\d/.test(text) && !TELEPHONE.test(text));
  if (field === "datetime")
    return areTimes || areMost(column, (text) => rules.some((rule) => isTime(rule, text)));
  if (LENGTHS.has(field)) return areMost(column, isLength);
  if (areTimes) return false;
  if (IDS.has(field)) return new Set(column.values.values()).size * 2 > column.values.size;
  return !NUMBERS.has(field) || areMost(column, (text) => TELEPHONE.test(text));
}

/** True if the column has values as often, of the form that the field has, and others than the one that is read. */
export function mayBe({ field, first, rules }: Reading, column: SampleColumn): boolean {
  const { values } = column;
  const read = new Set(first.flatMap((one) => [...one.values.keys()]));
  if (values.size === 0 || values.size * 2 < read.size) return false;
  if (first.some((one) => [...values].every(([row, text]) => one.values.get(row) === text)))
    return false;
  if (field === "datetime")
    return areMost(column, (text) => rules.some((rule) => isTime(rule, text)));
  if (LENGTHS.has(field)) return areMost(column, isLength);
  return !NUMBERS.has(field) || areMost(column, (text) => /\d{2}/.test(text));
}

const isTime = ({ convert }: Rule, text: string) =>
  "value" in convert(text) || /\d{4}|\d:\d\d/.test(text);
