// Finds earlier versions of edited records, so that the metadata has each record once.
import { createHash } from "node:crypto";
import type { CallRecord } from "@call-media/client";
import { findLatest, isUnaskable, listItems, listMasked } from "@call-media/handover";
import type { Plan } from "../plan/plan.ts";
import { type JournalFile, readMatched, type Row } from "./journal.ts";

/**
 * Equal for equal records of an export. Uses the masked record, because journals have no other. Masked names of recordings hide a new
 * recording, which their number shows.
 */
export function toRowKey({ files }: Pick<Plan, "files">, row: Row): string {
  return toDigest(`${listItems(files, row).length} ${row.json}`);
}

/** Equal for versions of one record (D32). Undefined for a record without an identifier, or with a masked one. */
export function toIdentity(plan: Plan, record: CallRecord): string | undefined {
  const { call_id, ref_id, datetime, agent } = record;
  const identifier = call_id || ref_id;
  if (!identifier || isUnaskable(identifier, { fields: listMasked(plan) })) return undefined;
  // A service may omit null fields.
  return toDigest(JSON.stringify([call_id, ref_id, datetime, agent].map((value) => value ?? null)));
}

const toDigest = (text: string) => createHash("sha256").update(text).digest("base64").slice(0, 22);

/** True for a row that a later search of its days replaced. Pass each row once, in the order of the journals. */
export type IsSuperseded = (journal: JournalFile, row: Row) => boolean;

export async function createSupersededFilter(
  plan: Plan,
  journals: readonly JournalFile[],
): Promise<IsSuperseded> {
  const windows = new Map<string, Map<string, number>>();
  for (const { from, round, path } of findLatest(journals)) {
    const keys = round === 0 ? [] : (await readMatched(path)).superseded;
    if (keys.length > 0) windows.set(from, countKeys(keys));
  }
  return ({ from }, row) => {
    const counts = windows.get(from);
    return counts !== undefined && takeKey(counts, toRowKey(plan, row));
  };
}

/** How often each key occurs: equal records are separate calls. */
export function countKeys(keys: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Removes one occurrence; false if there is none. */
export function takeKey(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 1) counts.set(key, count - 1);
  else counts.delete(key);
  return count > 0;
}
