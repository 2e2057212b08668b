// Describes a syntax error in a condition by code and position. The caller that shows it supplies the sentence.

export type FaultCode =
  /** `what`: a character that starts no token. */
  | "character"
  | "text-open"
  | "single-equals"
  /** `what`: & or |. */
  | "single-sign"
  | "typographic-quotes"
  | "too-deep"
  /** `what` stands where ) is expected. */
  | "bracket-open"
  | "bracket-closed"
  /** `what` stands where && or || is expected. */
  | "no-joint"
  /** `what` stands where a field is expected. */
  | "no-field"
  /** `what` is not a field. */
  | "unknown-field"
  /** The comparison is missing after the field `what`. */
  | "no-comparison"
  /** The value is missing after the comparison `what`. */
  | "no-value"
  /** `what` is a word where a value is expected. */
  | "unquoted"
  | "contains-null"
  | "order-of-null"
  /** The field `what` holds a number of seconds. */
  | "no-seconds"
  /** `what` is too long for a number, or is a duration in a text field. */
  | "unquoted-value"
  /** `what` is not a day of the calendar. */
  | "no-day"
  | "no-datetime";

export class ConditionFault extends Error {
  override readonly name = "ConditionFault";
  readonly code: FaultCode;
  /** UTF-16 offset in the text, from 0. */
  readonly at: number;
  /** The part of the text that the code refers to; empty if there is none. */
  readonly what: string;

  constructor(code: FaultCode, at: number, what = "") {
    super(`${code} in column ${at + 1}`);
    this.code = code;
    this.at = at;
    this.what = what;
  }
}
