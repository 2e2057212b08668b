// The row of the access log for an erasure.
import type { ErasureEntry } from "../port/access-log.ts";
import type { ErasureFilter } from "../port/maintenance.ts";
import { parseEntry } from "./access-chain.ts";
import { type Mark, nameCall, nameReference, type TombstoneName } from "./tombstones.ts";

/** `found`: the call_ids of the calls that go, of an erasure by reference. */
export function toErasureEntry(
  filter: ErasureFilter,
  told: Pick<ErasureEntry, "operator" | "erased">,
  found: () => readonly string[],
): ErasureEntry {
  return {
    timeMs: Date.now(),
    operation: "purge",
    operator: told.operator,
    asked: toAsked(filter),
    callIds: isOfIdentifier(filter) ? ("callId" in filter ? [filter.callId] : found()) : [],
    erased: told.erased,
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
  return (
    isErasure(entry) &&
    JSON.stringify(entry.asked) === JSON.stringify(toAsked(filter)) &&
    entry.erased.calls + entry.erased.chats > 0
  );
}

/** The entry of a row that a mark names; undefined if that is of no erasure: a log that was begun anew counts from 1 again. */
export function parseErasure(entry: unknown): ErasureEntry | undefined {
  const parsed = parseEntry(typeof entry === "string" ? entry : null);
  return isErasure(parsed) ? parsed : undefined;
}

// The row with which a purge ends says what became of it, and is not the one that a mark names.
function isErasure(entry: ReturnType<typeof parseEntry>): entry is ErasureEntry {
  return entry?.operation === "purge" && "erased" in entry;
}

/** The filter of the erasure, in the words of the row. */
export function toAsked(filter: ErasureFilter): ErasureEntry["asked"] {
  if ("before" in filter) return { before: filter.before };
  if ("isUndated" in filter) return { undated: true };
  return "callId" in filter ? { call_id: filter.callId } : { ref_id: filter.reference };
}
