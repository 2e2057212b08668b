// The filters of an operation, as its rules describe them: what they ask for, and which rows fit.
import type { JsonObject } from "@call-media/contract-diff";
import type { Operation } from "../document/document.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { schemaOf } from "../values/fields.ts";
import { valuesOf } from "../values/lists.ts";
import { toRowPlace, toText } from "../values/places.ts";
import { fold, matchBy } from "./match.ts";

export interface Filter {
  readonly rule: RuleOf<"filter">;
  readonly by: string;
  readonly fields: readonly string[];
  /** The schema of the parameter, or of one of its values if it takes several. */
  readonly schema: string | undefined;
}

/** Pairs `by` with `field` if both have the same number of names. Otherwise each parameter applies to all fields. */
export function filtersOf(run: Run, rule: RuleOf<"filter">, operation: Operation): Filter[] {
  const items = run.listInfo(operation.id)?.items ?? "";
  const fields = rule.field.map((field) => toRowPlace(field, items));
  const isPaired = rule.by.length > 1 && rule.by.length === fields.length;
  return rule.by.map((by, index) => {
    const schema = schemaOf(run, operation, by);
    const inner = schema === undefined ? undefined : run.document.schemas.view(schema).items;
    return {
      rule,
      by,
      fields: isPaired ? fields.slice(index, index + 1) : fields,
      schema: inner ?? schema,
    };
  });
}

/** A test whether a row's value matches the requested one. */
export function matches({ rule, fields }: Filter, asked: unknown): (row: unknown) => boolean {
  const { match, when } = rule;
  if (when !== undefined)
    return (row) => valuesOf(row, fields).some((value) => toText(value) === toText(when));
  const isMatch = matchBy(match);
  return (row) => valuesOf(row, fields).some((value) => isMatch(value, asked));
}

/** The place of the value in an expression, such as `userName eq "{}"`. */
export const VALUE = "{}";

/** The parameter with a value, or with the expression that asks for it. */
export const toQuery = ({ rule, by }: Filter, value: unknown): JsonObject => ({
  [by]: rule.as === undefined ? value : rule.as.replace(VALUE, () => toText(value)),
});

export const toHow = (one: Filter, value: unknown): string =>
  `${one.by}=${toText(toQuery(one, value)[one.by])}`;

/** True if a value would end its quotes in an expression, or be a part of its language. */
export const isQuoting = (value: unknown): boolean => /["'`\\]/.test(toText(value));

/** Also removes accents, which each service may compare in its own way. */
const bare = (text: unknown): string =>
  fold(toText(text).normalize("NFD").replaceAll(/\p{M}/gu, ""));

/** Tests for rows whose match depends on accents. */
export function isDoubtfulFor({ rule, fields }: Filter, asked: unknown): (row: unknown) => boolean {
  if (rule.match === undefined || !["folded", "contains", "prefix", "either"].includes(rule.match))
    return () => false;
  const isSimilar = (value: unknown) => bare(value).includes(bare(asked));
  const isPlain = (value: unknown) => fold(value).includes(fold(asked));
  return (row) => valuesOf(row, fields).some((value) => isSimilar(value) !== isPlain(value));
}
