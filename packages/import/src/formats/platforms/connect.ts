// Amazon Connect: contact records as the service streams them, and contacts as its API describes them.
import { readObject, readObjects, readSeconds, readText, addUp } from "../json-value.ts";
import type { Entry, RecordContext } from "../format.ts";
import { createJsonFormat, type JsonRecord } from "../json-format.ts";
import { type NamedRecording, toRecordingFields } from "../call-fields.ts";

export const connect = createJsonFormat({
  title: "Amazon Connect contact records",
  hint: "as streamed, or as the API describes contacts",
  records: ["", "Contact", "Contacts.*", "*"],
  marks: [
    ["ContactId", "InitiationTimestamp", "LastUpdateTimestamp"],
    ["Id", "InitiationMethod", "InitiationTimestamp"],
  ],
  callId: ["ContactId", "Id"],
  prepare: () => ({ toEntries: async (contact, context) => [await toCall(contact, context)] }),
});

async function toCall(contact: JsonRecord, { folder }: RecordContext): Promise<Entry> {
  const contactId = readText(contact, "ContactId", "Id");
  const queue = readObject(contact, "Queue", "QueueInfo");
  return {
    kind: "call",
    call_id: contactId,
    ref_id: readText(contact, "InitialContactId"),
    // The first contact of a chain names no initial one: it is the one.
    master_id: readText(contact, "InitialContactId") ?? contactId,
    datetime: readTime(contact, "InitiationTimestamp"),
    revised: readTime(contact, "LastUpdateTimestamp"),
    ani: readText(readObject(contact, "CustomerEndpoint"), "Address"),
    dnis: readText(readObject(contact, "SystemEndpoint"), "Address"),
    call_type: readText(contact, "InitiationMethod"),
    media_field: readText(contact, "Channel"),
    skill: readText(queue, "Name"),
    skill_id: readText(queue, "Id") ?? toId(readText(queue, "ARN")),
    disposition: readText(contact, "DisconnectReason"),
    ...toAgentFields(readObject(contact, "Agent", "AgentInfo")),
    ...(await toRecordingFields(toRecordings(contact), folder)),
  };
}

function toAgentFields(agent: JsonRecord = {}): Entry {
  const profile = readObject(agent, "RoutingProfile");
  const talkTime = readSeconds(agent, "AgentInteractionDuration");
  const afterwards = [
    readSeconds(agent, "CustomerHoldDuration"),
    readSeconds(agent, "AfterContactWorkDuration"),
  ];
  return {
    agent: readText(agent, "Username", "Id"),
    agent_group: readText(profile, "Name"),
    agent_group_id: toId(readText(profile, "ARN")),
    talk_time: talkTime,
    handle_time: talkTime === undefined ? undefined : addUp(talkTime, ...afterwards),
  };
}

// The record streamed has its first recording twice: as Recording and among Recordings.
function toRecordings(contact: JsonRecord): readonly NamedRecording[] {
  const several = readObjects(contact, "Recordings");
  const one = readObject(contact, "Recording");
  const all = several.length > 0 || one === undefined ? several : [one];
  return all.filter(isSound).flatMap((recording) => {
    const location = readText(recording, "Location");
    if (location === undefined) return [];
    const [bucket = "", ...path] = location.split("/");
    const name = path.at(-1) ?? bucket;
    const start = readTime(recording, "StartTimestamp");
    return [{ name, path: path.join("/"), start }];
  });
}

// Transcripts of chats are listed as recordings too.
function isSound(recording: JsonRecord): boolean {
  const type = readText(recording, "MediaStreamType", "Type") ?? "AUDIO";
  return type !== "CHAT" && readText(recording, "Status") !== "DELETED";
}

// ISO 8601 in records and in what the command line prints, seconds since 1970 in the API's own answers.
function readTime(object: JsonRecord, key: string): string | undefined {
  const value = object[key];
  if (typeof value !== "number") return readText(object, key);
  const instant = new Date(Math.round(value * 1_000));
  return Number.isNaN(instant.getTime()) ? String(value) : instant.toISOString();
}

/** The last part of an ARN. */
function toId(arn: string | undefined): string | undefined {
  return arn?.split("/").at(-1);
}
