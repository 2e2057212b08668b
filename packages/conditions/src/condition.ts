// Defines a condition as a tree of comparisons.

export const COMPARISONS = ["==", "!=", "<=", ">=", "<", ">", "~"] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** One comparison of a field with a value. */
export interface Test<Field extends string = string> {
  readonly field: Field;
  readonly comparison: Comparison;
  /** null tests whether the field is empty; a number is compared with values that are numbers. */
  readonly value: string | number | null;
}

/** True if the test also applies to the chat: what was written in a call counts as said. */
export const readsChat = ({ field, comparison }: Test): boolean =>
  field === "transcript" && comparison === "~";

/** `all` and `any` have at least two parts, none of the same kind. */
export type Condition<Field extends string = string> =
  | Test<Field>
  | { readonly all: readonly Condition<Field>[] }
  | { readonly any: readonly Condition<Field>[] }
  | { readonly not: Condition<Field> };

type Several<Field extends string> = readonly Condition<Field>[];
type Some<Field extends string> = readonly [Condition<Field>, ...Condition<Field>[]];

/** Returns the condition that all of these hold; undefined if there are none. */
export function joinAll<Field extends string>(parts: Some<Field>): Condition<Field>;
export function joinAll<Field extends string>(parts: Several<Field>): Condition<Field> | undefined;
export function joinAll<Field extends string>(parts: Several<Field>) {
  const all = parts.flatMap((part) => ("all" in part ? part.all : [part]));
  return all.length > 1 ? { all } : all[0];
}

/** Returns the condition that one of these holds; undefined if there are none. */
export function joinAny<Field extends string>(parts: Some<Field>): Condition<Field>;
export function joinAny<Field extends string>(parts: Several<Field>): Condition<Field> | undefined;
export function joinAny<Field extends string>(parts: Several<Field>) {
  const any = parts.flatMap((part) => ("any" in part ? part.any : [part]));
  return any.length > 1 ? { any } : any[0];
}

/** Lists every comparison of the condition. */
export function listTests<Field extends string>(condition: Condition<Field>): Test<Field>[] {
  if ("all" in condition) return condition.all.flatMap(listTests);
  if ("any" in condition) return condition.any.flatMap(listTests);
  return "not" in condition ? listTests(condition.not) : [condition];
}

/** Lists the fields whose values are compared. A test with null only asks whether there is a value. */
export const listCompared = <Field extends string>(condition: Condition<Field>): Field[] =>
  listTests(condition)
    .filter(({ value }) => value !== null)
    .map(({ field }) => field);
