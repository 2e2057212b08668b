// The text formats that the interface states, as patterns with their names in reports.

// Looser than RFC 3339, which the interface does not name. ISO 8601 also permits a comma, an offset of hours only, and a basic format
// without separators. The two formats do not mix (ISO 8601-1:2019, 5.4.2.1).
const EXTENDED = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?`;
const BASIC = String.raw`\d{8}T\d{4}(\d\d([.,]\d+)?)?`;
const OFFSET = String.raw`(Z|[+-]\d\d(:?\d\d)?)`;

export const WITH_OFFSET = `^(${EXTENDED}|${BASIC})${OFFSET}$`;
export const IN_UTC = String.raw`^(${EXTENDED}|${BASIC})(Z|[+-]00(:?00)?)$`;
export const WITH_OR_WITHOUT = `^(${EXTENDED}|${EXTENDED.replace("T", " ")}|${BASIC})${OFFSET}?$`;
export const DIGITS = String.raw`^-?\d+$`;

export const FORMS: ReadonlyMap<string, string> = new Map([
  [WITH_OFFSET, "an ISO 8601 timestamp with an offset"],
  [IN_UTC, "an ISO 8601 timestamp in UTC"],
  [WITH_OR_WITHOUT, "an ISO 8601 timestamp"],
  [DIGITS, "an integer, or its digits"],
]);
