// Ranges of days as people name them, converted to days in the archive's time zone (D06).
import { addDays, isDay } from "@call-media/client";

/** Calendar periods; the current one ends today. Weeks begin on Monday for all users, so that a link means the same to each. */
export const PERIODS = [
  "yesterday",
  "this-week",
  "last-week",
  "this-month",
  "last-month",
  "this-quarter",
  "last-quarter",
] as const;
export type Period = (typeof PERIODS)[number];

/** The last days up to today; all days; a period by its name; or a range of days, both ends included. */
export type Days =
  | { readonly last: number }
  | "all"
  | Period
  | { readonly from: string; readonly to: string };

export interface DayRange {
  /** YYYY-MM-DD. */
  readonly startDate: string;
  readonly endDate: string;
}

export const DEFAULT_DAYS: Days = { last: 7 };

export const PRESETS: readonly Days[] = [
  { last: 1 },
  ...PERIODS,
  { last: 7 },
  { last: 30 },
  { last: 90 },
  { last: 365 },
  "all",
];

const MOST_DAYS = 36_500;

export function toDayRange(days: Days, today: string): DayRange {
  if (days === "all") return { startDate: "0001-01-01", endDate: "9999-12-30" };
  if (typeof days === "string") return toPeriod(days, today);
  if ("from" in days) return { startDate: days.from, endDate: days.to };
  return { startDate: addDays(today, 1 - days.last), endDate: today };
}

/** The first day of the period that contains the day. */
const STARTS: Readonly<Record<string, (day: string) => string>> = {
  yesterday: (day) => day,
  week: (day) => addDays(day, -((new Date(day).getUTCDay() + 6) % 7)),
  month: (day) => `${day.slice(0, 8)}01`,
  quarter(day) {
    const month = Number(day.slice(5, 7));
    const first = month - ((month - 1) % 3);
    return `${day.slice(0, 5)}${String(first).padStart(2, "0")}-01`;
  },
};

function toPeriod(period: Period, today: string): DayRange {
  const start = STARTS[period.replace(/^(?:this|last)-/, "")] ?? String;
  if (period.startsWith("this")) return { startDate: start(today), endDate: today };
  const endDate = addDays(start(today), -1);
  return { startDate: start(endDate), endDate };
}

/** Parses `from` and `to` of a URL; undefined if they name no days. */
export function parseDays(from: string | null, to: string | null): Days | undefined {
  if (to === null) return parseName(from ?? "");
  if (from === null || !isDay(from) || !isDay(to) || from > to) return undefined;
  return { from, to };
}

function parseName(name: string): Days | undefined {
  if (name === "all") return name;
  if (name === "today") return { last: 1 };
  const last = Number(/^-(\d{1,5})d$/.exec(name)?.[1]);
  if (last >= 1 && last <= MOST_DAYS) return { last };
  return PERIODS.find((period) => period === name);
}

export function writeDays(days: Days): Record<string, string> {
  if (typeof days === "string") return { from: days };
  if ("from" in days) return { from: days.from, to: days.to };
  return { from: days.last === 1 ? "today" : `-${days.last}d` };
}
