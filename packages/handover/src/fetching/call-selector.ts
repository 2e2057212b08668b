// Identifies a call, or the calls of a reference, for requests.
import type { CallRecord } from "@call-media/client";

/** Identifies a call or a reference. */
export type CallSelector =
  | { readonly call_id: string; readonly ref_id?: undefined }
  | { readonly ref_id: string; readonly call_id?: undefined };

/** The request parameters for the recordings of a record; undefined if it has no identifier. */
export function toSelector({ call_id, ref_id }: CallRecord): CallSelector | undefined {
  if (call_id !== null && call_id !== "") return { call_id };
  return ref_id === null || ref_id === "" ? undefined : { ref_id };
}
