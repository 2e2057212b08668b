// The labels of the fields of a record: one for each, and numbers for those that operators name themselves.
import type { Field } from "../export/fields.ts";

export type FieldLabels = Readonly<Record<Field, string>>;

/** "Field 1", "Field 2" and so on: the names of the contract are custom_field_1 to 20, and security_field_01 to 05. */
export const toNumbered = (prefix: string, digits: number, { label, count }: Numbered) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${prefix}${String(index + 1).padStart(digits, "0")}`,
      `${label} ${index + 1}`,
    ]),
  );

interface Numbered {
  readonly label: string;
  readonly count: number;
}
