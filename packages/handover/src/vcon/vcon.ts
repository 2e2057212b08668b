// Writes a call with its chat and recordings as a vCon (draft-ietf-vcon-vcon-core, 0.4.0).
import type { Schema } from "@call-media/api";
import { createParties } from "./parties.ts";
import type { Message } from "../fetching/chat.ts";

type Part = Readonly<Record<string, unknown>>;

export interface VconCall {
  /** Identifies the record: the same text yields the same UUID. */
  readonly identity: string;
  readonly record: Schema<"MetadataRecord">;
  /** When the call began: UTC, ISO 8601. */
  readonly start: string;
  /** When the vCon was written: UTC, ISO 8601. */
  readonly createdAt: string;
  readonly messages: readonly VconMessage[];
  readonly recordings: readonly VconRecording[];
}

export interface VconMessage {
  readonly message: Message;
  /** When it was sent: ISO 8601, with an offset. */
  readonly start: string;
}

/** The bytes are in `body`, or in the file `filename`, which `url` and `content_hash` describe further. */
export interface VconRecording {
  /** UTC, ISO 8601. Default: the start of the call. */
  readonly start?: string;
  /** In seconds. */
  readonly duration?: number | undefined;
  readonly mediatype: string;
  /** The name of the file; with a directory if it is below that of the vCon. */
  readonly filename?: string | undefined;
  /** In base64url. */
  readonly body?: string;
  /** Absolute: the schema of the working group rejects relative URLs. */
  readonly url?: string;
  /** ALGORITHM-DIGEST, the digest in base64url. */
  readonly content_hash?: string;
}

export interface Vcon extends Part {
  readonly uuid: string;
  readonly parties: readonly Part[];
  readonly dialog: readonly Part[];
  readonly analysis: readonly Part[];
  readonly attachments: readonly Part[];
}

/** The draft deprecates it, but validators still recognise the syntax by it. */
const VERSION = "0.4.0";

/** The purpose of the attachment that only an import into an archive of this project reads. */
export const RECORD_PURPOSE = "call-media-record";

/** Without attachments: `attachRecord` adds the data that a vCon has no place for. */
export async function toVcon(call: VconCall): Promise<Vcon> {
  const { record, messages, recordings, start } = call;
  const chat = messages.map(({ message }) => message);
  const { list, speakers, find } = createParties(record, chat);
  const content = [
    ...recordings.map((recording) => toRecordingPart(recording, { start, parties: speakers })),
    ...messages.flatMap((message) => toTextPart(message, find(message.message))),
  ];
  // A call always has a dialog: this one only says when they spoke.
  const bare = { type: "recording", start, parties: speakers };
  const dialog = withContactCentre(content.length > 0 ? content : [bare], record);
  return {
    vcon: VERSION,
    uuid: await toUuid(call.identity),
    extensions: ["CC"],
    created_at: call.createdAt,
    parties: list,
    dialog,
    analysis: toAnalysis(record, dialog),
    attachments: [],
  };
}

/** Adds the data that a vCon has no place for, as an attachment of `RECORD_PURPOSE`. */
export function attachRecord(vcon: Vcon, body: object): Vcon {
  const attachment = {
    purpose: RECORD_PURPOSE,
    start: vcon.dialog[0]?.["start"],
    party: vcon.parties.length - 1, // the archive
    dialog: 0,
    mediatype: "application/json",
    encoding: "json",
    body,
  };
  return { ...vcon, attachments: [...vcon.attachments, attachment] };
}

function toRecordingPart(recording: VconRecording, defaults: Part): Part {
  const encoding = recording.body === undefined ? undefined : "base64url";
  return dropUnset({ type: "recording", ...defaults, ...recording, encoding });
}

function toTextPart({ message, start }: VconMessage, writer: number): Part[] {
  const { transcript: body } = message;
  if (body === null || body.trim() === "") return [];
  const text = { mediatype: "text/plain", encoding: "none", body };
  return [{ type: "text", start, parties: [writer], originator: writer, ...text }];
}

/** The contact centre extension puts its fields into a dialog. */
function withContactCentre([first, ...others]: readonly Part[], record: CallFields): Part[] {
  const { call_id, call_type, campaign, skill } = record;
  const fields = { interaction_id: call_id, interaction_type: call_type, campaign, skill };
  return [{ ...first, ...dropUnset(fields) }, ...others];
}

type CallFields = VconCall["record"];

/** A transcript refers to the recordings, or to all dialogs if there are none; notes and disposition refer to all. */
function toAnalysis({ transcript, notes, disposition }: CallFields, dialogs: readonly Part[]) {
  const all = [...dialogs.keys()];
  const spoken = all.filter((index) => dialogs[index]?.["type"] === "recording");
  const bodies = { transcript, summary: notes, disposition };
  return Object.entries(bodies).flatMap(([type, body]) => {
    if (body === null) return [];
    const dialog = type === "transcript" && spoken.length > 0 ? spoken : all;
    return [{ type, dialog, vendor: "unknown", mediatype: "text/plain", encoding: "none", body }];
  });
}

/** A UUID of version 8 (RFC 9562, section 5.8), made from a SHA-256. */
async function toUuid(identity: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(identity));
  const bytes = new Uint8Array(digest, 0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function dropUnset(fields: Part): Part {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given);
}
