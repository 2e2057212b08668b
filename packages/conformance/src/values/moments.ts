// Moments in ISO 8601: extended and basic formats, with and without an offset.

const DATETIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?$/;
const BASIC_PARTS = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d(?=\D|$))?/;

/** Converts a timestamp from the basic to the extended format. Any other text is unchanged. */
export function toExtended(text: string): string {
  const parts = BASIC_PARTS.exec(text)?.slice(1).filter(Boolean);
  if (parts === undefined) return text;
  const time = parts.slice(3).join(":");
  return text.replace(BASIC_PARTS, `${parts.slice(0, 3).join("-")}T${time}`);
}

export interface Moment {
  /** Milliseconds since 1970. A text without an offset counts as UTC. */
  readonly ms: number;
  readonly hasOffset: boolean;
  /** The day as written. */
  readonly day: string;
}

export function parseMoment(text: unknown): Moment | undefined {
  if (typeof text !== "string") return undefined;
  const [, day, time, offset] = DATETIME.exec(toExtended(text)) ?? [];
  if (day === undefined || time === undefined) return undefined;
  // Date.parse also requires the minutes of an offset.
  const zone =
    offset?.replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = "00") => `${hours}:${minutes}`) ??
    "Z";
  const ms = Date.parse(`${day}T${time.replace(",", ".")}${zone}`);
  return Number.isNaN(ms) ? undefined : { ms, hasOffset: offset !== undefined, day };
}
