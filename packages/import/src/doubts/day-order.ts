// Day and month in the wrong order: as long as no day is above 12, both orders can be read, and only one is true.
import { createTally, type Probe, toValueText } from "./doubt.ts";

const DATE = /^(\d{4})-(\d\d)-(\d\d)/;
const MONTHS = 12;
const DAY_MS = 86_400_000;
// The span of fewer dates is no evidence.
const FEW = 3;
const FAR = 3;

/** True if a date pattern has day and month as numbers, and not year, month and day in this order, which is always right. */
export function isOrderOpen(pattern: string): boolean {
  const letters = pattern.replaceAll(/'[^']*'/g, "").match(/y+|M+|d+/g) ?? [];
  const isNumeric = [/^MM?$/, /^dd?$/].every((part) => letters.some((one) => part.test(one)));
  return isNumeric && !/^y+M+d+$/.test(letters.join(""));
}

/** A datetime in the other order; undefined where it cannot be read so. */
export function exchangeDayAndMonth(datetime: unknown): string | undefined {
  const [date, year, month = "", day = ""] =
    (typeof datetime === "string" && DATE.exec(datetime)) || [];
  if (date === undefined || month === day || Number(day) > MONTHS) return undefined;
  return `${year}-${day}-${month}${String(datetime).slice(date.length)}`;
}

/** `nowMs`: after it no call can have begun. */
export function createDayOrderProbe(nowMs: number, of: "calls" | "messages" = "calls"): Probe {
  const open = createTally();
  const read = new Set<number>();
  const exchanged = new Set<number>();
  let isSettled = false;
  return {
    see: (call) => {
      const { datetime } = call.entry;
      if (isSettled || !call.isOrderOpen || typeof datetime !== "string") return;
      const parts = DATE.exec(datetime);
      if (parts === null) return;
      const [year = 0, month = 0, day = 0] = parts.slice(1).map(Number);
      const other = Date.UTC(year, day - 1, month);
      isSettled = day > MONTHS || other > nowMs + 2 * DAY_MS;
      if (month !== day) open.add(call, toValueText("datetime", datetime));
      read.add(Date.UTC(year, month - 1, day));
      exchanged.add(other);
    },
    judge: () => {
      const [days, otherDays] = [toDays(read), toDays(exchanged)];
      const isNear = days * FAR < otherDays;
      if (isSettled || isNear) return [];
      return open.toDoubts({
        name: "dates",
        effect: read.size >= FEW && days > otherDays * FAR ? "stop" : "warn",
        text: `no day is above 12, so that day and month may be exchanged: the ${of} lie within ${toText(days)} as they are read, and within ${toText(otherDays)} in the other order`,
        advice:
          "Compare one with the source, and correct the order of d and M in the format of datetime if it is wrong",
      });
    },
  };
}

const toText = (days: number) => `${days.toLocaleString("en")} ${days === 1 ? "day" : "days"}`;

function toDays(dates: ReadonlySet<number>): number {
  const sorted = [...dates].toSorted((one, other) => one - other);
  return ((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)) / DAY_MS + 1;
}
