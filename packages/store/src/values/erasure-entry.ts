// The row of the access log for an erasure.
import type { ErasedCounts, ErasureEntry } from "../port/access-log.ts";
import type { Eraser, ErasureFilter } from "../port/maintenance.ts";
import { parseEntry } from "./access-chain.ts";
import { type Mark, nameCall, nameReference, nameSound, type TombstoneName } from "./tombstones.ts";

/** `listCallIds`: the call_ids that are erased, for an erasure by reference. */
export function toErasureEntry(
  filter: ErasureFilter,
  { operator, run, found, ...by }: Pick<Eraser, "operator" | "run" | "case"> & Found,
  listCallIds: () => readonly string[],
): ErasureEntry {
  return {
    timeMs: Date.now(),
    operation: "purge",
    operator,
    ...(run !== undefined && { run }),
    asked: { ...toAsked(filter), ...(by.case !== undefined && { case: by.case }) },
    callIds: isOfIdentifier(filter) ? ("callId" in filter ? [filter.callId] : listCallIds()) : [],
    found,
  };
}

export const isOfIdentifier = (filter: ErasureFilter): boolean =>
  toNamed(filter, NOBODY) !== undefined;

const NOBODY: Named = { callIds: new Set(), references: new Set() };

/** What an erasure names: whole calls, and the records that have a reference. */
export interface Named {
  readonly callIds: ReadonlySet<string>;
  readonly references: ReadonlySet<string>;
}

/** What a filter by identifier names; undefined for other filters. `owed`: see `ErasureFilter`. */
export function toNamed(filter: ErasureFilter, owed: Named): Named | undefined {
  if ("isOwed" in filter) return owed;
  const toWhole = (callIds: Iterable<string>) => ({
    callIds: new Set(callIds),
    references: new Set<string>(),
  });
  if ("callIds" in filter) return toWhole(filter.callIds);
  if ("callId" in filter) return toWhole([filter.callId]);
  if (!("reference" in filter)) return undefined;
  return { callIds: new Set(), references: new Set([filter.reference]) };
}

interface Found {
  readonly found: ErasedCounts;
}

/** The marks of named calls, whether they exist or not. */
export const toOwnMarks = (callIds: Iterable<string>): Mark[] =>
  Array.from(callIds, (callId) => ({ name: nameCall(callId), untilDay: null }));

/** The marks that can show that an identifier was erased; empty for a filter by age. */
export function listMarkNames(filter: ErasureFilter): TombstoneName[] {
  if ("callId" in filter && filter.isSound)
    return [nameSound(filter.callId), nameCall(filter.callId)];
  if ("callId" in filter) return [nameCall(filter.callId), nameReference(filter.callId)];
  return "reference" in filter ? [nameReference(filter.reference)] : [];
}

/** True for an erasure of the same identifier that removed something. Earlier versions left no mark by which to find it. */
export function isErasureOf(filter: ErasureFilter, entry: ReturnType<typeof parseEntry>): boolean {
  if (!isErasure(entry) || JSON.stringify(entry.asked) !== JSON.stringify(toAsked(filter)))
    return false;
  const { calls = 0, chats = 0 } = entry.found ?? entry.erased ?? {};
  return calls + chats > 0;
}

/**
 * The entry of the row that a mark names; undefined if it is not that of an erasure, because a log that was restarted counts from 1 again.
 */
export function parseErasure(entry: unknown): ErasureEntry | undefined {
  const parsed = parseEntry(typeof entry === "string" ? entry : null);
  return isErasure(parsed) ? parsed : undefined;
}

// The rows with which a purge begins and ends are not those that a mark names.
function isErasure(entry: ReturnType<typeof parseEntry>): entry is ErasureEntry {
  return entry?.operation === "purge" && ("found" in entry || "erased" in entry);
}

/** The filter of the erasure, as the row has it. */
export function toAsked(filter: ErasureFilter): ErasureEntry["asked"] {
  return { ...toAskedCalls(filter), ...(filter.isSound && { sound: true }) };
}

function toAskedCalls(filter: ErasureFilter): ErasureEntry["asked"] {
  if ("before" in filter) return { before: filter.before };
  if ("isUndated" in filter) return { undated: true };
  if ("due" in filter) return { retention: filter.due.day };
  if ("isOwed" in filter) return { owed: true };
  if ("callIds" in filter) return { call_ids: filter.callIds.length };
  return "callId" in filter ? { call_id: filter.callId } : { ref_id: filter.reference };
}
