// Ranges of days as people name them, and the days that they are in the archive's time zone (D06).

/** The last days up to today; every day; or from one day to another, both included. */
export type Days =
  | { readonly last: number }
  | "all"
  | { readonly from: string; readonly to: string };

export interface DayRange {
  /** YYYY-MM-DD. */
  readonly startDate: string;
  readonly endDate: string;
}

export const DEFAULT_DAYS: Days = { last: 7 };

export const PRESETS: readonly Days[] = [
  { last: 1 },
  { last: 7 },
  { last: 30 },
  { last: 90 },
  { last: 365 },
  "all",
];

const DAY_MS = 86_400_000;
const MOST_DAYS = 36_500;

const toText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** True for YYYY-MM-DD and a day of the calendar. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const ms = Date.parse(text);
  // Date.parse takes 2026-02-30 for a day in March.
  return Number.isFinite(ms) && toText(ms) === text;
}

/** The day it is in `zone`. */
export function toToday(zone: string, nowMs = Date.now()): string {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(nowMs);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}`;
}

export function toDayRange(days: Days, today: string): DayRange {
  if (days === "all") return { startDate: "1900-01-01", endDate: "9999-12-30" };
  if ("from" in days) return { startDate: days.from, endDate: days.to };
  return { startDate: toText(Date.parse(today) - (days.last - 1) * DAY_MS), endDate: today };
}

/** `from` and `to` of an address; undefined for what names no days. */
export function parseDays(from: string | null, to: string | null): Days | undefined {
  if (from === "all" && to === null) return "all";
  const last = Number(/^-(\d{1,5})d$/.exec(from ?? "")?.[1]);
  if (last >= 1 && last <= MOST_DAYS && to === null) return { last };
  if (from === null || to === null || !isDay(from) || !isDay(to) || from > to) return undefined;
  return { from, to };
}

export function writeDays(days: Days): Record<string, string> {
  if (days === "all") return { from: "all" };
  return "last" in days ? { from: `-${days.last}d` } : { from: days.from, to: days.to };
}
