// Ranges of days, as a search takes them: both ends included.
import { check, checkInteger } from "./check.ts";
import type { Profile } from "./profile.ts";

export interface DayRange {
  /** YYYY-MM-DD, in the time zone of the archive (D06). */
  readonly startDate: string;
  readonly endDate: string;
}

const DAY_MS = 86_400_000;

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
  const [startMs, endMs] = [parseDay(range.startDate), parseDay(range.endDate)];
  const ranges: DayRange[] = [];
  for (let lastMs = endMs; lastMs >= startMs; lastMs -= days * DAY_MS) {
    const firstMs = Math.max(startMs, lastMs - (days - 1) * DAY_MS);
    ranges.push({ startDate: toDay(firstMs), endDate: toDay(lastMs) });
  }
  if (order === "oldest-first") ranges.reverse();
  return ranges.length > 0 ? ranges : [range];
}

/** What is no day of the calendar is left for the service to refuse. */
export function toDayAfter(day: string): string {
  return toDay(parseDay(day) + DAY_MS) || day;
}

function parseDay(day: string): number {
  const ms = Date.parse(day);
  // Date.parse takes 2026-02-30 for a day in March.
  return toDay(ms) === day ? ms : Number.NaN;
}

/** Empty where there is no such moment, which toJSON has no text for. */
function toDay(ms: number): string {
  const text: string | null = new Date(ms).toJSON();
  return text?.slice(0, 10) ?? "";
}
