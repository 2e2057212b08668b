// Finds fields that are read from a column with the name of another field.
import type { FieldFault } from "../../doubts/doubt.ts";
import { NUMBERS } from "./column-kinds.ts";
import { isNamed, mayBeOf, rateAll, type RateName } from "./field-names.ts";
import type { FindColumns } from "./readings.ts";
import { listBest } from "./rival-columns.ts";
import type { Reading, SampleColumn } from "./sample-columns.ts";

// By the direction of the call a number may be that of either side, and an extension is a number and an agent.
const EXTENSION = /ext|number|phone|\bno\b|num/i;

const mayBeNumber = (field: string, name: string) => {
  const isNumber = listBest(name).some((one) => NUMBERS.has(one));
  const isAgent = rateAll(name).has("agent") && EXTENSION.test(name);
  return field === "agent" ? isNumber || isAgent : NUMBERS.has(field) && (isNumber || isAgent);
};

// A note may be any of them.
const FREE = ["transcript", "disposition", "disposition_notes", "the answer", "a name"];
const isFreeText = (name: string) => FREE.some((field) => rateAll(name).has(field));

/** Its alternatives that are called otherwise. */
export function listOthers(
  { field, rules }: Reading,
  find: FindColumns,
  rate: RateName,
): readonly FieldFault[] {
  if (!mayBeOf(field)) return [];
  return rules.flatMap((rule) => {
    if (rule.minus !== undefined || rule.plus.length > 0) return [];
    return rule.from.flatMap((template) => {
      const columns = find(rule, [template]);
      const isOther = ({ name }: SampleColumn) =>
        rate(field, name) === 0 &&
        rateAll(name).size > 0 &&
        !mayBeNumber(field, name) &&
        (isNamed(field) || !isFreeText(name));
      // Several columns together are called as neither is.
      return columns.length === 1 && columns.every(isOther)
        ? [{ field, text: toOtherText(columns) }]
        : [];
    });
  });
}

function toOtherText(columns: readonly SampleColumn[]): string {
  const texts = columns.map(({ name }) => {
    const rated = [...rateAll(name)];
    const best = Math.max(...rated.map(([, level]) => level));
    const others = rated.flatMap(([one, level]) => (level === best ? [one] : []));
    return `{${name}}, as ${others.join(" or ")}`;
  });
  return texts.join("; ");
}
