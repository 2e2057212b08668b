// Splits values of fields: those that the service looks for, and the rest, which whoever asks has to judge.
import { type Condition, joinAny, type Test } from "./condition.ts";
import { isCustom, toKind } from "./field-kinds.ts";

type Value = string | number;

export interface Split<Field extends string> {
  readonly by: "fields" | "custom fields";
  readonly filter: Readonly<Record<string, Value>>;
  /** One for each field of the rest. */
  readonly rest: readonly Condition<Field>[];
}

/**
 * The two searches of the contract each know their own fields, and one value of each (D08). Where both kinds are given,
 * the service looks for the named ones. Of a telephone number it knows one notation alone.
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
