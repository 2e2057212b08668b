// The comparisons of which conditions are made.

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
