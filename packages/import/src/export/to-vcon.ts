// A call with its chat as a vCon (draft-ietf-vcon-vcon-core, 0.4.0): what it has a place for, and the rest in an attachment.
import { hash } from "node:crypto";
import type { ChatMessageRecord, MetadataRecord } from "@call-media/store";
import { ADDITIONS, toAdditions } from "../formats/vcon/additions.ts";
import { toEntries } from "../formats/vcon/to-entries.ts";
import { parseVcon } from "../formats/vcon/vcon.ts";
import { parseDatetime } from "@call-media/store/values";
import type { ExportedArchive, ExportedCall, ExportedRecording } from "./format.ts";
import { toCallEntry } from "./to-entry.ts";
import { createParties, type Parties } from "./parties.ts";

type Part = Record<string, unknown>;

/** A call with what goes with it. */
export interface Conversation {
  /** The id of the call, see `ScannedRow`. */
  readonly id: string | undefined;
  readonly call: ExportedCall;
  readonly messages: readonly ChatMessageRecord[];
  readonly recordings: readonly ExportedRecording[];
}

export async function toVcon(
  conversation: Conversation,
  archive: ExportedArchive,
): Promise<object> {
  const { id, call, messages, recordings } = conversation;
  const { archiveId, timeZone } = archive.scan;
  const createdAt = toInstant(call.record.datetime, archive) ?? archive.createdAt;
  const parties = createParties(call.record, messages);
  const dialogs = [
    ...(await toRecordingDialogs(conversation, { archive, parties, createdAt })),
    ...messages.flatMap((message) => toTextDialog(message, parties)),
  ];
  // Nothing of it is kept, but that and when they spoke.
  const bare = { type: "recording", start: createdAt, parties: parties.speakers };
  const vcon = {
    uuid: toUuid(`${archiveId} ${id}`),
    extensions: ["CC"],
    created_at: createdAt,
    parties: parties.list,
    dialog: withContactCentre(call.record, dialogs.length > 0 ? dialogs : [bare]),
    analysis: toAnalyses(call.record),
  };
  const said = await toEntries(parseVcon(vcon), EVERYTHING_IS_THERE, timeZone);
  const wanted = [
    toCallEntry(call, recordings),
    ...messages.map((message) => ({ kind: "chat", ...message })),
  ];
  const body = toAdditions(said, wanted);
  if (body === undefined) return vcon;
  const at = { start: createdAt, party: parties.archive, dialog: 0 };
  const content = { mediatype: "application/json", encoding: "json", body };
  return { ...vcon, attachments: [{ purpose: ADDITIONS, ...at, ...content }] };
}

const EVERYTHING_IS_THERE = {
  has: async () => true,
  find: async (name: string) => name,
  resolve: async (file: string) => file,
};

async function toRecordingDialogs(
  { recordings }: Conversation,
  {
    archive,
    parties,
    createdAt,
  }: { archive: ExportedArchive; parties: Parties; createdAt: string },
): Promise<Part[]> {
  const toDialog = async (recording: ExportedRecording): Promise<Part> => {
    const { filename, startMs, file } = recording;
    const duration = await archive.durationOf(recording);
    return {
      type: "recording",
      start: startMs === undefined ? createdAt : new Date(startMs).toISOString(),
      ...(duration === undefined ? {} : { duration }),
      parties: parties.speakers,
      mediatype: file.type,
      filename,
      url: file.place,
      content_hash: `sha256-${Buffer.from(file.sha256, "hex").toString("base64url")}`,
    };
  };
  return await Promise.all(recordings.map(toDialog));
}

/** Adds the fields of the contact centre extension to the first dialog. */
function withContactCentre(record: MetadataRecord, [first, ...others]: readonly Part[]): Part[] {
  const { call_id, call_type, campaign, skill } = record;
  const fields = { interaction_id: call_id, interaction_type: call_type, campaign, skill };
  return [{ ...first, ...dropNulls(fields) }, ...others];
}

function toTextDialog(message: ChatMessageRecord, { writerOf }: Parties): Part[] {
  const { transcript: body, datetime: start } = message;
  if (typeof body !== "string" || body.trim() === "") return [];
  const writer = writerOf(message);
  const text = { mediatype: "text/plain", encoding: "none", body };
  return [{ type: "text", start, parties: [writer], originator: writer, ...text }];
}

// Its own vendor names the one that made it: who analysed, the archive does not know.
function toAnalyses({ transcript, notes, disposition }: MetadataRecord): Part[] {
  const bodies = { transcript, summary: notes, disposition };
  return Object.entries(bodies).flatMap(([type, body]) =>
    body === null ? [] : [{ type, vendor: "unknown", encoding: "none", body }],
  );
}

function toInstant(datetime: string | null, { scan }: ExportedArchive): string | undefined {
  const parsed = datetime === null ? "" : parseDatetime(datetime, scan.timeZone);
  return typeof parsed === "string" ? undefined : new Date(parsed.instantMs).toISOString();
}

/** The same for the same name: a UUID of version 8 (RFC 9562, section 5.8), made of a SHA-256. */
function toUuid(name: string): string {
  const digits = hash("sha256", name);
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
}

function dropNulls(fields: Record<string, string | null>): Part {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
