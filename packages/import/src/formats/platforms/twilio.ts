// Twilio: calls, and the recordings that belong to them, as its API lists them.
import { createPatternReader } from "../date-pattern.ts";
import type { Entry, RecordContext } from "../format.ts";
import type { JsonRecord } from "../json-format.ts";
import { readSeconds, readText } from "../json-value.ts";
import { toRecordingFields } from "../call-fields.ts";
import { createFormatWithRecordings } from "../join-recordings.ts";

const CALL = ["sid", "from", "to", "direction", "start_time"];
const RECORDING = ["sid", "call_sid", "source", "channels"];

export const twilio = createFormatWithRecordings({
  title: "Twilio calls and recordings",
  hint: "recordings find their calls, whichever file comes first",
  records: ["calls.*", "recordings.*", "*", ""],
  // The API writes snake_case, its libraries and its command line camelCase.
  marks: [CALL, RECORDING, CALL.map(toCamelCase), RECORDING.map(toCamelCase)],
  callId: ["sid"],
  callsAlone: ["calls.*"],
  toCallId: (call) => read(call, "sid"),
  toRecording: (record) => {
    const id = read(record, "sid");
    const callId = read(record, "call_sid");
    return id === undefined || callId === undefined ? undefined : { id, callId };
  },
  toCalls: async (call, recordings, context) => [await toCall(call, recordings, context)],
});

async function toCall(
  call: JsonRecord,
  recordings: readonly JsonRecord[],
  { folder }: RecordContext,
): Promise<Entry> {
  const sid = read(call, "sid");
  const parent = read(call, "parent_call_sid");
  const named = recordings.map((recording) => {
    return { name: read(recording, "sid") ?? "", start: readTime(recording, "start_time") };
  });
  return {
    kind: "call",
    call_id: sid,
    ref_id: parent,
    // The call that others were made from has no parent: it is the one.
    master_id: parent ?? sid,
    datetime: readTime(call, "start_time") ?? readTime(call, "date_created"),
    revised: readTime(call, "date_updated"),
    ani: read(call, "from"),
    dnis: read(call, "to"),
    call_type: read(call, "direction"),
    media_field: "voice",
    disposition: read(call, "status"),
    talk_time: readSeconds(call, "duration"),
    ...(await toRecordingFields(named, folder)),
  };
}

function read(record: JsonRecord, key: string): string | undefined {
  return readText(record, key) ?? readText(record, toCamelCase(key));
}

// RFC 2822 from the API, ISO 8601 from its libraries. The check of the entry reports what is neither.
const readRfc2822 = createPatternReader("twilio", "EEE, d MMM yyyy HH:mm:ss ZZZ");

function readTime(record: JsonRecord, key: string): string | undefined {
  const text = read(record, key);
  return text && (readRfc2822(text) ?? text);
}

function toCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
