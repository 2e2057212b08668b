// How much goes into one answer: records without what they do not have, and no more than a model can read.
import type { CallRecord } from "@call-media/client";
import type { ShowDatetime } from "../search/time-zone.ts";

/** Bytes of JSON with which an answer ends; the record that passes them is in it. */
export const MAX_BYTES = 40_000;

/** Characters of one value. */
export const MAX_VALUE = 2000;

/** Characters of a transcript in one answer. */
export const MAX_TEXT = 20_000;

/** A record as a model gets it: fields that have a value, none longer than `maxLength` characters. */
export type ShortRecord = Readonly<Record<string, string | number>>;

export function toShort(
  record: CallRecord,
  showDatetime: ShowDatetime,
  maxLength = MAX_VALUE,
): ShortRecord {
  const entries = Object.entries(record).flatMap(([field, value]) => {
    if (value === null) return [];
    if (field === "datetime") return [[field, showDatetime(String(value))]];
    return [[field, typeof value === "string" ? cut(value, maxLength) : value]];
  });
  return Object.fromEntries(entries);
}

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
