// The order in which people read the records of a call: that of time.
import { type CallRecord, toDatetime } from "@call-media/client";

/**
 * The order of time of records, those without a time last. Equal ones stay as they are, which is the order of import (D09).
 * `archiveZone`: of text without an offset (D03). Default: UTC.
 */
export function byTime(archiveZone?: string): (one: CallRecord, other: CallRecord) => number {
  const toMs = createToMs(archiveZone);
  return (one, other) => toMs(one) - toMs(other);
}

/** The same order as numbers. */
export const createToMs =
  (archiveZone = "UTC") =>
  ({ datetime }: CallRecord): number =>
    toDatetime(datetime, { timeZone: archiveZone })?.instant?.getTime() ?? Number.MAX_VALUE;
