// How much goes into one answer: records without what they do not have, and no more than a model can read.
import type { CallRecord } from "@call-media/client";
import type { ShowDatetime } from "../search/time-zone.ts";

/** Bytes of JSON with which an answer ends; the record that passes them is in it, and has no more of them itself. */
export const MAX_BYTES = 40_000;

/** Characters of a transcript in one answer. */
export const MAX_TEXT = 20_000;

/** A record as a model gets it: the fields that have a value. */
export type ShortRecord = Readonly<Record<string, string | number>>;

/** No value is longer than `maxLength` characters, or than as many as let the record keep to `MAX_BYTES`. */
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
  if (countBytes(short) <= MAX_BYTES || maxLength === 0) return short;
  return toShort(record, showDatetime, Math.floor(maxLength / 2));
}

/** Whatever the contract says, a service may give lists and objects. */
const isShort = (value: unknown) => typeof value === "number" || typeof value === "boolean";
const toText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const length = text.length.toLocaleString("en");
  return `${takeFrom(text, 0, maxLength)} ... [cut here: ${length} characters in all]`;
}

/** At most `length` characters from `start`, none of them half. */
export function takeFrom(text: string, start: number, length: number): string {
  const end = start + length;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length;
  return text.slice(start, isHalf ? end - 1 : end);
}

export const countBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
