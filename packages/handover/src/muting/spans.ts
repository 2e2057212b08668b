// The spans of calls to mute in a hand-over, parsed from a CSV or JSON file.
import { MAX_PART } from "@call-media/client";
import type { MuteSpan } from "@call-media/sound/mute";

/** A span of one recording of a call. */
export interface CallSpan extends MuteSpan {
  readonly call_id: string;
  /** The number of the recording in its call, from 1 in order of start (D17). */
  readonly part: number;
  /** The reason, for the manifest. */
  readonly reason?: string | undefined;
}

/** A fault in a list of spans, as a sentence without a full stop. */
export class InvalidSpans extends Error {
  override readonly name = "InvalidSpans";
}

const COLUMNS = ["call_id", "part", "from", "to", "channel", "reason"] as const;
type Column = (typeof COLUMNS)[number];
type Cells = Readonly<Partial<Record<Column, unknown>>>;

/**
 * Parses CSV with a header, or a JSON array of objects, with call_id, part, from, to, channel and reason. Part defaults to 1, and
 * channel to all channels.
 *
 * @throws InvalidSpans
 */
export function parseSpans(text: string): readonly CallSpan[] {
  const content = text.replace(/^\uFEFF/, "").trim();
  const rows = content.startsWith("[") ? readJson(content) : readCsv(content);
  if (rows.length === 0) throw new InvalidSpans("has no spans");
  return rows.map(({ cells, place }) => {
    try {
      return toSpan(cells);
    } catch (error) {
      throw new InvalidSpans(`${place}: ${(error as Error).message}`, { cause: error });
    }
  });
}

/** Parses "3.2-5.75", several separated by commas. @throws InvalidSpans */
export function parseTimes(text: string): readonly MuteSpan[] {
  return text.split(",").map((span) => {
    const [from = "", to = "", ...rest] = span.split("-");
    if (rest.length > 0 || to === "")
      throw new InvalidSpans(`${span.trim()} is not a span of time, such as 3.2-5.75`);
    return toTimes({ from, to });
  });
}

interface Row {
  readonly cells: Cells;
  readonly place: string;
}

function readJson(text: string): readonly Row[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new InvalidSpans(`is not JSON: ${(error as Error).message}`, { cause: error });
  }
  return (parsed as readonly unknown[]).map((one, at) => {
    const place = `item ${at + 1}`;
    if (typeof one !== "object" || one === null || Array.isArray(one))
      throw new InvalidSpans(`${place} is not an object`);
    checkNames(Object.keys(one), place);
    return { cells: one, place };
  });
}

function readCsv(text: string): readonly Row[] {
  const [names = [], ...rows] = splitCsv(text);
  checkNames(names, "line 1");
  return rows.map(({ length, ...row }, at) => {
    const place = `line ${at + 2}`;
    if (length !== names.length)
      throw new InvalidSpans(`${place} has ${length} values for ${names.length} columns`);
    const cells = names.map((name, index) => [name, row[index] === "" ? undefined : row[index]]);
    return { cells: Object.fromEntries(cells) as Cells, place };
  });
}

function checkNames(names: readonly string[], place: string): void {
  const unknown = names.find((name) => !COLUMNS.some((column) => column === name));
  if (unknown !== undefined)
    throw new InvalidSpans(`${place} has ${unknown}, which is none of ${COLUMNS.join(", ")}`);
  const missing = ["call_id", "from", "to"].find((name) => !names.includes(name));
  if (missing !== undefined) throw new InvalidSpans(`${place} has no ${missing}`);
}

/** RFC 4180 with commas or semicolons, without line breaks within quotes; blank lines are skipped. */
function splitCsv(text: string): readonly string[][] {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  const separator = lines[0]?.includes(";") === true ? ";" : ",";
  const cell = new RegExp(`(?:\\s*"((?:[^"]|"")*)"\\s*|([^${separator}]*))${separator}`, "g");
  return lines.map((line) =>
    Array.from((line + separator).matchAll(cell), ([, quoted, plain = ""]) =>
      (quoted?.replaceAll('""', '"') ?? plain).trim(),
    ),
  );
}

function toSpan({ call_id, part = 1, from, to, channel, reason }: Cells): CallSpan {
  const id = toText(call_id);
  if (id === "") throw new InvalidSpans("call_id is missing");
  return {
    call_id: id,
    part: toCount("part", part),
    ...toTimes({ from, to }),
    ...(channel !== undefined && channel !== null && { channel: toCount("channel", channel) }),
    ...(toText(reason) !== "" && { reason: toText(reason) }),
  };
}

const toText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value).trim() : "";

function toTimes({ from, to }: Pick<Cells, "from" | "to">): Pick<MuteSpan, "from" | "to"> {
  const times = { from: toSeconds("from", from), to: toSeconds("to", to) };
  if (times.from >= times.to)
    throw new InvalidSpans(`from ${times.from} is not before to ${times.to}`);
  return times;
}

function toCount(name: string, value: unknown): number {
  const text = toText(value);
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= MAX_PART) return Number(text);
  throw new InvalidSpans(
    `${name} must be a number from 1 to ${MAX_PART.toLocaleString("en")}, and is ${text || "missing"}`,
  );
}

const TIME = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:\.\d{1,9})?)$/;

/** Seconds, or hours, minutes and seconds: 3.2, 1:02.5, 1:00:02. */
function toSeconds(name: string, value: unknown): number {
  const text = toText(value);
  const [, hours = "0", minutes = "0", seconds] = TIME.exec(text) ?? [];
  if (seconds === undefined || (text.includes(":") && Number(seconds) >= 60))
    throw new InvalidSpans(`${name} must be seconds or h:mm:ss, and is ${text || "missing"}`);
  const whole = Number(hours) * 3600 + Number(minutes) * 60;
  // Avoids rounding errors from adding fractions.
  return whole === 0 ? Number(seconds) : Math.round((whole + Number(seconds)) * 1e9) / 1e9;
}
