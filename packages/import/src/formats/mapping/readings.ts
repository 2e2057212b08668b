// The columns that each field of a mapping reads.
import type { Mapping } from "./mapping.ts";
import { toSteps } from "./names.ts";
import type { FieldRules, Rule } from "./rule.ts";
import type { Reading, SampleColumn } from "./sample-columns.ts";
import { type KeyedTemplate, listNamesIn } from "./template.ts";

export type FindColumns = (
  rule: Rule,
  templates: readonly KeyedTemplate[],
) => readonly SampleColumn[];

export function toReading({ field, rules }: FieldRules, find: FindColumns): Reading {
  const all = rules.flatMap((rule) => find(rule, [...rule.from, ...listMinus(rule)]));
  const added = rules.flatMap((rule) => find(rule, rule.plus));
  const [rule] = rules;
  const isPlain = rule !== undefined && rule.when.length === 0;
  const alternatives = isPlain
    ? rule.from.map((template) => find(rule, [template, ...listMinus(rule)]))
    : [];
  const first = alternatives.find((some) => some.some(({ values }) => values.size > 0));
  return { field, rules, columns: [...new Set([...all, ...added])], first: first ?? all };
}

/** Each alternative of a field by itself, also those that conditions choose, and durations that are added. */
export function listAlternatives({ field, rules }: Reading, find: FindColumns): readonly Reading[] {
  return rules.flatMap((rule) =>
    [...rule.from, ...rule.plus].flatMap((template): Reading[] => {
      const columns = find(rule, [template, ...listMinus(rule)]);
      return columns.length === 0 ? [] : [{ field, rules: [rule], columns, first: columns }];
    }),
  );
}

const listMinus = ({ minus }: Rule) => (minus === undefined ? [] : [minus]);

type Names = Pick<Mapping, "lets" | "joins">;

/** A named value has the paths of its own rules. */
export const listPaths = (rules: readonly Rule[], mapping: Names): readonly (readonly string[])[] =>
  rules.flatMap((rule) => listPathsOf(rule, [...rule.from, ...listMinus(rule)], mapping));

export function listPathsOf(
  { of, each }: Rule,
  templates: readonly KeyedTemplate[],
  mapping: Names,
): readonly (readonly string[])[] {
  return templates.flatMap(listNamesIn).flatMap((name) => {
    const [first = "", ...rest] = toSteps(name);
    if (first === "$each") return [[...toSteps(of ?? each ?? ""), ...rest]];
    if (first.startsWith("$") || mapping.joins.has(first)) return [];
    const lets = mapping.lets.get(first);
    if (lets === undefined) return [toSteps(name)];
    const element = lets.find(({ isElement }) => isElement);
    return element === undefined
      ? listPaths(lets, mapping)
      : [[...toSteps(element.of ?? ""), ...rest]];
  });
}

/** For messages. */
export const toNames = (columns: readonly SampleColumn[]) =>
  columns.map(({ name }) => `{${name}}`).join(", ");
