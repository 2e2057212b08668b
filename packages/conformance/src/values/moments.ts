// Moments as ISO 8601 writes them: extended and basic, with and without an offset.

const DATETIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?$/;
const BASIC_PARTS = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d(?=\D|$))?/;

/** A timestamp of the basic format in the extended one; any other text as it is. */
export function toExtended(text: string): string {
  const parts = BASIC_PARTS.exec(text)?.slice(1).filter(Boolean);
  if (parts === undefined) return text;
  const time = parts.slice(3).join(":");
  return text.replace(BASIC_PARTS, `${parts.slice(0, 3).join("-")}T${time}`);
}

export interface Moment {
  /** Milliseconds since 1970; of a text without offset as if it were UTC. */
  readonly ms: number;
  readonly hasOffset: boolean;
  /** The day as it is written. */
  readonly day: string;
}

export function parseMoment(text: unknown): Moment | undefined {
  if (typeof text !== "string") return undefined;
  const [, day, time, offset] = DATETIME.exec(toExtended(text)) ?? [];
  if (day === undefined || time === undefined) return undefined;
  // Date.parse wants the minutes of an offset as well.
  const zone =
    offset?.replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = "00") => `${hours}:${minutes}`) ??
    "Z";
  const ms = Date.parse(`${day}T${time.replace(",", ".")}${zone}`);
  return Number.isNaN(ms) ? undefined : { ms, hasOffset: offset !== undefined, day };
}
