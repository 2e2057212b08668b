// Finds the rows of sums and the empty ones with which reports end. As calls they would have no call_id, no datetime, and an agent such
// as "Total".
import { toLetters } from "../columns.ts";
import { listPaths } from "./readings.ts";
import { toSeconds } from "./conversion.ts";
import type { Mapping } from "./mapping.ts";

const WORD =
  /^(?:(?:grand|sub|report|overall)[ -]?)?(?:totals?|totales|totali|totaux|totaal|sums?|somme|suma|summe|gesamt(?:summe)?|insgesamt|zwischensumme|averages?|avg|durchschnitt|moyenne|promedio|итого|всего|合計|合计|总计)(?![\p{L}\p{N}])/iu;
const NUMBER = /^\d+(?:\.\d+)?$/;
// The sum of fewer rows may be chance.
const FEW = 3;
// Each row may be rounded.
const NEAR = 0.5;

/** Sees all rows of a table; true for one that has no identifier and no time, but sums, a word for them, or nothing at all. */
export function createTotals(
  mapping: Mapping,
  columns: readonly string[],
): (values: readonly string[]) => boolean {
  const find = (field: string) => findColumns(field, mapping, columns);
  const [ids, times] = [find("call_id"), find("datetime")];
  const read = (values: readonly string[], index: number): string => {
    const text = values[index]?.trim() ?? "";
    return mapping.nulls.has(text) ? "" : text;
  };
  // A column with a text has no sum.
  const sums = new Map(columns.map((_, index) => [index, 0]));
  let rows = 0;
  const add = (values: readonly string[]): void => {
    rows += 1;
    for (const [index, sum] of sums) {
      const text = read(values, index);
      if (text === "") continue;
      const number = toNumber(text);
      if (number === undefined) sums.delete(index);
      else sums.set(index, sum + number);
    }
  };
  const areSums = (cells: readonly string[]): boolean => {
    const filled = [...cells.entries()].filter(([, text]) => text !== "");
    const numbers = filled.filter(([, text]) => toNumber(text) !== undefined);
    const isSum = ([index, text]: readonly [number, string]) =>
      Math.abs((sums.get(index) ?? Number.NaN) - Number(toNumber(text))) <= NEAR;
    const labels = filled.length - numbers.length;
    const isMore = numbers.some(([index]) => sums.get(index) !== 0);
    return rows >= FEW && labels <= 1 && isMore && numbers.every(isSum);
  };
  const isCall = (values: readonly string[]): boolean => {
    const isFilled = (index: number) => read(values, index) !== "";
    return times.some(isFilled) || ids.some((id) => isFilled(id) && !WORD.test(read(values, id)));
  };
  if (mapping.kind !== "call" || ids.length + times.length === 0) return () => false;
  return (values) => {
    const cells = isCall(values) ? [] : columns.map((_, index) => read(values, index));
    const first = cells.find((text) => text !== "");
    const isBlank = first === undefined && cells.length > 0;
    const isTotal = first !== undefined && (WORD.test(first) || areSums(cells));
    if (!isBlank && !isTotal) add(values);
    return isBlank || isTotal;
  };
}

/** The positions of the columns that a field reads. */
function findColumns(
  field: string,
  mapping: Mapping,
  columns: readonly string[],
): readonly number[] {
  const rules = mapping.fields.filter((one) => one.field === field).flatMap((one) => one.rules);
  const names = new Set(listPaths(rules, mapping).map((path) => toLetters(path.join("."))));
  return columns.flatMap((column, index) => (names.has(toLetters(column)) ? [index] : []));
}

function toNumber(text: string): number | undefined {
  if (NUMBER.test(text)) return Number(text);
  const seconds = text.includes(":") ? toSeconds(text) : { fault: "" };
  return "fault" in seconds ? undefined : Number(seconds.value);
}
