// The values that fields of few values were seen to have since this person signed in. They are in memory alone.
import type { CallMediaClient, CallRecord } from "@call-media/client";
import { type FilterField, GROUPS, valueOf } from "../fields.ts";

/** Fields with few values; each name and number is its own. */
export const COUNTED: readonly FilterField[] = [
  "campaign",
  "disposition",
  "agent_name",
  "skill",
  "agent_group",
  "call_type",
  "media",
  "country",
  ...GROUPS.custom,
  ...GROUPS.rights,
];

// Nobody looks through more values of a field.
const MOST_KEPT = 500;

const seen = new WeakMap<CallMediaClient, Map<FilterField, Map<string, number>>>();

export function noteValues(client: CallMediaClient, records: readonly CallRecord[]): void {
  const fields = seen.get(client) ?? new Map<FilterField, Map<string, number>>();
  seen.set(client, fields);
  for (const field of COUNTED) {
    const values = fields.get(field) ?? new Map<string, number>();
    fields.set(field, values);
    for (const record of records) {
      const value = valueOf(record, field).trim();
      const times = values.get(value) ?? 0;
      if (value !== "" && (times > 0 || values.size < MOST_KEPT)) values.set(value, times + 1);
    }
  }
}

/** The most frequent first. */
export const listKnown = (client: CallMediaClient, field: FilterField): readonly string[] =>
  [...(seen.get(client)?.get(field) ?? [])]
    .toSorted(([, one], [, other]) => other - one)
    .map(([value]) => value);
