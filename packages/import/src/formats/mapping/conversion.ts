// Converts the text of a column into text, an integer, seconds or a datetime.
import { parseDatetime } from "@call-media/store/values";
import { ABBREVIATIONS_READ, createPatternReader, type PatternZones } from "../date-pattern.ts";

/** The value of a text; a fault, as the end of a sentence about the field, where it has none. */
export type Conversion = (
  text: string,
) => { readonly value: string | number } | { readonly fault: string };

const INTEGER = /^\d{1,15}$/;
const SECONDS = /^\d{1,9}(?:\.\d+)?$/;
const CLOCK = /^(?:(\d{1,5}):)?(\d{1,5})[:']([0-5]?\d(?:[.,]\d+)?)$/; // 1:02:03, 02:03, 00:01'29
// PT1M35S, 1m 35s, 1 h 2 min
const WORDS =
  /^(?:PT)?(?:(\d+(?:\.\d+)?) ?h(?:(?:ou)?rs?)? ?)?(?:(\d+(?:\.\d+)?) ?m(?:in(?:ute)?s?)? ?)?(?:(\d+(?:\.\d+)?) ?s(?:ec(?:ond)?s?)?)?$/i;
const EPOCH_TIME = /^-?\d{1,15}(?:\.\d+)?$/;
const LAST_MS = 8.64e15; // of a JavaScript date

const toText: Conversion = (text) => ({ value: text });

const toInteger: Conversion = (text) => {
  const digits = text.trim();
  return INTEGER.test(digits)
    ? { value: Number(digits) }
    : { fault: `"${text}" is not a whole number of 0 or more` };
};

// It may stand for decimals or for thousands.
const COMMA =
  "it has a comma; write decimals with a point, as 1.5, and thousands without a separator, as 1500";

/** To the nearest second, a half upwards. */
export const toSeconds: Conversion = (text) => {
  const trimmed = text.trim();
  if (SECONDS.test(trimmed)) return { value: Math.round(Number(trimmed)) };
  const form = CLOCK.exec(trimmed) ?? (/\d/.test(trimmed) ? WORDS.exec(trimmed) : null);
  if (form === null)
    return {
      fault: `"${text}" is not a duration: ${/\d,\d/.test(trimmed) ? COMMA : "give seconds, MM:SS or HH:MM:SS"}`,
    };
  const [hours = 0, minutes = 0, seconds = 0] = form
    .slice(1)
    .map((part: string | undefined) => Number((part ?? "0").replace(",", ".")));
  return { value: Math.round(hours * 3_600 + minutes * 60 + seconds) };
};

/** Units of numbers that are durations, in seconds; clock times such as MM:SS need none. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ["ms", 0.001],
  ["s", 1],
  ["min", 60],
  ["h", 3_600],
]);

export const UNIT_NAMES: readonly string[] = [...UNITS.keys()];

export function isUnit(name: unknown): name is string {
  return typeof name === "string" && UNITS.has(name);
}

const COUNT = /^\d{1,12}(?:\.\d+)?$/;

function createDuration(unit: string): Conversion {
  const factor = UNITS.get(unit) ?? 1;
  return (text) =>
    COUNT.test(text.trim()) ? { value: Math.round(Number(text) * factor) } : toSeconds(text);
}

const PLAIN = { text: toText, integer: toInteger, duration: toSeconds } as const;

export type ConversionName = keyof typeof PLAIN | "datetime";

export const CONVERSIONS: readonly string[] = [...Object.keys(PLAIN), "datetime"];

export function isConversion(name: unknown): name is ConversionName {
  return typeof name === "string" && CONVERSIONS.includes(name);
}

export interface ConversionOptions {
  readonly as: ConversionName;
  /** The first that fits is taken; none is ISO 8601. */
  readonly formats?: readonly string[];
  readonly epochMs?: number | undefined;
  /** Unit of a duration: ms, s, min or h. */
  readonly unit?: string | undefined;
  /** True if the time zone is said next to the pattern. */
  readonly hasZone?: boolean | undefined;
  /** Offsets of abbreviations, in upper case, that `z` reads beside those that have one meaning. */
  readonly zones?: Readonly<Record<string, string>>;
}

/** Throws `ImportError`, naming `key`, for a format that is none. */
export function createConversion(
  key: string,
  { as, formats = [], epochMs, unit, hasZone = false, zones = {} }: ConversionOptions,
): Conversion {
  if (as === "duration" && unit !== undefined) return createDuration(unit);
  if (as !== "datetime") return PLAIN[as];
  const conversions = (formats.length === 0 ? ["iso"] : formats).map((format) => {
    if (format === "iso") return formats.length > 1 ? toIso : toTrimmed;
    if (format === "unix") return createEpochConversion(1_000, epochMs);
    if (format === "unix-ms") return createEpochConversion(1, epochMs);
    return createPatternConversion(key, format, { hasZone, zones });
  });
  return (text) => {
    const tried = conversions.map((convert) => convert(text));
    return tried.find((one) => "value" in one) ?? tried.at(-1) ?? { value: text };
  };
}

// The check of the entry reports a text that is not a datetime.
const toTrimmed: Conversion = (text) => ({ value: text.trim() });

const toIso: Conversion = (text) =>
  typeof parseDatetime(text.trim(), "UTC") === "string"
    ? { fault: `"${text}" is not an ISO 8601 date and time` }
    : { value: text.trim() };

function createEpochConversion(unitMs: number, epochMs = 0): Conversion {
  return (text) => {
    const count = EPOCH_TIME.test(text.trim()) ? Number(text) : Number.NaN;
    const instantMs = Math.round(epochMs + count * unitMs);
    if (!(Math.abs(instantMs) <= LAST_MS))
      return { fault: `"${text}" is not a number of ${unitMs === 1 ? "milliseconds" : "seconds"}` };
    return { value: new Date(instantMs).toISOString().replace(".000Z", "Z") };
  };
}

function createPatternConversion(key: string, pattern: string, zones: PatternZones): Conversion {
  const read = createPatternReader(key, pattern, zones);
  const hint = /(?<!')\bz\b/.test(pattern)
    ? `, of which z reads ${ABBREVIATIONS_READ} and those that the mapping says, as "zones": { "IST": "+05:30" }`
    : "";
  return (text) => {
    const value = read(text);
    return value === undefined
      ? { fault: `"${text}" is not a date and time of the form "${pattern}"${hint}` }
      : { value };
  };
}
