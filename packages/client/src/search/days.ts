// Ranges of days, as a search takes them: both ends included.
import { check, checkInteger } from "../check.ts";
import { DAY_MS } from "../limits.ts";
import type { Profile } from "../profile.ts";

export interface DayRange {
  /** YYYY-MM-DD, in the time zone of the archive (D06). */
  readonly startDate: string;
  readonly endDate: string;
}

/**
 * `range` in windows of `days` each, in the order of the records: the latest first, or as the service orders them (D09).
 * What is no range of days stays whole, to be refused.
 *
 * @throws TypeError where `days` makes no sense or needs a profile.
 */
export function splitDays(range: DayRange, days: number, profile: Profile): DayRange[] {
  checkInteger("windowDays", days, [1, 1e6]);
  // With the wrong answer the last day of each window would be left out.
  check(profile.endDate, "windowDays needs profile.endDate");
  const { startDate, endDate } = range;
  const ranges: DayRange[] = [];
  if (isDay(startDate) && isDay(endDate))
    // Days in this form are in the order of their text.
    for (let last = endDate; last >= startDate; last = addDays(last, -days)) {
      const first = addDays(last, 1 - days);
      ranges.push({ startDate: first > startDate ? first : startDate, endDate: last });
    }
  if (profile.order === "oldest-first") ranges.reverse();
  return ranges[0] ? ranges : [range];
}

/** The day after; what is none of the calendar stays as it is, for the service to refuse. */
export function toNextDay(day: string): string {
  return isDay(day) ? addDays(day, 1) : day;
}

/** Whether `day` is one of the calendar. */
function isDay(day: string): boolean {
  // Date.parse takes 2026-02-30 for a day in March.
  return addDays(day, 0) === day;
}

/** Empty where there is no such day. */
function addDays(day: string, days: number): string {
  const text: string | null = new Date(Date.parse(day) + days * DAY_MS).toJSON();
  return text?.slice(0, 10) ?? "";
}
