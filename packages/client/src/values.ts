// Reads values that services write in several ways.
import { isDay, toInstantMs } from "./time-zones.ts";

/** A datetime of a record. */
export interface Datetime {
  /** The text of the record. */
  readonly raw: string;
  /** The time, if the text has an offset or Z, or if `timeZone` was given (D03). */
  readonly instant: Date | undefined;
  /** True if the text has an offset or Z. Without one it is in the time zone of the archive. */
  readonly zoneKnown: boolean;
}

/** Milliseconds since 1970; NaN if `text` is not a datetime. `zone` is the offset of text without one. */
export function parseInstantMs(text: unknown, zone: string): number {
  // ISO 8601 as the contract has it. A day without a time is its midnight. Some services write a space for the T, or before
  // the offset. Other text leaves no digit: V8 reads ":00" as the year 2000, whatever precedes it.
  const [, day = "", time = "00:00", hours = zone, minutes = "00"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(?: ?([+-]\d\d)(?::?(\d\d))?)?$/i.exec(
      String(text).replace(",", ".").replace(/z/i, "+00"),
    ) ?? "?????";
  // V8 reads February 30 as a day in March.
  if (!isDay(day)) return NaN;
  // A leap second counts as the second after it, as in POSIX.
  const plain = time.replace(/(?<=^.{5}):60/, ":59");
  return Date.parse(`${day}T${plain}${hours}:${minutes}`) + (plain === time ? 0 : 1000);
}

/** How to read text without an offset. */
export interface DatetimeOptions {
  /** IANA name of the archive's time zone, such as that of a search's report. Undefined: text without an offset has no instant. */
  readonly timeZone?: string | undefined;
}

/**
 * Parses a datetime of a record; undefined for null and undefined. Other text has neither instant nor zone.
 *
 * @throws TypeError if `timeZone` is not the IANA name of one.
 * @example
 * ```ts
 * toDatetime("2026-03-01T09:30:00+02:00")?.instant; // a Date
 * toDatetime("2026-03-01T09:30:00", { timeZone: search.report.timeZone })?.instant; // a Date
 * ```
 */
export function toDatetime(
  raw: string | null | undefined,
  { timeZone }: DatetimeOptions = {},
): Datetime | undefined {
  if (raw === null || raw === undefined) return undefined;
  const ms = parseInstantMs(raw, "?");
  const zoneKnown = Number.isSafeInteger(ms);
  const instantMs =
    zoneKnown || timeZone === undefined ? ms : toInstantMs(parseInstantMs(raw, "+00"), timeZone);
  return { raw, instant: Number.isNaN(instantMs) ? undefined : new Date(instantMs), zoneKnown };
}

/**
 * Reads handle_time or talk_time in seconds, which some services write as text (D02). Undefined for other values.
 *
 * @example
 * ```ts
 * toSeconds("95"); // 95
 * ```
 */
export function toSeconds(value: unknown): number | undefined {
  const seconds = isText(value) ? parseCount(value) : value;
  return Number.isSafeInteger(seconds) ? (seconds as number) : undefined;
}

/** True for an object as JSON has it, not for an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON; undefined if `text` is not JSON. The SyntaxError is dropped, because it quotes the text, which may be a token. */
export function parseJson(
  text: string,
  revive?: (name: string, value: unknown) => unknown,
): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}

/** True if `text` can be sent as `Authorization: Bearer`. RFC 6750, section 2.1 is stricter. */
export function isBearer(text: unknown): text is string {
  return isText(text) && /^[\x21-\x7e]+$/.test(text);
}

/** True for text that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Decimal digits as a number; undefined for other text. */
export function parseCount(text: string | null | undefined): number | undefined {
  return text && /^\d+$/.test(text) ? Number(text) : undefined;
}
