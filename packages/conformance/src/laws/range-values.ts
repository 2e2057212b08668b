// The values of ranges: days in a zone, instants and numbers, and whether they lie between two ends.
import type { RuleOf } from "../relations/kinds.ts";
import { parseMoment } from "../values/moments.ts";
import { toText } from "../values/places.ts";

export const DAY_MS = 86_400_000;
/** No time zone is further from UTC. */
export const ZONE_MS = 14 * 3_600_000;

/** The day of a value in a time zone. */
export type DayOf = (value: unknown) => string;

/** Undefined: the range has no such end. */
export interface Ends {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export function toDayOf(zone: unknown): DayOf | undefined {
  try {
    // Swedish dates are written YYYY-MM-DD.
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone: String(zone), dateStyle: "short" });
    return (value) => {
      const moment = parseMoment(value);
      // A moment without an offset belongs to the day it names.
      return moment?.hasOffset === true ? format.format(moment.ms) : toText(value).slice(0, 10);
    };
  } catch {
    return undefined; // not a time zone
  }
}

export const isPlainDay = (value: unknown): boolean =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);

/** The maximum of `Date` is a little larger (ECMA-262, 21.4.1.1). */
const MAX_MS = 8e15;

/** Milliseconds of a day or an instant, or the number itself. */
export function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string"
    ? /^-?[\d.]+$/.test(value)
      ? Number(value)
      : Date.parse(value)
    : Number.NaN;
}

export const isOfUnit = ({ unit }: RuleOf<"range">, value: number): boolean =>
  unit === "number" ? !Number.isNaN(value) : Math.abs(value) < MAX_MS;

/** The end of a range as a client wrote it. NaN if the rule does not say what it means. */
export function toEdge({ unit = "day" }: RuleOf<"range">, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (unit === "number") return toNumber(value);
  const moment = parseMoment(value);
  if (unit === "instant") return moment?.hasOffset === true ? moment.ms : Number.NaN;
  const ms = isPlainDay(value) ? Date.parse(toText(value)) : Number.NaN;
  // The 30th of February is read as a day of March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === value ? ms : Number.NaN;
}

/** Tests of a value: within the range, and so near to an end that either may be right. */
export function toTests(rule: RuleOf<"range">, dayOf: DayOf | undefined, edges: Ends) {
  const isDay = (rule.unit ?? "day") === "day";
  const { from = -Infinity, to = Infinity } = edges;
  // A day includes its last millisecond if rows have instants.
  const end = to + (isDay ? DAY_MS - 1 : 0);
  /** In a known zone, the day: represented by its midnight in UTC. */
  const toPoint = (value: unknown): number =>
    toNumber(isDay && dayOf !== undefined ? dayOf(value) : value);
  const isInside = (value: unknown) => {
    const point = toPoint(value);
    return point >= from && (rule.ends === "half-open" ? point < to : point <= end);
  };
  const isNear = (value: unknown) => {
    const point = toPoint(value);
    const slack = isDay && dayOf === undefined && !isPlainDay(value) ? ZONE_MS : 0;
    const isEdge = rule.ends === "either" && (point === from || point === to);
    return isEdge || (slack > 0 && [from, end].some((edge) => Math.abs(point - edge) <= slack));
  };
  return { isInside, isNear };
}
