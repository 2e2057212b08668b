// Splits field values: those that the service searches for, and the rest, which the caller must judge.
import { type Condition, joinAny, type Test } from "./condition.ts";
import { isCustom, toKind } from "./field-kinds.ts";

type Value = string | number;

export interface Split<Field extends string> {
  readonly by: "fields" | "custom fields";
  readonly filter: Readonly<Record<string, Value>>;
  /** One condition for each remaining field. */
  readonly rest: readonly Condition<Field>[];
}

/**
 * Each of the contract's two searches accepts only its own fields, and one value of each (D08). If both kinds are present, the
 * service searches the named ones. Telephone numbers are not sent, because the service matches only one notation.
 */
export function splitValues<Field extends string>(
  values: readonly (readonly [field: Field, values: readonly Value[]])[],
): Split<Field> {
  const single = values.filter(([field, own]) => own.length === 1 && toKind(field) !== "telephone");
  const isNamed = single.some(([field]) => !isCustom(field));
  const asked = single.filter(([field]) => isCustom(field) !== isNamed);
  return {
    by: isNamed ? "fields" : "custom fields",
    filter: Object.fromEntries(asked.map(([field, [value = ""]]) => [field, value])),
    rest: values
      .filter((entry) => !asked.includes(entry))
      .flatMap(
        ([field, own]) =>
          joinAny(own.map((value): Test<Field> => ({ field, comparison: "==", value }))) ?? [],
      ),
  };
}
