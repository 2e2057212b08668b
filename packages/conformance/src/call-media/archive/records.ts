// Records as values: identity, and equality of two values.
import { toIdentity } from "../../values/places.ts";
import type { JsonObject } from "@call-media/contract-diff";
import type { Run } from "../run.ts";

/** Equal texts for the same records in any order. */
export function toSet(records: readonly JsonObject[]): string {
  return records.map(toIdentity).toSorted().join("\n");
}

/** The records of `some` that `all` lacks. Duplicates count. */
export function findMissing(some: readonly JsonObject[], all: readonly JsonObject[]): JsonObject[] {
  const left = new Map<string, number>();
  for (const record of all) {
    const identity = toIdentity(record);
    left.set(identity, (left.get(identity) ?? 0) + 1);
  }
  return some.filter((record) => {
    const identity = toIdentity(record);
    const count = left.get(identity) ?? 0;
    left.set(identity, count - 1);
    return count <= 0;
  });
}

/** The name of a record in a report. */
export function toName(record: JsonObject | undefined): string {
  return record === undefined
    ? "none"
    : `the record ${JSON.stringify(record["call_id"])} of ${JSON.stringify(record["datetime"])}`;
}

/** "1 record", "2 records". */
export function toCounted({ length }: readonly unknown[]): string {
  return length === 1 ? "1 record" : `${length} records`;
}

const PHONE_FIELD = /^phone_number\d$/;

/** The form in which D08 compares two values. */
export function toMatchKey(field: string, value: unknown): string {
  const text = toText(value).trim();
  const digits = PHONE_FIELD.test(field) ? text.replaceAll(/\D/g, "") : "";
  return digits === "" ? foldCase(text) : digits;
}

/** Character by character, so that "straße" and "STRASSE" stay apart (simple folding, D08). */
function foldCase(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  return Array.from(text, (character) => {
    const upper = character.toUpperCase();
    const lower = (isOne(upper) ? upper : character).toLowerCase();
    return isOne(lower) ? lower : character;
  }).join("");
}

function isOne(text: string): boolean {
  return Array.from(text).length === 1;
}

/** True if a filter could mean the value under any permitted rule: exact, partial, any case or notation. */
export function couldMatch(field: string, value: unknown, sought: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof sought === "number") return Number(value) === sought;
  const [has, wants] = [loosen(value), loosen(sought)];
  if (has.includes(wants)) return true;
  return PHONE_FIELD.test(field) && couldCall(toMatchKey(field, value), toMatchKey(field, sought));
}

// With or without country and area codes.
const LOCAL_DIGITS = 7;

function couldCall(digits: string, sought: string): boolean {
  const isLocal = digits.length >= LOCAL_DIGITS && sought.length >= LOCAL_DIGITS;
  const isSameEnd = digits.slice(-LOCAL_DIGITS) === sought.slice(-LOCAL_DIGITS);
  return digits.includes(sought) || (isLocal && isSameEnd);
}

// The same few values are compared with all others repeatedly.
const loosened = new Map<string, string>();
const MAX_LOOSENED = 50_000;

function loosen(value: unknown): string {
  const text = toText(value);
  const known = loosened.get(text);
  if (known !== undefined) return known;
  const loose = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").trim().toUpperCase().toLowerCase();
  if (loosened.size >= MAX_LOOSENED) loosened.clear();
  loosened.set(text, loose);
  return loose;
}

/** A value as shown and compared: strings unchanged, everything else as JSON. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** A text that occurs in no archive. The same in a run and its replays. */
export const impossible = ({ kit: { own } }: Pick<Run, "kit">): string => `no-such-${own.mark}`;
