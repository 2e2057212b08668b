// The forms of text that the interface states, as patterns, and what a report calls them.

// Looser than RFC 3339, which the interface does not name: ISO 8601 has a comma too, and an offset of hours alone.
export const WITH_OFFSET = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)$`;
export const IN_UTC = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]00(:?00)?)$`;
export const WITH_OR_WITHOUT = String.raw`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?$`;
export const DIGITS = String.raw`^-?\d+$`;

export const FORMS: ReadonlyMap<string, string> = new Map([
  [WITH_OFFSET, "an ISO 8601 timestamp with an offset"],
  [IN_UTC, "an ISO 8601 timestamp in UTC"],
  [WITH_OR_WITHOUT, "an ISO 8601 timestamp"],
  [DIGITS, "an integer, or its digits"],
]);
