// Converts datetimes of any source (D03) and calendar days (D06) to instants: milliseconds since 1970-01-01T00:00Z.
import { Temporal } from "temporal-polyfill";

/** The allowed years of a record: those that fit into 44 bits of milliseconds with a day to spare (see order-key.ts). */
const FIRST_YEAR = 1831;
const LAST_YEAR = 2247;

// ISO 8601 extended form, with "T" or a space, seconds and their fraction optional, offset optional.
const DATETIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|z|[+-]\d\d(?::?\d\d)?))?)?$/;

const DAY_MS = 86_400_000;

/** A parsed datetime: its instant, and whether the text itself has an offset from UTC. */
export interface ParsedDatetime {
  readonly instantMs: number;
  readonly hasOffset: boolean;
}

/**
 * Parses an ISO 8601 date and time. Text without an offset is local time in `timeZone` (D03). In a repeated hour of a
 * clock change it is the first of the two; in a skipped hour, the time after the change. A date without a time is the
 * start of that day. Returns a sentence about the fault if the text is invalid.
 */
export function parseDatetime(text: string, timeZone: string): ParsedDatetime | string {
  const match = DATETIME.exec(text);
  if (match === null) return `"${text}" is not an ISO 8601 date and time`;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", offset] = match;
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR)
    return `"${text}" lies outside the years ${FIRST_YEAR} to ${LAST_YEAR}`;
  const local = toUtc([
    Number(year),
    Number(month),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  ]);
  if (local === undefined) return `"${text}" is not a time that any calendar has`;
  const localMs = fraction === "" ? local : local + Number(fraction.slice(0, 3).padEnd(3, "0"));
  const instantMs =
    localMs - (offset === undefined ? toOffsetMs(localMs, timeZone) : parseOffsetMs(offset));
  if (Number.isNaN(instantMs)) return `"${text}" has an offset that no clock has`;
  return { instantMs, hasOffset: offset !== undefined };
}

/** A datetime of a source, and whether its clock shows it a second time. */
export interface SourceTime extends ParsedDatetime {
  readonly isRepeated: boolean;
}

/** The same for newly written text: a local time that a clock change skips is a fault too. */
export function parseSourceTime(text: string, timeZone: string): SourceTime | string {
  const parsed = parseDatetime(text, timeZone);
  if (typeof parsed === "string") return parsed;
  const shown = parsed.hasOffset ? 1 : countShown(text, timeZone);
  if (shown === 0)
    return `"${text}" is a time that no clock in ${timeZone} shows: they are put forward then`;
  return { ...parsed, isRepeated: shown > 1 };
}

/** How often clocks show this local time. */
function countShown(text: string, timeZone: string): number {
  const parsed = parseDatetime(text, "UTC");
  if (typeof parsed === "string" || toDayOffset(parsed.instantMs, timeZone) !== undefined) return 1;
  const local = toLocal(parsed.instantMs);
  const [earlier, later] = (["earlier", "later"] as const).map((disambiguation) =>
    local.toZonedDateTime(timeZone, { disambiguation }),
  );
  if (earlier === undefined || later === undefined || earlier.equals(later)) return 1;
  return earlier.toPlainDateTime().equals(local) ? 2 : 0;
}

/** The half-open range of instants of the days `startDate` to `endDate`, both inclusive, in `timeZone` (D06). */
export function toDayRange(
  startDate: string,
  endDate: string,
  timeZone: string,
): { fromMs: number; untilMs: number } {
  return {
    fromMs: toStartMs(startDate, 0, timeZone),
    untilMs: toStartMs(endDate, 1, timeZone),
  };
}

// Temporal takes a tenth of the time of a search, and the same days are requested again and again.
const dayStarts = new Map<string, number>();

/** The first instant of the day `later` days after the date. */
function toStartMs(date: string, later: number, timeZone: string): number {
  return recall(dayStarts, `${timeZone} ${date} ${later}`, () => {
    const day = Temporal.PlainDate.from(date).add({ days: later });
    return day.toZonedDateTime(timeZone).epochMilliseconds;
  });
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

/** A sentence about the fault of a text; undefined for a calendar day of the form YYYY-MM-DD (D06). */
export function findDayFault(text: string): string | undefined {
  const [, year, month, day] = DAY.exec(text) ?? [];
  const isReal =
    day !== undefined && toUtc([Number(year), Number(month), Number(day), 0, 0, 0]) !== undefined;
  return isReal ? undefined : `"${text}" is not a calendar day of the form YYYY-MM-DD`;
}

/** True if `name` is a time zone that this machine knows: an IANA name or "UTC". */
export function isTimeZone(name: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/** Appends its offset to `text`, a datetime without an offset that is local time at `instantMs`: `2026-08-21T09:00+02:00`. */
export function withOffset(text: string, instantMs: number): string {
  const local = parseDatetime(text, "UTC");
  const minutes =
    typeof local === "string" ? 0 : Math.round((local.instantMs - instantMs) / 60_000);
  return `${text.length === 10 ? `${text}T00:00:00` : text}${toOffset(minutes)}`;
}

/** 120 is +02:00, which is also the name of a time zone. */
export function toOffset(minutes: number): string {
  const time = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
  return `${minutes < 0 ? "-" : "+"}${time}`;
}

/** The calendar day in `timeZone` at `instantMs`, YYYY-MM-DD. */
export function toDay(instantMs: number, timeZone: string): string {
  const offsetMs = toOffsetOfDay(instantMs, timeZone);
  if (offsetMs !== undefined) return new Date(instantMs + offsetMs).toISOString().slice(0, 10);
  return toZoned(instantMs, timeZone).toPlainDate().toString();
}

const toZoned = (instantMs: number, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timeZone);

const offsetsOfDays = new Map<string, number | undefined>();

/** The offset of the whole day in UTC; undefined if clocks change on it. */
function toOffsetOfDay(instantMs: number, timeZone: string): number | undefined {
  const day = Math.floor(instantMs / DAY_MS);
  return recall(offsetsOfDays, `${timeZone} ${day}`, () => {
    const [first, next] = [day, day + 1].map(
      (one) => toZoned(one * DAY_MS, timeZone).offsetNanoseconds / 1e6,
    );
    return first === next ? first : undefined;
  });
}

type Parts = readonly [
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
];

// Date.UTC carries an overflow into the next field: 31 April becomes 1 May, which differs from the given text. A leap
// second (:60) is read as the second after it.
function toUtc([year, month, day, hour, minute, second]: Parts): number | undefined {
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const midnightMs = Date.UTC(year, month - 1, day);
  const midnight = new Date(midnightMs);
  const isReal = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  return isReal ? midnightMs + ((hour * 60 + minute) * 60 + second) * 1_000 : undefined;
}

function parseOffsetMs(offset: string): number {
  if (offset === "Z" || offset === "z") return 0;
  const digits = offset.slice(1).replace(":", "");
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2) || "0");
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

// Temporal is slow, and an import needs it twice for every call. If the offset is the same at the start and the end of a day, it is
// the same all day.
const dayOffsets = new Map<string, number | undefined>();

const toOffsetMs = (localMs: number, timeZone: string): number =>
  toDayOffset(localMs, timeZone) ?? askOffsetMs(localMs, timeZone);

/** Undefined on a day with a clock change. */
function toDayOffset(localMs: number, timeZone: string): number | undefined {
  if (timeZone === "UTC") return 0;
  const day = Math.floor(localMs / DAY_MS);
  return recall(dayOffsets, `${timeZone} ${day}`, () => {
    const before = askOffsetMs(day * DAY_MS - 1, timeZone);
    return before === askOffsetMs((day + 1) * DAY_MS - 1, timeZone) ? before : undefined;
  });
}

const MAX_RECALLED = 10_000;

/** A cache of `ask`. At this number of keys all are dropped, so that no caller can fill the memory. */
function recall<T>(known: Map<string, T>, key: string, ask: () => T): T {
  const found = known.get(key);
  if (found !== undefined || known.has(key)) return found as T; // only results of `ask` were set
  if (known.size >= MAX_RECALLED) known.clear();
  const asked = ask();
  known.set(key, asked);
  return asked;
}

const askOffsetMs = (localMs: number, timeZone: string): number =>
  localMs - toLocal(localMs).toZonedDateTime(timeZone).epochMilliseconds;

const toLocal = (localMs: number) =>
  Temporal.Instant.fromEpochMilliseconds(localMs).toZonedDateTimeISO("UTC").toPlainDateTime();
