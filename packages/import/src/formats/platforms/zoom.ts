// Zoom Phone: the call log of its API, a record for each user whom a call went through.
import type { Entry, RecordContext } from "../format.ts";
import { createJsonFormat, type JsonRecord } from "../json-format.ts";
import { readSeconds, readText } from "../json-value.ts";
import { DIRECTIONS, toRecordingFields } from "../call-fields.ts";

export const zoom = createJsonFormat({
  title: "Zoom Phone call log",
  records: ["call_logs.*", "*", ""],
  marks: ["call_id", "caller_number", "callee_number", "date_time"],
  callId: ["call_id"],
  toEntries: async (record, context) => [await toCall(record, context)],
});

async function toCall(record: JsonRecord, { folder }: RecordContext): Promise<Entry> {
  const direction = readText(record, "direction") ?? "";
  const ours = direction === "outbound" ? "caller" : "callee";
  const id = readText(record, "id");
  const recording = readText(record, "recording_id");
  return {
    kind: "call",
    call_id: readText(record, "call_id"),
    ...(id !== undefined && { identity: [id] }),
    datetime: readText(record, "date_time"),
    ani: readText(record, "caller_number"),
    dnis: readText(record, "callee_number"),
    call_type: new Map(Object.entries(DIRECTIONS)).get(direction) ?? readText(record, "direction"),
    agent: readText(record, "user_id") ?? readText(record, `${ours}_number`),
    agent_name: readText(record, `${ours}_name`),
    disposition: readText(record, "result"),
    talk_time: readSeconds(record, "duration"),
    media_field: "voice",
    ...(await toRecordingFields(recording === undefined ? [] : [{ name: recording }], folder)),
  };
}
