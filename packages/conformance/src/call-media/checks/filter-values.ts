// The filters that a window of records offers: existing values, and the records that they match.
import { couldMatch, toMatchKey, toText } from "../archive/records.ts";
import { PAGE_SIZE } from "../archive/window.ts";
import type { JsonObject } from "@call-media/contract-diff";

const INTEGERS = new Set(["handle_time", "talk_time"]);

/** A record's value in the form that a filter requires; undefined if there is none. */
export function toFilterValue(field: string, value: unknown): string | number | undefined {
  if (value === null || value === undefined || typeof value === "object" || value === "")
    return undefined;
  if (!INTEGERS.has(field)) return toText(value);
  return Number.isInteger(Number(value)) ? Number(value) : undefined;
}

export interface Rarest {
  readonly value: string | number;
  readonly record: JsonObject;
  /** How many records the value could match. */
  readonly count: number;
}

// Several checks use the same window.
const known = new WeakMap<readonly JsonObject[], Map<string, Rarest | undefined>>();

/** The record whose value of the field could match the fewest records. */
export function findRarest(records: readonly JsonObject[], field: string): Rarest | undefined {
  const ofRecords = known.get(records) ?? new Map<string, Rarest | undefined>();
  known.set(records, ofRecords);
  if (!ofRecords.has(field)) ofRecords.set(field, countRarest(records, field));
  return ofRecords.get(field);
}

function countRarest(records: readonly JsonObject[], field: string): Rarest | undefined {
  const candidates = new Map<string | number, JsonObject>();
  for (const record of records) {
    const value = toFilterValue(field, record[field]);
    if (value !== undefined && !candidates.has(value)) candidates.set(value, record);
  }
  const counted = [...candidates].slice(0, MAX_CANDIDATES).map(([value, record]) => ({
    value,
    record,
    count: records.filter((other) => couldMatch(field, other[field], value)).length,
  }));
  return counted.toSorted((a, b) => a.count - b.count)[0];
}

// Enough to find a rare value. A large window would need a comparison of every pair.
const MAX_CANDIDATES = 25;

/** The records that a filter must find by D08. */
export function selectEqual(records: readonly JsonObject[], filter: JsonObject): JsonObject[] {
  return records.filter((record) =>
    Object.entries(filter).every(
      ([field, sought]) =>
        record[field] !== null &&
        record[field] !== undefined &&
        (typeof sought === "number"
          ? Number(record[field]) === sought
          : toMatchKey(field, record[field]) === toMatchKey(field, sought)),
    ),
  );
}

/**
 * A filter of one named field that matches more than two pages of records, or if there is none, the most records. Prefers a filter that
 * also matches some of `others`: the one that matches most of them.
 */
export function findCommonFilter(
  records: readonly JsonObject[],
  others: readonly JsonObject[] = [],
): JsonObject | undefined {
  const filters = COMMON_FIELDS.flatMap((field) => {
    const values = new Set(records.map((record) => toFilterValue(field, record[field])));
    return [...values]
      .slice(0, MAX_CANDIDATES)
      .flatMap((value) => (value === undefined ? [] : [{ [field]: value }]));
  });
  const counted = filters.map((filter) => ({
    filter,
    count: selectEqual(records, filter).length,
    ofOthers: selectEqual(others, filter).length,
  }));
  const [shared] = counted.toSorted((a, b) => b.ofOthers - a.ofOthers);
  if (shared !== undefined && shared.ofOthers > 0) return shared.filter;
  const enough = counted.filter(({ count }) => count > 2 * PAGE_SIZE);
  const pool = enough.length > 0 ? enough : counted;
  return pool.toSorted((a, b) => b.count - a.count)[0]?.filter;
}

const COMMON_FIELDS = [
  "media",
  "call_type",
  "campaign_type",
  "country",
  "campaign",
  "agent",
  "call_id",
];
