// A conversation of Genesys Cloud as calls: one for each agent who took it, or one when nobody did.
import type { Entry, RecordContext } from "../format.ts";
import type { JsonRecord } from "../json-format.ts";
import { findText, readObject, readObjects, readText } from "../json-value.ts";
import { toRecordingFields } from "../call-fields.ts";
import { createFormatWithRecordings } from "../join-recordings.ts";
import {
  findCustomer,
  findLegs,
  type Participant,
  readParticipants,
  toLatest,
  toStart,
} from "./conversation.ts";
import { toLegFields } from "./leg-fields.ts";

export const genesys = createFormatWithRecordings({
  title: "Genesys Cloud conversation details",
  hint: "a call for each agent leg; recordings find theirs, whichever file comes first",
  records: ["conversations.*", "recordings.*", "results.*", "entities.*", "*", ""],
  marks: [
    ["conversationId", "conversationStart", "participants"],
    ["id", "conversationId", "media"],
    ["conversationId", "recordingId"], // of a bulk download
  ],
  callId: ["conversationId"],
  callsAlone: ["conversations.*"],
  toCallId: (conversation) => readText(conversation, "conversationId"),
  toRecording: (record) => {
    const id = readText(record, "recordingId", "id");
    const callId = readText(record, "conversationId");
    const isConversation = "participants" in record;
    return isConversation || id === undefined || callId === undefined ? undefined : { id, callId };
  },
  toCalls,
});

/** Throws `RowFault`. */
export async function toCalls(
  conversation: JsonRecord,
  beside: readonly JsonRecord[],
  { folder }: RecordContext,
): Promise<Entry[]> {
  const participants = readParticipants(conversation);
  const found = findLegs(participants);
  const legs = found.length === 0 ? [undefined] : found;
  const recordings = [...readObjects(conversation, "recordings"), ...beside];
  const common = toCommonFields(conversation, participants);
  const calls: Entry[] = [];
  for (const [index, leg] of legs.entries()) {
    // Recordings without a leg go to the first leg.
    const its = recordings.filter((recording) => Math.max(0, findLegOf(recording, legs)) === index);
    calls.push({
      ...common,
      ...toLegFields(leg, participants),
      datetime: (index === 0 ? undefined : leg && toStart(leg)) ?? common["datetime"],
      ...(await toRecordingFields(toNamed(its), folder)),
    });
  }
  return calls;
}

function toCommonFields(conversation: JsonRecord, participants: readonly Participant[]): Entry {
  const all = participants.flatMap(({ sessions }) => sessions.map(({ session }) => session));
  const customers = findCustomer(participants)?.sessions.map(({ session }) => session) ?? [];
  const find = (...keys: string[]) => findText([...customers, ...all], ...keys);
  const flows = all.map((session) => readText(readObject(session, "flow"), "flowName", "flowId"));
  return {
    kind: "call",
    call_id: readText(conversation, "conversationId"),
    ref_id: readText(conversation, "externalTag"),
    master_id: find("roomId"),
    datetime: readText(conversation, "conversationStart"),
    revised: toLatest(conversation, participants),
    ani: toNumber(find("ani", "addressFrom")),
    dnis: toNumber(find("dnis", "sessionDnis", "addressTo")),
    call_type: readText(conversation, "originatingDirection") ?? find("direction"),
    media_field: find("mediaType"),
    campaign_id: find("outboundCampaignId"),
    lead_id: find("outboundContactId"),
    ivr_path: [...new Set(flows.filter((flow) => flow !== undefined))].join(" > ") || undefined,
  };
}

/** The index of the leg that a recording was made of; -1 for none. */
function findLegOf(recording: JsonRecord, legs: readonly (Participant | undefined)[]): number {
  const sessionId = readText(recording, "sessionId");
  const users = new Set(readObjects(recording, "users").map((user) => readText(user, "id")));
  const bySession = legs.findIndex(
    (leg) =>
      sessionId !== undefined &&
      leg?.sessions.some(({ session }) => readText(session, "sessionId") === sessionId),
  );
  if (bySession !== -1) return bySession;
  return legs.findIndex((leg) => users.has(readText(leg?.participant, "userId") ?? ""));
}

/** Each identifier once: a recording that the conversation lists may also come as a record, which says more. */
function toNamed(recordings: readonly JsonRecord[]) {
  const byId = new Map(recordings.map((one) => [readText(one, "recordingId", "id") ?? "", one]));
  return [...byId].map(([name, recording]) => ({ name, start: readText(recording, "startTime") }));
}

function toNumber(address: string | undefined): string | undefined {
  return address?.replace(/^tel:/i, "");
}
