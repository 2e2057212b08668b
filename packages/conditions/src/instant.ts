// The moment that a datetime of a record says, whether its text has an offset or not.
import { toDatetime } from "@call-media/client";

/** What a service writes; text in most cases. */
type Written = unknown;

/** Whether the text says which moment it is. */
export const hasOffset = (text: Written): boolean => toDatetime(String(text))?.zoneKnown === true;

/** The archive's time zone: an IANA name, or an offset such as +02:00. It may be known later; undefined until then. */
export type ArchiveZone = () => string | undefined;

/** Text without an offset is in the archive's zone (D03). Undefined for what is no datetime. */
export const toInstant = (text: Written, archiveZone = "UTC"): Date | undefined =>
  toDatetime(String(text), { timeZone: archiveZone })?.instant;
