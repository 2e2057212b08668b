// Days and times of a time zone, from the zone data of the runtime.
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

/**
 * Returns the milliseconds that a time zone is ahead of UTC at an instant, which is in ms since 1970.
 *
 * @param timeZone An IANA name, or an offset such as +02:00.
 * @throws TypeError if `timeZone` is neither.
 * @example
 * ```ts
 * toOffsetMs(Date.parse("2026-07-01T00:00:00Z"), "Europe/Berlin"); // 7,200,000
 * ```
 */
export function toOffsetMs(instantMs: number, timeZone: string): number {
  // Some runtimes do not support offsets as zones.
  const name = /^(?:UTC|[+-]\d\d:\d\d)$/.test(timeZone)
    ? timeZone
    : readOffset(instantMs, timeZone);
  // GMT, GMT+05:30 or, before zones were introduced, GMT+00:53:28.
  const [, sign = "+", ...digits] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = digits.map((text) => Number(text ?? 0));
  return (sign === "-" ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
}

/**
 * Returns how far a time zone is ahead of UTC, as datetimes have it: +02:00. The offset is in ms, as `toOffsetMs` returns it.
 *
 * @example
 * ```ts
 * toOffset(7_200_000); // +02:00
 * ```
 */
export function toOffset(offsetMs: number): string {
  const time = new Date(Math.abs(offsetMs)).toISOString().slice(11, 16);
  return `${offsetMs < 0 ? "-" : "+"}${time}`;
}

/** The part of a response that is needed here. */
interface Headed {
  readonly headers: Pick<Headers, "get">;
}

/**
 * Reads the archive's time zone from a response with records (D34): an IANA name, or an offset. Undefined if the service does not state it,
 * or names one that the runtime does not know.
 *
 * @example
 * ```ts
 * const { data: records, response } = await client.calls.byCustomFields(search).page(0);
 * const timeZone = readArchiveZone(response);
 * ```
 */
export function readArchiveZone({ headers }: Headed): string | undefined {
  const zone = headers.get("Archive-Time-Zone") ?? "";
  try {
    toOffsetMs(0, zone);
    return zone;
  } catch {
    return undefined;
  }
}

function readOffset(instantMs: number, timeZone: string): string {
  const parts = toFormat(timeZone).formatToParts(instantMs);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/**
 * The instant of a local time, which is passed as if it were UTC. For a repeated hour, the first instant (D03). A skipped one counts as if
 * the clock had not been changed.
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

/** The day of an instant, as YYYY-MM-DD. */
export function toDay(instantMs: number, timeZone: string): string {
  return new Date(instantMs + toOffsetMs(instantMs, timeZone)).toISOString().slice(0, 10);
}

/**
 * Returns the day `days` days later as YYYY-MM-DD, or earlier if `days` is negative. Empty if there is no such day.
 *
 * @example
 * ```ts
 * addDays("2026-02-28", 1); // 2026-03-01
 * ```
 */
export function addDays(day: string, days: number): string {
  const text: string | null = new Date(Date.parse(day) + days * DAY_MS).toJSON();
  return text?.slice(0, 10) ?? "";
}

/**
 * True for YYYY-MM-DD and a day of the calendar.
 *
 * @example
 * ```ts
 * isDay("2026-02-30"); // false
 * ```
 */
export function isDay(text: string): boolean {
  // Date.parse reads February 30 as a day in March.
  return text !== "" && addDays(text, 0) === text;
}

/**
 * Returns the day `days` days ago as YYYY-MM-DD, by the calendar of a time zone: 0 is today, 1 yesterday.
 *
 * @param now Default: the present.
 * @throws TypeError if `timeZone` is not the IANA name of one.
 * @example
 * ```ts
 * const yesterday = daysAgo(1, "Europe/Berlin");
 * ```
 */
export function daysAgo(days: number, timeZone: string, now: Date = new Date()): string {
  // By the calendar, because a day has 23 or 25 hours when clocks are changed.
  return addDays(toDay(now.getTime(), timeZone), -days);
}
