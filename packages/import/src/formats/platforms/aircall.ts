// Aircall: calls as its API lists them. Times are seconds since 1970, and the duration includes the ringing.
import { RowFault } from "../../source-row.ts";
import type { Entry, RecordContext } from "../format.ts";
import { createJsonFormat, type JsonRecord } from "../json-format.ts";
import { readObject, readObjects, readText } from "../json-value.ts";
import { DIRECTIONS, toLinkedRecording, toNumbers } from "../call-fields.ts";

export const aircall = createJsonFormat({
  title: "Aircall calls",
  records: ["calls.*", "*", ""],
  marks: ["id", "direct_link", "started_at", "raw_digits"],
  callId: ["id"],
  toEntries: async (record, context) => [await toCall(record, context)],
});

async function toCall(record: JsonRecord, context: RecordContext): Promise<Entry> {
  const direction = readText(record, "direction") ?? "";
  const user = readObject(record, "user");
  const started = readTime(record, "started_at");
  const tags = readObjects(record, "tags").flatMap((tag) => readText(tag, "name") ?? []);
  return {
    kind: "call",
    call_id: readText(record, "id"),
    ref_id: readText(record, "sid"),
    datetime: started === undefined ? undefined : new Date(started * 1_000).toISOString(),
    ...toNumbers(
      direction === "outbound",
      readText(record, "raw_digits"),
      readText(readObject(record, "number"), "digits"),
    ),
    call_type: new Map(Object.entries(DIRECTIONS)).get(direction) ?? readText(record, "direction"),
    agent: readText(user, "email", "id"),
    agent_name: readText(user, "name"),
    skill: readText(readObject(record, "number"), "name"),
    disposition: readText(record, "missed_call_reason", "status"),
    disposition_notes: tags.join("; ") || undefined,
    talk_time: toTalkTime(readTime(record, "answered_at"), readTime(record, "ended_at")),
    media_field: "voice",
    ...(await toLinkedRecording(readText(record, "recording", "voicemail"), context)),
  };
}

function toTalkTime(answered: number | undefined, ended: number | undefined): number | undefined {
  if (ended === undefined) return undefined;
  return answered === undefined ? 0 : Math.max(0, ended - answered);
}

const LAST_SECOND = 8.64e12; // of a JavaScript date

function readTime(record: JsonRecord, key: string): number | undefined {
  const text = readText(record, key);
  if (text === undefined) return undefined;
  const seconds = Math.round(Number(text));
  if (Math.abs(seconds) <= LAST_SECOND) return seconds;
  throw new RowFault(`${key}: "${text}" is not a number of seconds since 1970`);
}
