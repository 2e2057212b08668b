// Calendar days and moments in the texts of an archive.
import { toExtended } from "../answers/forms.ts";

const DAY_MS = 86_400_000;
const DATETIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?$/;

export function addDays(day: string, days: number): string {
  return toDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
}

/** The day of an instant in UTC. */
export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function today(): string {
  return toDay(Date.now());
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
