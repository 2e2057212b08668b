// RingCentral: the call log, a record a call, with the legs it went through.
import { RowFault } from "../../source-row.ts";
import type { Entry, RecordContext } from "../format.ts";
import { createJsonFormat, type JsonRecord } from "../json-format.ts";
import { readObject, readObjects, readSeconds, readText } from "../json-value.ts";
import { type NamedRecording, toRecordingFields } from "../call-fields.ts";

export const ringcentral = createJsonFormat({
  title: "RingCentral call log",
  records: ["records.*", "*", ""],
  marks: ["id", "sessionId", "startTime", "direction"],
  callId: ["id"],
  toEntries: async (record, context) => [await toCall(record, context)],
});

const ANSWERED = new Set(["accepted", "call connected", "connected"]);

async function toCall(record: JsonRecord, { folder }: RecordContext): Promise<Entry> {
  const legs = readObjects(record, "legs");
  const taken = legs.findLast(isTaken) ?? record;
  const ours = readText(record, "direction")?.toLowerCase() === "outbound" ? "from" : "to";
  return {
    kind: "call",
    call_id: readText(record, "id"),
    ref_id: readText(record, "sessionId"),
    session_id: readText(record, "telephonySessionId"),
    datetime: readText(record, "startTime"),
    revised: readText(record, "lastModifiedTime"),
    ani: toNumber(readObject(record, "from")),
    dnis: toNumber(readObject(record, "to")),
    call_type: readText(record, "direction"),
    media_field: readText(record, "type"),
    agent:
      readText(readObject(taken, "extension") ?? readObject(record, "extension"), "id") ??
      readText(readObject(taken, ours), "extensionNumber"),
    agent_name: readText(readObject(taken, ours), "name"),
    disposition: readText(record, "result"),
    disposition_notes: readText(record, "reasonDescription", "reason"),
    talk_time: readDuration(record),
    ...(await toRecordingFields(toRecordings([record, ...legs]), folder)),
  };
}

// The leg of the call itself says which number was called; the others say whose telephones rang, and who took it.
function isTaken(leg: JsonRecord): boolean {
  const result = readText(leg, "result")?.toLowerCase() ?? "";
  return readObject(leg, "extension") !== undefined && ANSWERED.has(result);
}

function toNumber(party: JsonRecord | undefined): string | undefined {
  return readText(party, "phoneNumber", "extensionNumber");
}

function readDuration(record: JsonRecord): number | undefined {
  const text = readText(record, "durationMs");
  if (text === undefined) return readSeconds(record, "duration");
  const seconds = Math.round(Number(text) / 1_000);
  if (!(seconds >= 0)) throw new RowFault(`durationMs: "${text}" is not a number of milliseconds`);
  return seconds;
}

/** The recordings of the call and its legs, each once. */
function toRecordings(parts: readonly JsonRecord[]): readonly NamedRecording[] {
  const starts = new Map<string, string | undefined>();
  for (const part of parts) {
    const id = readText(readObject(part, "recording"), "id");
    if (id !== undefined && !starts.has(id)) starts.set(id, readText(part, "startTime"));
  }
  return [...starts].map(([name, start]) => ({ name, start }));
}
