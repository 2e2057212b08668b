// From a row of the list to its call.
import type { CallRecord } from "@call-media/client";
import { go } from "../address.ts";
import { playOnOpen } from "../player/playing.ts";
import { type CallRoute, toCallRoute } from "../route.ts";
import type { Search } from "./search.ts";

/** Opens a call, and has it play where that was what was pressed. */
export function openCall(search: Search, row: number, isPlayed = false): void {
  const record = search.recordAt(row);
  if (record === undefined) return;
  search.current.value = row;
  const to = toRecordRoute(record);
  if (to === undefined) return;
  search.opened.value = new Set([...search.opened.value, record]);
  playOnOpen.value = isPlayed;
  go(to);
}

/** Undefined where a record has no identifier by which it could be asked for. */
export function toRecordRoute({ call_id, ref_id }: CallRecord): CallRoute | undefined {
  if (call_id !== null) return toCallRoute("call_id", call_id);
  return ref_id === null ? undefined : toCallRoute("ref_id", ref_id);
}
