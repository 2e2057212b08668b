// Sorts the records of a call by time, as people read them.
import { type CallRecord, toDatetime } from "@call-media/client";

/**
 * Compares records by time; those without a time come last. Equal ones keep their order, which is that of import (D09).
 * `archiveZone`: for text without an offset (D03). Default: UTC.
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
