// Values of records as programs count with them, where services write them in more than one way.

/** A datetime of a record. */
export interface Datetime {
  /** As the record has it. */
  readonly raw: string;
  /** The moment, where the text says which: it has an offset or Z (D03). */
  readonly instant: Date | undefined;
  /** Whether the text has an offset. Without one it is in the time zone of the archive. */
  readonly zoneKnown: boolean;
}

/** Milliseconds since 1970; NaN for what is no datetime. Text without an offset is read in `zone`. */
export function parseInstantMs(text: unknown, zone: string): number {
  // ISO 8601 as the contract has it: a day alone is its midnight, and some services write a space for the T or before the
  // offset. Of what is none of it no digit stays: V8 takes ":00" for the year 2000, whatever is before it.
  const [, day, time = "00:00", hours = zone, minutes = "00"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(?: ?([+-]\d\d)(?::?(\d\d))?)?$/i.exec(
      String(text).replace(",", ".").replace(/z/i, "+00"),
    ) ?? "?????";
  return Date.parse(`${day}T${time}${hours}:${minutes}`);
}

/**
 * Undefined where there is no text. Text that is no datetime has neither instant nor zone.
 *
 * @example
 * ```ts
 * toDatetime("2026-03-01T09:30:00+02:00")?.instant; // a Date
 * ```
 */
export function toDatetime(raw: string | null | undefined): Datetime | undefined {
  if (raw === null || raw === undefined) return undefined;
  const ms = parseInstantMs(raw, "?");
  const zoneKnown = Number.isSafeInteger(ms);
  return { raw, instant: zoneKnown ? new Date(ms) : undefined, zoneKnown };
}

/**
 * handle_time or talk_time in seconds; some services write the integer as text (D02). Undefined for all else.
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

/** Whether it is an object with names, as JSON has them. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON as a value; undefined if `text` is none. The SyntaxError is dropped: it quotes the text, perhaps a token. */
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

/** Whether `text` can be sent as `Authorization: Bearer`. RFC 6750, section 2.1 allows even less. */
export function isBearer(text: unknown): text is string {
  return isText(text) && /^[\x21-\x7e]+$/.test(text);
}

/** Whether it is text at all, and not empty. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Decimal digits as a number; undefined for all else. */
export function parseCount(text: string | null | undefined): number | undefined {
  return text && /^\d+$/.test(text) ? Number(text) : undefined;
}
