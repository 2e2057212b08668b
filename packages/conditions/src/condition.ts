// A condition as a tree, and the comparisons of which it is made.

export const COMPARISONS = ["==", "!=", "<=", ">=", "<", ">", "~"] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** One comparison of a field with a value. */
export interface Test<Field extends string = string> {
  readonly field: Field;
  readonly comparison: Comparison;
  /** null asks whether there is nothing; a number is compared with values that are numbers. */
  readonly value: string | number | null;
}

/** What was written in a call was said as well. */
export const readsChat = ({ field, comparison }: Test): boolean =>
  field === "transcript" && comparison === "~";

/** `all` and `any` have two parts or more, none of which is of the same kind. */
export type Condition<Field extends string = string> =
  | Test<Field>
  | { readonly all: readonly Condition<Field>[] }
  | { readonly any: readonly Condition<Field>[] }
  | { readonly not: Condition<Field> };

type Several<Field extends string> = readonly Condition<Field>[];
type Some<Field extends string> = readonly [Condition<Field>, ...Condition<Field>[]];

/** The condition that asks for all of these; undefined without any. */
export function joinAll<Field extends string>(parts: Some<Field>): Condition<Field>;
export function joinAll<Field extends string>(parts: Several<Field>): Condition<Field> | undefined;
export function joinAll<Field extends string>(parts: Several<Field>) {
  const all = parts.flatMap((part) => ("all" in part ? part.all : [part]));
  return all.length > 1 ? { all } : all[0];
}

/** The condition that asks for one of these; undefined without any. */
export function joinAny<Field extends string>(parts: Some<Field>): Condition<Field>;
export function joinAny<Field extends string>(parts: Several<Field>): Condition<Field> | undefined;
export function joinAny<Field extends string>(parts: Several<Field>) {
  const any = parts.flatMap((part) => ("any" in part ? part.any : [part]));
  return any.length > 1 ? { any } : any[0];
}

/** All comparisons in it. */
export function listTests<Field extends string>(condition: Condition<Field>): Test<Field>[] {
  if ("all" in condition) return condition.all.flatMap(listTests);
  if ("any" in condition) return condition.any.flatMap(listTests);
  return "not" in condition ? listTests(condition.not) : [condition];
}

/** The fields whose values it compares. A test with null asks only whether there is a value. */
export const listCompared = <Field extends string>(condition: Condition<Field>): Field[] =>
  listTests(condition)
    .filter(({ value }) => value !== null)
    .map(({ field }) => field);
