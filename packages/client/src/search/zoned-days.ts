// Days in a caller's time zone: the days of the archive that overlap them, and the records that belong to them.
import { addDays, isDay, toDay, toInstantMs } from "../time-zones.ts";
import { toDatetime } from "../values.ts";
import type { DayRange } from "./days.ts";
import type { CallRecord } from "./keys.ts";

/** The part of an archive to read, and which of its records to return. */
export interface Plan {
  readonly range: DayRange;
  readonly includes: (record: CallRecord) => boolean;
}

/** Two zones are at most 26 hours apart. */
const MAX_DAYS_APART = 2;

/**
 * The days of `range`, which are of `timeZone`, in an archive whose days are of `archiveZone`. If that is unknown, days on
 * both sides are read as well, and a record without an offset is included.
 */
export function toZonedPlan(
  range: DayRange,
  timeZone: string,
  archiveZone: string | undefined,
): Plan {
  const { startDate, endDate } = range;
  // The service rejects it.
  if (!isDay(startDate) || !isDay(endDate)) return { range, includes: () => true };
  const fromMs = toInstantMs(Date.parse(startDate), timeZone);
  const untilMs = toInstantMs(Date.parse(addDays(endDate, 1)), timeZone);
  return {
    range: archiveZone
      ? { startDate: toDay(fromMs, archiveZone), endDate: toDay(untilMs - 1, archiveZone) }
      : {
          startDate: addDays(startDate, -MAX_DAYS_APART),
          endDate: addDays(endDate, MAX_DAYS_APART),
        },
    includes({ datetime }) {
      const ms = toDatetime(datetime, { timeZone: archiveZone })?.instant?.getTime();
      return ms === undefined || (fromMs <= ms && ms < untilMs);
    },
  };
}
