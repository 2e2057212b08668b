// The moment that a datetime of a record says, whether its text has an offset or not.
import { toDatetime } from "@call-media/client";

/** What a service writes; text in most cases. */
type Written = unknown;

/** Whether the text says which moment it is. */
export const hasOffset = (text: Written): boolean => read(text) !== undefined;

/**
 * Text without an offset is in the archive's zone (D03), which is `archiveOffsetMinutes` ahead of UTC. Undefined for what
 * is no datetime.
 */
export function toInstant(text: Written, archiveOffsetMinutes = 0): Date | undefined {
  const instant = read(text);
  return instant ?? addMinutes(read(`${String(text)}Z`), -archiveOffsetMinutes);
}

const addMinutes = (instant: Date | undefined, minutes: number): Date | undefined =>
  instant && new Date(instant.getTime() + minutes * 60_000);

/** Dates of JavaScript have no leap second: it is the one before. */
const read = (text: Written) => toDatetime(String(text).replace(/(?<=^.{16}):60/, ":59"))?.instant;

/** True for YYYY-MM-DD and a day of the calendar. */
export function isDay(text: string): boolean {
  // Date takes 30 February for 2 March.
  const day = new Date(`${text}T00:00:00Z`);
  const isShaped = /^\d{4}-\d\d-\d\d$/.test(text);
  return isShaped && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
