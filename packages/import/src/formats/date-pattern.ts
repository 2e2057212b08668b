// Patterns of dates and times, such as "dd.MM.yyyy HH:mm": what each letter stands for, and the reader of a pattern.
import { isTimeZone, parseSourceTime, withOffset } from "@call-media/store/values";
import { ImportError } from "../import-error.ts";

/** Gives local time in ISO 8601, with an offset where the pattern has one; undefined for text of another form. */
export type PatternReader = (text: string) => string | undefined;

type Part =
  | "year"
  | "month"
  | "day"
  | "weekday"
  | "hour"
  | "minute"
  | "second"
  | "ms"
  | "half"
  | "zone"
  | "offset";

interface Token {
  readonly part: Part;
  /** The text of a regular expression without groups. */
  readonly source: string;
  readonly read: (text: string) => number;
}

const MONTHS =
  "January February March April May June July August September October November December";
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday";

const digits = (part: Part, count: string, read: Token["read"] = Number): Token => {
  return { part, source: `\\d{${count}}`, read };
};

/** English names, whatever the machine speaks, in upper or lower case. */
const names = (part: Part, text: string, first = 0): Token => {
  const forms = text.toLowerCase().split(" ");
  const read = (name: string) => first + forms.indexOf(name.toLowerCase());
  return { part, source: forms.join("|"), read };
};

const toShort = (text: string) => text.replace(/(\w{3})\w*/g, "$1");

// RFC 2822, 4.3: the abbreviations that have one meaning.
const OFFSETS: Readonly<Record<string, string>> = {
  UTC: "Z",
  GMT: "Z",
  UT: "Z",
  Z: "Z",
  EST: "-05:00",
  EDT: "-04:00",
  CST: "-06:00",
  CDT: "-05:00",
  MST: "-07:00",
  MDT: "-06:00",
  PST: "-08:00",
  PDT: "-07:00",
};

const TOKENS: ReadonlyMap<string, Token> = new Map([
  ["y", digits("year", "1,4")],
  ["yy", digits("year", "2,4", toFullYear)],
  ["yyyy", digits("year", "4")],
  ["M", digits("month", "1,2")],
  ["MM", digits("month", "2")],
  ["MMM", names("month", toShort(MONTHS), 1)],
  ["MMMM", names("month", MONTHS, 1)],
  ["d", digits("day", "1,2")],
  ["dd", digits("day", "2")],
  ["EEE", names("weekday", toShort(WEEKDAYS))],
  ["EEEE", names("weekday", WEEKDAYS)],
  ["H", digits("hour", "1,2")],
  ["HH", digits("hour", "2")],
  ["h", digits("hour", "1,2")],
  ["hh", digits("hour", "2")],
  ["m", digits("minute", "1,2")],
  ["mm", digits("minute", "2")],
  ["s", digits("second", "1,2")],
  ["ss", digits("second", "2")],
  ["S", digits("ms", "1,3")],
  ["SSS", digits("ms", "3")],
  ["u", digits("ms", "1,9", (text) => Number(text.slice(0, 3).padEnd(3, "0")))],
  ["a", names("half", "AM PM")],
  ["Z", { part: "offset", source: "Z|[+-]\\d{1,2}(?::\\d{2})?", read: toMinutes }],
  ["ZZ", { part: "offset", source: "Z|[+-]\\d{1,2}(?::\\d{2})?", read: toMinutes }],
  ["VV", { part: "zone", source: "[a-z_]+(?:/[\\w+-]+)*", read: () => 0 }],
  ["ZZZ", { part: "offset", source: "Z|[+-]\\d{1,2}(?:\\d{2})?", read: toMinutes }],
]);

// Text in single quotes, a run of one letter, any other character.
const PIECE = /'([^']*)'?|([A-Za-z])\2*|[^A-Za-z']/g;
const MAX_LENGTH = 100;
const ADVICE = "write it with yyyy, MM or MMM, dd, HH, mm and ss, and words in single quotes";

export interface PatternZones {
  /** True if the time zone is said elsewhere. */
  readonly hasZone?: boolean;
  /** Offsets of abbreviations in upper case, which `z` reads beside those of RFC 2822. */
  readonly zones?: Readonly<Record<string, string>>;
}

/** The abbreviations that `z` reads, for messages. */
export const ABBREVIATIONS_READ = Object.keys(OFFSETS).join(", ");

/**
 * Throws `ImportError`, naming `key`, for what is not a date pattern, and for one that
 * would read a time zone as a word.
 */
export function createPatternReader(
  key: string,
  pattern: string,
  { hasZone = false, zones = {} }: PatternZones = {},
): PatternReader {
  const abbreviations = { ...OFFSETS, ...zones };
  const toToken = (piece: string) =>
    piece === "z" ? toZoneToken(abbreviations) : TOKENS.get(piece);
  const tokens: Token[] = [];
  let source = "";
  const fault = findFault(pattern) ?? (hasZone ? undefined : findZoneFault(pattern));
  if (fault !== undefined) throw new ImportError(`${key}: ${fault}`);
  for (const [piece, quoted = piece] of pattern.matchAll(PIECE)) {
    const token = toToken(piece);
    if (token !== undefined) tokens.push(token);
    source += token === undefined ? quoted.replace(/[^\w\s]/g, "\\$&") : `(${token.source})`;
  }
  const form = new RegExp(`^${source}$`, "i");
  return (text) => {
    const values = form.exec(text.trim())?.slice(1);
    if (values === undefined) return undefined;
    const local = toIso(
      new Map(tokens.map(({ part, read }, at) => [part, read(values[at] ?? "")])),
    );
    const zone = values[tokens.findIndex(({ part }) => part === "zone")];
    return zone === undefined || local === undefined ? local : toZoned(local, zone);
  };
}

const toZoneToken = (offsets: Readonly<Record<string, string>>): Token => ({
  part: "offset",
  source: Object.keys(offsets)
    .map((name) => name.replace(/[^\w\s]/g, "\\$&"))
    .join("|"),
  read: (name) => toMinutes(offsets[name.toUpperCase()] ?? ""),
});

function toZoned(local: string, zone: string): string | undefined {
  const parsed = isTimeZone(zone) ? parseSourceTime(local, zone) : "";
  return typeof parsed === "string" ? undefined : withOffset(local, parsed.instantMs);
}

function findFault(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH)
    return `has ${pattern.length.toLocaleString("en")} letters: a pattern of a date has at most ${MAX_LENGTH}`;
  const runs = [...pattern.matchAll(PIECE)].filter(([, , letter]) => letter !== undefined);
  const unknown = runs.find(([run]) => run !== "z" && !TOKENS.has(run));
  if (unknown !== undefined)
    return `"${pattern}" is not a date pattern, "${unknown[0]}" stands for nothing: ${ADVICE}`;
  const letters = runs.map(([, , letter]) => letter).join("");
  if (!/y/.test(letters) || !/M/.test(letters) || !/d/.test(letters))
    return `"${pattern}" is not a date pattern: ${ADVICE}`;
  const parts = runs.map(([run]) => TOKENS.get(run)?.part);
  const twice = parts.find((part, at) => parts.includes(part, at + 1));
  // Without this rule an afternoon would become a morning.
  if (letters.includes("a") && letters.includes("H"))
    return `"${pattern}" has hours up to 23 (HH), and AM or PM (a): write hh, which reads both`;
  if (letters.includes("h") && !letters.includes("a"))
    return `"${pattern}" does not say which half of the day: add a (AM or PM), or write HH for hours up to 23`;
  const clock = parts.filter((part) => part !== undefined && part in CLOCK);
  const early = clock.find((part, at) => toRank(part) > toRank(clock[at + 1]));
  if (early !== undefined)
    return `"${pattern}" has the ${early} before the ${clock[clock.indexOf(early) + 1]}, as no clock is written: ${ADVICE}`;
  return twice && `"${pattern}" has the ${twice} twice`;
}

// Minutes and seconds pass as each other.
const CLOCK: Partial<Record<Part, number>> = { hour: 1, minute: 2, second: 3 };
const toRank = (part: Part | undefined) => (part && CLOCK[part]) ?? Infinity;

// Abbreviations that the time zone database does not have as names.
const ABBREVIATIONS =
  /^(?:Z|UT|[ECMP][SD]T|AK[SD]T|[AN]Z?[SD]T|A[ECW][SD]T|BST|IST|MSK|[CEW]ES?T|MES?Z|[HJKS][SGK]T)$/i;

// Words and digits stand for themselves: a time that says its zone in them would be read in another.
function findZoneFault(pattern: string): string | undefined {
  const words = [...pattern.matchAll(PIECE)].flatMap(([, word]) => word?.trim() || []);
  const zone = words.find((word) => ABBREVIATIONS.test(word) || isTimeZone(word));
  const offset = /(?:^|[^\d.-])([+-]\d{1,2}:?\d\d)\W*$/.exec(pattern)?.[1];
  if (zone === undefined && offset === undefined) return undefined;
  const isOffset = zone === undefined || /^(?:z|[+-].*)$/i.test(zone);
  const advice = isOffset ? "write ZZ for it, which reads Z, +01:00 and -05:00" : ADVICE_OF_ZONE;
  return `"${pattern}": ${zone ?? offset} is a time zone, which stands for itself here and is not read: ${advice}`;
}

const ADVICE_OF_ZONE =
  'say the zone beside the format, as "zone": "UTC" or "zone": "Europe/Berlin", or write z, which reads UTC, EST or PDT, or VV for Europe/Berlin';

function toIso(parts: ReadonlyMap<Part, number>): string | undefined {
  const at = (part: Part) => parts.get(part) ?? 0;
  const midnight = new Date(Date.UTC(at("year"), at("month") - 1, at("day")));
  // Date.UTC carries an overflow into the next field, and takes the year 26 for 1926.
  const isDay =
    midnight.getUTCFullYear() === at("year") &&
    midnight.getUTCMonth() === at("month") - 1 &&
    (parts.get("weekday") ?? midnight.getUTCDay()) === midnight.getUTCDay();
  const hour = toHour(at("hour"), parts.get("half"));
  const rest = (at("minute") * 60 + at("second")) * 1_000 + at("ms");
  const isTime = hour <= (rest === 0 ? 24 : 23) && at("minute") <= 59 && at("second") <= 59;
  const offset = toOffset(parts.get("offset"));
  if (!isDay || !isTime || offset === undefined) return undefined;
  const local = new Date(midnight.getTime() + hour * 3_600_000 + rest).toISOString();
  return local.replace(/(?:\.000)?Z$/, offset);
}

// A half of the day does not change the hours of an afternoon that are more than 12 already.
function toHour(hour: number, half: number | undefined): number {
  if (half === 0 && hour === 12) return 0;
  return half === 1 && hour < 12 ? hour + 12 : hour;
}

function toFullYear(text: string): number {
  const year = Number(text);
  return year > 99 ? year : year + (year > 60 ? 1900 : 2000);
}

function toMinutes(text: string): number {
  if (/^z$/i.test(text)) return 0;
  const [, sign, hours, minutes = "0"] = /^([+-])(\d{1,2}):?(\d\d)?$/.exec(text) ?? [];
  const total = Number(hours) * 60 + Number(minutes);
  return Number(minutes) > 59 ? Number.NaN : total * (sign === "-" ? -1 : 1);
}

/** `+02:00`, or `Z` for none; undefined for one that no clock has. */
function toOffset(minutes: number | undefined): string | undefined {
  if (minutes === undefined) return "";
  if (minutes === 0) return "Z";
  if (!(Math.abs(minutes) < 24 * 60)) return undefined;
  const two = (value: number) => String(Math.trunc(value)).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(size / 60)}:${two(size % 60)}`;
}
