// What is wrong with the text of a condition, by code and place. Whoever shows it has the sentences.

export type FaultCode =
  /** `what`: a character that begins nothing. */
  | "character"
  | "text-open"
  | "single-equals"
  /** `what`: & or |. */
  | "single-sign"
  | "typographic-quotes"
  | "too-deep"
  /** `what` stands where ) must. */
  | "bracket-open"
  | "bracket-closed"
  /** `what` stands where && or || must. */
  | "no-joint"
  /** `what` stands where a field must. */
  | "no-field"
  /** `what` is no field. */
  | "unknown-field"
  /** After the field `what`. */
  | "no-comparison"
  /** After the comparison `what`. */
  | "no-value"
  /** `what` is a word where a value must stand. */
  | "unquoted"
  | "contains-null"
  | "order-of-null"
  /** The field `what` is a number of seconds. */
  | "no-seconds"
  /** `what` is too long for a number, or a length of time in a field of texts. */
  | "unquoted-value"
  /** `what` is no day of the calendar. */
  | "no-day"
  | "no-datetime";

export class ConditionFault extends Error {
  override readonly name = "ConditionFault";
  readonly code: FaultCode;
  /** UTF-16 place in the text, from 0. */
  readonly at: number;
  /** The part of the text that the code is about; empty without. */
  readonly what: string;

  constructor(code: FaultCode, at: number, what = "") {
    super(`${code} in column ${at + 1}`);
    this.code = code;
    this.at = at;
    this.what = what;
  }
}
