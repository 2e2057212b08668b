// Days and times of a time zone, by the zone data of the runtime.
import { check } from "./check.ts";
import { DAY_MS } from "./limits.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws TypeError if the runtime does not know the zone. */
function toFormat(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  try {
    format ??= new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  } catch {
    check(false, `timeZone must be an IANA name such as Europe/Berlin, not ${timeZone}`);
  }
  formats.set(timeZone, format);
  return format;
}

/** Milliseconds that the zone is ahead of UTC. */
function toOffsetMs(instantMs: number, timeZone: string): number {
  const parts = toFormat(timeZone).formatToParts(instantMs);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  // GMT, GMT+05:30 or, before zones were introduced, GMT+00:53:28.
  const [, sign = "+", ...digits] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = digits.map((text) => Number(text ?? 0));
  return (sign === "-" ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
}

/**
 * The instant of a local time, which is given as if it were UTC. Of a repeated hour the first (D03); a skipped one counts
 * as if the clock had not been changed.
 */
export function toInstantMs(localMs: number, timeZone: string): number {
  if (Number.isNaN(localMs)) return localMs;
  const [before, after] = [-DAY_MS, DAY_MS].map((ms) => toOffsetMs(localMs + ms, timeZone)) as [
    number,
    number,
  ];
  const first = localMs - before;
  const second = localMs - after;
  return toOffsetMs(first, timeZone) !== before && toOffsetMs(second, timeZone) === after
    ? second
    : first;
}

/** The day that an instant is of, as YYYY-MM-DD. */
export function toDay(instantMs: number, timeZone: string): string {
  return new Date(instantMs + toOffsetMs(instantMs, timeZone)).toISOString().slice(0, 10);
}

/** Empty if there is no such day. */
export function addDays(day: string, days: number): string {
  const text: string | null = new Date(Date.parse(day) + days * DAY_MS).toJSON();
  return text?.slice(0, 10) ?? "";
}

/**
 * Returns the day so many days ago as YYYY-MM-DD, by the calendar of a time zone: 0 is today, 1 yesterday.
 *
 * @param now Default: the present.
 * @throws TypeError if `timeZone` is not the IANA name of one.
 * @example
 * ```ts
 * const yesterday = daysAgo(1, "Europe/Berlin");
 * ```
 */
export function daysAgo(days: number, timeZone: string, now: Date = new Date()): string {
  // By the calendar: a day has 23 or 25 hours when clocks are changed.
  return addDays(toDay(now.getTime(), timeZone), -days);
}
