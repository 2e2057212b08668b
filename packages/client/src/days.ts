// Ranges of days, as a search takes them: both ends included.
import { check, checkInteger } from "./check.ts";
import { DAY_MS } from "./limits.ts";
import type { Profile } from "./profile.ts";

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
export function splitDays(range: DayRange, days: number, { endDate, order }: Profile): DayRange[] {
  checkInteger("windowDays", days, [1, 1e6]);
  // With the wrong answer the last day of each window would be left out.
  check(!!endDate, "windowDays needs profile.endDate");
  const { startDate } = range;
  const ranges: DayRange[] = [];
  // Days in this form are in the order of their text.
  let last = addDays(startDate, 0) && addDays(range.endDate, 0);
  for (; last && last >= startDate; last = addDays(last, -days)) {
    const first = addDays(last, 1 - days);
    ranges.push({ startDate: first > startDate ? first : startDate, endDate: last });
  }
  if (order === "oldest-first") ranges.reverse();
  return ranges[0] ? ranges : [range];
}

/** The day so many days later; empty where `day` is none of the calendar, which is the service's to refuse. */
export function addDays(day: string, days: number): string {
  const ms = Date.parse(day);
  // Date.parse takes 2026-02-30 for a day in March.
  return toDay(ms) === day ? toDay(ms + days * DAY_MS) : "";
}

/** Empty where there is no such moment, which toJSON has no text for. */
function toDay(ms: number): string {
  const text: string | null = new Date(ms).toJSON();
  return text?.slice(0, 10) ?? "";
}
