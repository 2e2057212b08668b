// Finds alternatives of a field that can never give a value.
import { type Doubt, type FieldFault, toFieldDoubts } from "../../doubts/doubt.ts";
import { type FindColumns, toNames } from "./readings.ts";
import type { Rule } from "./rule.ts";
import type { Reading, SampleColumns } from "./sample-columns.ts";

const UNUSED = {
  name: "columns",
  effect: "warn",
  text: "an alternative is of no use: the one before it has a value in every row and no condition, or reads the same",
  advice: 'Correct its column or its condition ("when"), or leave it out',
} as const;

export const judgeUnused = (
  readings: readonly Reading[],
  sample: SampleColumns,
  find: FindColumns,
): readonly Doubt[] => toFieldDoubts(listUnused(readings, sample, find), UNUSED);

function listUnused(
  readings: readonly Reading[],
  sample: SampleColumns,
  find: FindColumns,
): readonly FieldFault[] {
  const isFull = (rule: Rule) => {
    const columns = find(rule, rule.from.slice(0, 1));
    const isPlain = rule.when.length === 0 && rule.match === undefined && rule.of === undefined;
    const areFull = columns.every(({ values }) => values.size === sample.countRows());
    return isPlain && rule.minus === undefined && columns.length > 0 && areFull;
  };
  const isTwin = (one: Rule, other: Rule | undefined) =>
    other !== undefined &&
    [one.match, one.of, one.minus, other.match, other.of].every((part) => part === undefined) &&
    JSON.stringify(find(one, one.from).map(({ name }) => name)) ===
      JSON.stringify(find(other, other.from).map(({ name }) => name));
  return readings.flatMap(({ field, rules }) => {
    const found = rules
      .slice(0, -1)
      .find((rule, index) => isFull(rule) || isTwin(rule, rules[index + 1]));
    return found === undefined ? [] : [{ field, text: toNames(find(found, found.from)) }];
  });
}
