// Ranges of days of a search. Both ends are included.
import { check, checkInteger } from "../check.ts";
import type { Profile } from "../profile.ts";
import { addDays, isDay } from "../time-zones.ts";

export interface DayRange {
  /** YYYY-MM-DD, in the time zone of the archive (D06). */
  readonly startDate: string;
  readonly endDate: string;
}

/**
 * Splits `range` into windows of `days` each, in the order of the records: the latest first, or as the service orders them
 * (D09). An invalid range stays one window, for the service to refuse.
 *
 * @throws TypeError if `days` is invalid or needs a profile.
 */
export function splitDays(range: DayRange, days: number, profile: Profile): DayRange[] {
  checkInteger("windowDays", days, [1, 1e6]);
  // With a wrong guess, the last day of each window would be left out.
  check(profile.endDate, "windowDays needs profile.endDate");
  const { startDate, endDate } = range;
  const ranges: DayRange[] = [];
  if (isDay(startDate) && isDay(endDate))
    // Days in this form sort as text.
    for (let last = endDate; last >= startDate; last = addDays(last, -days)) {
      const first = addDays(last, 1 - days);
      ranges.push({ startDate: first > startDate ? first : startDate, endDate: last });
    }
  if (profile.order === "oldest-first") ranges.reverse();
  return ranges[0] ? ranges : [range];
}

/** The next day. An invalid day is returned unchanged, so that the service rejects it. */
export function toNextDay(day: string): string {
  return isDay(day) ? addDays(day, 1) : day;
}
