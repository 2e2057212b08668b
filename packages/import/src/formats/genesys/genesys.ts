// A conversation of Genesys Cloud as calls: one for each agent who took it, or one when nobody did.
import { Faults } from "../../faults.ts";
import type { Entry, RecordContext } from "../format.ts";
import { createJsonFormat, type JsonRecord } from "../json-format.ts";
import { findText, readObject, readObjects, readText } from "../json-value.ts";
import { toRecordingFields } from "../call-fields.ts";
import { readJoined } from "../mapping/joined.ts";
import { parseMapping } from "../mapping/mapping.ts";
import {
  findCustomer,
  findLegs,
  type Participant,
  readParticipants,
  toLatest,
  toStart,
} from "./conversation.ts";
import { toLegFields } from "./leg-fields.ts";

const RECORDING = "recording";
// Records of the API, and of a bulk download.
const RECORDINGS = {
  mapping: 2,
  records: ["conversations.*", "results.*", "entities.*", "*", ""],
  join: {
    [RECORDING]: {
      when: {
        keys: [
          ["conversationId", "id"],
          ["conversationId", "recordingId"],
        ],
      },
      records: ["recordings.*", "results.*", "entities.*"],
      key: ["{conversationId}"],
      on: ["{conversationId}"],
    },
  },
  fields: { call_id: "{conversationId}" },
};

export const genesys = createJsonFormat({
  title: "Genesys Cloud conversation details",
  hint: "a call for each agent leg; recordings find theirs, whichever file comes first",
  records: ["conversations.*", "recordings.*", "results.*", "entities.*", "*", ""],
  marks: [
    ["conversationId", "conversationStart", "participants"],
    ["id", "conversationId", "media"],
    ["conversationId", "recordingId"],
  ],
  callId: ["conversationId"],
  prepare: async ({ timeZone }, files) => {
    const mapping = parseMapping(RECORDINGS, timeZone);
    const joined = await readJoined(mapping, { files, marks: [["participants"]] });
    return {
      toEntries: async (record, context) => {
        if (joined?.isPart(record)) return [];
        const callId = readText(record, "conversationId") ?? "";
        const beside = joined?.find(RECORDING, [callId]);
        const calls = await toCalls(record, beside?.toSorted(byId) ?? [], context);
        return beside === undefined ? calls.map(toKeeping) : calls;
      },
    };
  },
});

const toId = (recording: JsonRecord) => readText(recording, "recordingId", "id") ?? "";

const byId = (one: JsonRecord, other: JsonRecord) =>
  toId(one) < toId(other) ? -1 : Number(toId(one) > toId(other));

// An import without a word of recordings leaves those of the archive.
function toKeeping(call: Entry): Entry {
  const isSilent = call["media"] === undefined && call["recordings"] === undefined;
  return isSilent ? { ...call, keeps_recordings: true } : call;
}

/** Throws `RowFault`, naming all faults. */
export async function toCalls(
  conversation: JsonRecord,
  beside: readonly JsonRecord[],
  { folder }: RecordContext,
): Promise<Entry[]> {
  const faults = new Faults();
  const participants = readParticipants(conversation, faults);
  const found = findLegs(participants);
  const legs = found.length === 0 ? [undefined] : found;
  const own = faults.attempt(() => readObjects(conversation, "recordings")) ?? [];
  const recordings = [...own, ...beside];
  const common = toCommonFields(conversation, participants);
  const calls: Entry[] = [];
  for (const [index, leg] of legs.entries()) {
    // Recordings without a leg go to the first leg.
    const its = recordings.filter((recording) => Math.max(0, findLegOf(recording, legs)) === index);
    calls.push({
      ...common,
      ...toLegFields(leg, participants, faults),
      datetime: (index === 0 ? undefined : leg && toStart(leg)) ?? common["datetime"],
      ...(await toRecordingFields(toNamed(its), folder)),
    });
  }
  faults.end(calls);
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
  const found = new Map(recordings.map((one) => [toId(one), one]));
  return [...found].map(([name, recording]) => ({ name, start: readText(recording, "startTime") }));
}

function toNumber(address: string | undefined): string | undefined {
  return address?.replace(/^tel:/i, "");
}
