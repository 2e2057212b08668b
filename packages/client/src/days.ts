// Ranges of days, as a search takes them: both ends included.

export interface DayRange {
  /** YYYY-MM-DD, in the time zone of the archive (D06). */
  readonly startDate: string;
  readonly endDate: string;
}

const DAY_MS = 86_400_000;

/** `range` in pieces of `days` each, the latest first. What is no range of days stays whole, to be refused. */
export function splitDays({ startDate, endDate }: DayRange, days: number): DayRange[] {
  const [startMs, endMs] = [parseDay(startDate), parseDay(endDate)];
  if (!(startMs <= endMs)) return [{ startDate, endDate }];
  const ranges: DayRange[] = [];
  for (let lastMs = endMs; lastMs >= startMs; lastMs -= days * DAY_MS) {
    const firstMs = Math.max(startMs, lastMs - (days - 1) * DAY_MS);
    ranges.push({ startDate: toDay(firstMs), endDate: toDay(lastMs) });
  }
  return ranges;
}

/** What is no day of the calendar is left for the service to refuse. */
export function toDayAfter(day: string): string {
  const ms = parseDay(day);
  return Number.isNaN(ms) ? day : toDay(ms + DAY_MS);
}

function parseDay(day: string): number {
  const ms = Date.parse(`${day}T00:00:00Z`);
  // Date.parse takes 2026-02-30 for a day in March.
  return !Number.isNaN(ms) && toDay(ms) === day ? ms : Number.NaN;
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
