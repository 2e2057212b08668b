// The row of the access log for an erasure.
import type { ErasureEntry } from "../port/access-log.ts";
import type { ErasureFilter } from "../port/maintenance.ts";

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

/** The filter of the erasure, in the words of the row. */
export function toAsked(filter: ErasureFilter): ErasureEntry["asked"] {
  if ("before" in filter) return { before: filter.before };
  if ("isUndated" in filter) return { undated: true };
  return "callId" in filter ? { call_id: filter.callId } : { ref_id: filter.reference };
}
