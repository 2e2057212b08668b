// The values of fields with few values, as seen since this user signed in. They are held in memory only.
import type { CallMediaClient, CallRecord } from "@call-media/client";
import { type FilterField, GROUPS, valueOf } from "../fields.ts";

/** Fields with few different values, unlike customer names and numbers. */
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

// More values of a field than anyone would look through.
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

/** Most frequent first. */
export const listKnown = (client: CallMediaClient, field: FilterField): readonly string[] =>
  [...(seen.get(client)?.get(field) ?? [])]
    .toSorted(([, one], [, other]) => other - one)
    .map(([value]) => value);
