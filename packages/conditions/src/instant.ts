// The moment that a datetime of a record says, whether its text has an offset or not.
import { toDatetime } from "@call-media/client";

/** What a service writes; text in most cases. */
type Written = unknown;

/** Whether the text says which moment it is. */
export const hasOffset = (text: Written): boolean => read(text) !== undefined;

/** The archive's time zone: an IANA name, or an offset such as +02:00. It may be known later; undefined until then. */
export type ArchiveZone = () => string | undefined;

/** Text without an offset is in the archive's zone (D03). Undefined for what is no datetime. */
export function toInstant(text: Written, archiveZone = "UTC"): Date | undefined {
  // Some runtimes know no offset as a zone.
  const isOffset = /^[+-]\d\d:\d\d$/.test(archiveZone);
  return read(text) ?? (isOffset ? read(`${String(text)}${archiveZone}`) : read(text, archiveZone));
}

/** Dates of JavaScript have no leap second: it is the one before. */
const read = (text: Written, timeZone?: string) =>
  toDatetime(String(text).replace(/(?<=^.{16}):60/, ":59"), { timeZone })?.instant;

/** True for YYYY-MM-DD and a day of the calendar. */
export function isDay(text: string): boolean {
  // Date takes 30 February for 2 March.
  const day = new Date(`${text}T00:00:00Z`);
  const isShaped = /^\d{4}-\d\d-\d\d$/.test(text);
  return isShaped && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
