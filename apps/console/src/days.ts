// Ranges of days as people name them, and the days that they are in the archive's time zone (D06).
import { addDays, isDay } from "@call-media/client";

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

const MOST_DAYS = 36_500;

export function toDayRange(days: Days, today: string): DayRange {
  if (days === "all") return { startDate: "1900-01-01", endDate: "9999-12-30" };
  if ("from" in days) return { startDate: days.from, endDate: days.to };
  return { startDate: addDays(today, 1 - days.last), endDate: today };
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
