// The time zones in which an archive may count its days: fixed UTC offsets, or IANA names where daylight saving time applies.
import type { Moment } from "../../values/moments.ts";
import { toDay } from "./days.ts";

export interface Zone {
  readonly name: string;
  /** Minutes ahead of UTC; undefined if daylight saving time changes them. */
  readonly offsetMinutes?: number;
  /** The day of a moment in this zone. A moment without an offset belongs to the day it names. */
  readonly dayOf: (moment: Moment) => string;
}

const MINUTE_MS = 60_000;
const QUARTER = 15;
const [WEST, EAST] = [-12 * 60, 14 * 60 + 45];

/** Every quarter of an hour, ordered by distance from UTC, which most archives use. */
export function listFixedZones(): readonly Zone[] {
  const count = (EAST - WEST) / QUARTER + 1;
  const offsets = Array.from({ length: count }, (_, index) => WEST + index * QUARTER);
  return offsets.toSorted((a, b) => Math.abs(a) - Math.abs(b)).map(toFixedZone);
}

function toFixedZone(offsetMinutes: number): Zone {
  const [hours, rest] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
  const sign = offsetMinutes < 0 ? "-" : "+";
  return {
    name: `UTC${sign}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`,
    offsetMinutes,
    dayOf: ({ ms, hasOffset, day }) => (hasOffset ? toDay(ms + offsetMinutes * MINUTE_MS) : day),
  };
}

/** The zones of the IANA database that the platform supports. */
export function listNamedZones(): readonly Zone[] {
  return Intl.supportedValuesOf("timeZone").map(toNamedZone);
}

/** @throws RangeError if the name is not an IANA time zone. */
export function toNamedZone(timeZone: string): Zone {
  // Swedish dates are written YYYY-MM-DD.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  return {
    name: timeZone,
    dayOf: ({ ms, hasOffset, day }) => (hasOffset ? format.format(ms) : day),
  };
}
