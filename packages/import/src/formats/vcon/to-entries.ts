// A vCon as entries of the archive's own format: one call, and a chat message for each text of the conversation.
import { parseDatetime } from "@call-media/store/values";
import { Faults } from "../../faults.ts";
import type { MediaFolder } from "../../media-folder.ts";
import { RowFault } from "../../source-row.ts";
import { dropUndefined, type Entry } from "../format.ts";
import { readText } from "../json-value.ts";
import { applyAdditions } from "./additions.ts";
import { readTextBody } from "./body.ts";
import {
  type Conversation,
  createConversation,
  toAgentFields,
  toCustomerFields,
  toNumber,
  toOriginator,
  toRole,
} from "./conversation.ts";
import { findRecordings, isRecording, toMediaType, type VconRecordings } from "./recordings.ts";
import { readAnalysis, readTranscript } from "./transcript.ts";
import { findFirst, type Part, type Vcon } from "./vcon.ts";

/** Throws `RowFault`, naming all faults. Datetimes without an offset are compared as if they were in `timeZone`. */
export async function toEntries(
  vcon: Vcon,
  folder: MediaFolder,
  timeZone: string,
): Promise<Entry[]> {
  const faults = new Faults();
  const said = await readParts(vcon, { folder, timeZone, faults });
  const entries = faults.attempt(() => applyAdditions(said, vcon)) ?? [...said];
  // The times of messages are said by their dialogs.
  faults.end(entries.slice(0, 1));
  return entries;
}

interface Reading {
  readonly folder: MediaFolder;
  readonly timeZone: string;
  readonly faults: Faults;
}

async function readParts(vcon: Vcon, { folder, timeZone, faults }: Reading): Promise<Entry[]> {
  const conversation = createConversation(vcon);
  const callId = findFirst(vcon.dialog, (part) => readText(part, "interaction_id")) ?? vcon.uuid;
  const datetime = findStart(vcon.dialog, timeZone, faults) ?? vcon.createdAt;
  const messages = toMessages(vcon, conversation, { callId, datetime, faults });
  const recordings = await findRecordings(vcon, folder, faults);
  const transcript = readTranscript(vcon);
  const spoken =
    recordings.media.length + recordings.missing.length > 0 || transcript !== undefined;
  const call: Entry = {
    kind: "call",
    datetime,
    call_id: callId,
    ref_id: vcon.uuid,
    session_id: findFirst(vcon.dialog, toSessionId),
    media_field: spoken ? toSpokenMedia(vcon.dialog) : messages.length > 0 ? "chat" : undefined,
    transcript,
    notes: readAnalysis(vcon, "summary"),
    ...toConversationFields(vcon, conversation),
    ...toRecordingFields(recordings),
  };
  return [dropUndefined(call), ...messages];
}

function toConversationFields(
  vcon: Vcon,
  { agent, customer, caller, called, direction, details }: Conversation,
): Entry {
  const ofDialog = (key: string) => findFirst(vcon.dialog, (part) => readText(part, key));
  const seconds = toSeconds(vcon, details);
  return {
    ani: toNumber(caller),
    dnis: toNumber(called),
    call_type: ofDialog("interaction_type") ?? direction,
    campaign: ofDialog("campaign"),
    skill: ofDialog("skill"),
    talk_time: seconds,
    handle_time: seconds,
    // Not `disposition` of a dialog: that is how the call ended technically.
    disposition:
      findFirst(details, (detail) =>
        readText(detail, "agent_selected_disposition", "agentSelectedDisposition"),
      ) ?? readAnalysis(vcon, "disposition"),
    ...toAgentFields(agent),
    ...toCustomerFields(customer),
  };
}

function toRecordingFields({ media, missing }: VconRecordings): Entry {
  const all = [...media, ...missing.map((file) => ({ file, optional: true }))];
  return all.length > 0 ? { media: all } : {};
}

function toMessages(
  { uuid, dialog, parties }: Vcon,
  conversation: Conversation,
  call: { callId: string; datetime: string | undefined; faults: Faults },
): Entry[] {
  return dialog.flatMap((part, index): Entry[] => {
    const at = `dialog[${index}]`;
    const isText = part["type"] === "text";
    const text = isText ? call.faults.attempt(() => readTextBody(part, at)) : undefined;
    if (text === undefined || text.trim() === "") return [];
    const datetime = readText(part, "start") ?? call.datetime;
    if (datetime === undefined)
      call.faults.add(new RowFault(`${at}.start: missing, and the vCon has no created_at`));
    const party = toOriginator(part, parties);
    const party_type = toPartyType(party, conversation);
    return [
      {
        kind: "chat",
        call_id: call.callId,
        transcript: text,
        datetime,
        party_type,
        label: readText(party, "name") ?? null,
        room_id: uuid,
      },
    ];
  });
}

function toPartyType(party: Part | undefined, { agent, customer }: Conversation): string {
  if (party === undefined) return "unknown";
  const isCustomer = party === customer || agent !== undefined;
  return toRole(party) ?? (isCustomer ? "customer" : "agent");
}

// Dialogs are in the order they were added in, not in that of their times.
function findStart(dialog: readonly Part[], timeZone: string, faults: Faults): string | undefined {
  const starts = dialog.flatMap((part, index) => {
    const text = readText(part, "start");
    if (text === undefined) return [];
    const parsed = parseDatetime(text, timeZone);
    if (typeof parsed !== "string") return [{ text, ...parsed }];
    faults.add(new RowFault(`dialog[${index}].start: ${parsed}`));
    return [];
  });
  return starts.toSorted((a, b) => a.instantMs - b.instantMs)[0]?.text;
}

// A string before version 0.4.0, since then an object of RFC 7989 or nested lists of them, one for each party.
function toSessionId({ session_id }: Part): string | undefined {
  if (typeof session_id === "string") return session_id === "" ? undefined : session_id;
  const sessions = [session_id]
    .flat(3)
    .filter((session): session is Part => typeof session === "object" && session !== null);
  return findFirst(sessions, (session) => readText(session, "local", "remote"));
}

function toSpokenMedia(dialog: readonly Part[]): string {
  return dialog.some((part) => isRecording(part) && toMediaType(part).startsWith("video/"))
    ? "video"
    : "voice";
}

/** Seconds of the recording-set, else of all recordings together, else of the last attachment. */
function toSeconds({ dialog }: Vcon, details: readonly Part[]): number | undefined {
  const total = (parts: readonly Part[]) => {
    const known = parts.map(toDuration).filter((seconds) => seconds !== undefined);
    return known.length === 0
      ? undefined
      : Math.round(known.reduce((sum, seconds) => sum + seconds, 0));
  };
  const sets = dialog.filter(({ type }) => type === "recording-set");
  return total(sets) ?? total(dialog.filter(isRecording)) ?? total(details.slice(-1));
}

function toDuration(part: Part): number | undefined {
  const seconds = Number(readText(part, "duration") ?? Number.NaN);
  return seconds >= 0 && seconds < Number.MAX_SAFE_INTEGER ? seconds : undefined;
}
