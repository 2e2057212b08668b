// Opens a row's call, or plays it below the list.
import { type CallRecord, isSameLeg } from "@call-media/client";
import { go } from "../address.ts";
import { recordingsOf } from "../fields.ts";
import { played } from "../player/playing.ts";
import { type CallRoute, toCallRoute } from "../route.ts";
import { signedIn } from "../session.ts";
import { text } from "../text/text.ts";
import { say } from "../ui/toast.tsx";
import type { Search } from "./search.ts";

/** Plays a call below the list, or pauses and resumes it if the player already has it. */
export function listen(search: Search, row: number): void {
  const record = search.recordAt(row);
  if (record === undefined) return;
  search.current.value = row;
  if (recordingsOf(record).length === 0) say(text.value.noRecording);
  else if (isHeard(record)) played.value?.sound?.toggle();
  else void play(search, record);
}

/** True for the record that is in the player. */
export const isHeard = (record: CallRecord): boolean =>
  played.value !== undefined && isSameLeg(played.value.record, record);

async function play({ query, passages }: Search, record: CallRecord): Promise<void> {
  const { value: who } = signedIn;
  // Loads the playback code only now: viewing a list needs none of it.
  const { playRecord } = await import("../player/play.ts");
  if (who !== undefined)
    await playRecord(who.access, record, { words: query.words, linesOf: passages.linesOf });
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

/** Undefined if the record has no identifier to request it by. */
export function toRecordRoute(
  { call_id, ref_id }: CallRecord,
  words: string,
): CallRoute | undefined {
  if (call_id !== null) return { ...toCallRoute("call_id", call_id), words };
  return ref_id === null ? undefined : { ...toCallRoute("ref_id", ref_id), words };
}
