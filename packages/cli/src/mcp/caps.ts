// Limits the size of a response: text that a model can read in one piece, and records without empty fields.
import type { ShowDatetime } from "@call-media/conditions";
import type { CallRecord } from "@call-media/client";

/** Maximum number of characters in a response; about 2,500 tokens. */
export const MAX_CHARACTERS = 8000;

/** Characters reserved for the text around the lines of a response. */
const RESERVED = 600;

/** Characters available for the lines of a response, and for a part of a transcript. */
export const MAX_TEXT = MAX_CHARACTERS - RESERVED;

/** A record for a model: only the fields that have a value. */
export type ShortRecord = Readonly<Record<string, string | number>>;

/** Limits each value to `maxLength` characters, or fewer if the record would exceed `MAX_TEXT`. */
export function toShort(
  record: CallRecord,
  showDatetime: ShowDatetime,
  maxLength: number,
): ShortRecord {
  const entries = Object.entries(record).flatMap(([field, value]) => {
    if (value === null) return [];
    if (field === "datetime") return [[field, cut(showDatetime(String(value)), maxLength)]];
    return [[field, isShort(value) ? value : cut(toText(value), maxLength)]];
  });
  const short: ShortRecord = Object.fromEntries(entries);
  if (JSON.stringify(short).length <= MAX_TEXT || maxLength === 0) return short;
  return toShort(record, showDatetime, Math.floor(maxLength / 2));
}

/** A service may return lists and objects, contrary to the contract. */
const isShort = (value: unknown) => typeof value === "number" || typeof value === "boolean";
const toText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const length = text.length.toLocaleString("en");
  return `${takeFrom(text, 0, maxLength)} ... [cut here: ${length} characters in all]`;
}

/** At most `length` characters from `start`, without splitting a surrogate pair. */
export function takeFrom(text: string, start: number, length: number): string {
  const end = start + length;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length;
  return text.slice(start, isHalf ? end - 1 : end);
}

/** As many lines as fit into a response, and the number of lines left out. */
export function takeLines(lines: readonly string[]): readonly string[] {
  let room = MAX_TEXT;
  const end = lines.findIndex((line) => (room -= line.length + 1) < 0);
  if (end < 0) return lines;
  return [...lines.slice(0, end), `${lines.length - end} more left out`];
}

/** A value in a line of a response. */
export function toCell(value: unknown, maxLength: number): string {
  const text =
    value === null || value === undefined ? "" : isShort(value) ? `${value}` : toText(value);
  const flat = text.replaceAll(/\s+/g, " ").replaceAll(" | ", " / ").trim();
  return flat.length <= maxLength ? flat : `${takeFrom(flat, 0, maxLength - 1)}…`;
}
