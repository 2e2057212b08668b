// Converts the datetime of a record to an instant, whether or not its text has an offset.
import { toDatetime } from "@call-media/client";

/** A value as a service writes it, usually text. */
type Written = unknown;

/** True if the text fixes the instant by itself. */
export const hasOffset = (text: Written): boolean => toDatetime(String(text))?.zoneKnown === true;

/** Returns the archive's time zone: an IANA name, or an offset such as +02:00. Undefined until it is known. */
export type ArchiveZone = () => string | undefined;

/** Text without an offset is in the archive's zone (D03). Undefined if the text is not a datetime. */
export const toInstant = (text: Written, archiveZone = "UTC"): Date | undefined =>
  toDatetime(String(text), { timeZone: archiveZone })?.instant;
