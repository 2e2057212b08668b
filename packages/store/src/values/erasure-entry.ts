// The row of the access log for an erasure.
import type { ErasedCounts, ErasureEntry } from "../port/access-log.ts";
import type { Eraser, ErasureFilter } from "../port/maintenance.ts";
import { parseEntry } from "./access-chain.ts";
import { type Mark, nameCall, nameReference, type TombstoneName } from "./tombstones.ts";

/** `listCallIds`: the call_ids of the calls that go, of an erasure by reference. */
export function toErasureEntry(
  filter: ErasureFilter,
  { operator, run, found }: Pick<Eraser, "operator" | "run"> & { readonly found: ErasedCounts },
  listCallIds: () => readonly string[],
): ErasureEntry {
  return {
    timeMs: Date.now(),
    operation: "purge",
    operator,
    ...(run !== undefined && { run }),
    asked: toAsked(filter),
    callIds: isOfIdentifier(filter) ? ("callId" in filter ? [filter.callId] : listCallIds()) : [],
    found,
  };
}

export function isOfIdentifier(filter: ErasureFilter): boolean {
  return "callId" in filter || "reference" in filter;
}

/** The mark of a call that is named, which may have been messages alone. */
export const listOwnMarks = (filter: ErasureFilter): Mark[] =>
  "callId" in filter ? [{ name: nameCall(filter.callId), untilDay: null }] : [];

/** The marks of which one says of an identifier that it was erased; none of a filter by age. */
export function listMarkNames(filter: ErasureFilter): TombstoneName[] {
  if ("callId" in filter) return [nameCall(filter.callId), nameReference(filter.callId)];
  return "reference" in filter ? [nameReference(filter.reference)] : [];
}

/** True for an erasure of the same identifier that took something: earlier versions left no mark by which to find it. */
export function isErasureOf(filter: ErasureFilter, entry: ReturnType<typeof parseEntry>): boolean {
  if (!isErasure(entry) || JSON.stringify(entry.asked) !== JSON.stringify(toAsked(filter)))
    return false;
  const { calls = 0, chats = 0 } = entry.found ?? entry.erased ?? {};
  return calls + chats > 0;
}

/** The entry of a row that a mark names; undefined if that is of no erasure: a log that was begun anew counts from 1 again. */
export function parseErasure(entry: unknown): ErasureEntry | undefined {
  const parsed = parseEntry(typeof entry === "string" ? entry : null);
  return isErasure(parsed) ? parsed : undefined;
}

// The rows with which a purge begins and ends are not the one that a mark names.
function isErasure(entry: ReturnType<typeof parseEntry>): entry is ErasureEntry {
  return entry?.operation === "purge" && ("found" in entry || "erased" in entry);
}

/** The filter of the erasure, in the words of the row. */
export function toAsked(filter: ErasureFilter): ErasureEntry["asked"] {
  if ("before" in filter) return { before: filter.before };
  if ("isUndated" in filter) return { undated: true };
  return "callId" in filter ? { call_id: filter.callId } : { ref_id: filter.reference };
}
