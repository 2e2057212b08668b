// A condition as a tree.
import type { Test } from "./test.ts";

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
