// From a row of the list to its call: open it, or play it below the list.
import type { CallRecord } from "@call-media/client";
import { signal } from "@preact/signals";
import { go } from "../address.ts";
import { recordingsOf } from "../fields.ts";
import type { Sound } from "../player/sound.ts";
import { type CallRoute, toCallRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { say } from "../ui/toast.tsx";
import type { Search } from "./search.ts";

/** The call that plays below the list. */
export const listened = signal<CallRecord | undefined>(undefined);
/** Its sound, as soon as the recording is known. */
export const listenedSound = signal<Sound | undefined>(undefined);

/** Plays a call below the list; what plays there already, it pauses. */
export function listen(search: Search, row: number): void {
  const record = search.recordAt(row);
  if (record === undefined) return;
  search.current.value = row;
  if (recordingsOf(record).length === 0) say(text.value.noRecording);
  else if (record === listened.value) listenedSound.value?.toggle();
  else listened.value = record;
}

/** Opens a call. */
export function openCall(search: Search, row: number): void {
  const record = search.recordAt(row);
  if (record === undefined) return;
  search.current.value = row;
  const to = toRecordRoute(record, search.query.words);
  if (to === undefined) return;
  search.opened.value = new Set([...search.opened.value, record]);
  go(to);
}

/** Undefined where a record has no identifier by which it could be asked for. */
export function toRecordRoute(
  { call_id, ref_id }: CallRecord,
  words: string,
): CallRoute | undefined {
  if (call_id !== null) return { ...toCallRoute("call_id", call_id), words };
  return ref_id === null ? undefined : { ...toCallRoute("ref_id", ref_id), words };
}
