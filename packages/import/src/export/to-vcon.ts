// A call of an archive as a vCon, and as an attachment what an import would read differently from the rest of it.
import { attachRecord, toVcon, type VconRecording } from "@call-media/handover/vcon";
import type { ChatMessageRecord } from "@call-media/store";
import { parseDatetime } from "@call-media/store/values";
import { toAdditions } from "../formats/vcon/additions.ts";
import { toEntries } from "../formats/vcon/to-entries.ts";
import { parseVcon } from "../formats/vcon/vcon.ts";
import type { ExportedArchive, ExportedCall, ExportedRecording } from "./format.ts";
import { toCallEntry } from "./to-entry.ts";

/** A call with what goes with it. */
export interface Conversation {
  /** The id of the call, see `ScannedRow`. */
  readonly id: string | undefined;
  readonly call: ExportedCall;
  readonly messages: readonly ChatMessageRecord[];
  readonly recordings: readonly ExportedRecording[];
}

export async function toExportedVcon(
  { id, call, messages, recordings }: Conversation,
  archive: ExportedArchive,
): Promise<object> {
  const { createdAt, scan } = archive;
  const { record } = call;
  const vcon = await toVcon({
    identity: `${scan.archiveId} ${id}`,
    record,
    start: toInstant(record.datetime, scan.timeZone) ?? createdAt,
    createdAt,
    messages: messages.map((message) => ({ message, start: message.datetime })),
    recordings: await Promise.all(recordings.map((recording) => toRecording(recording, archive))),
  });
  const said = await toEntries(parseVcon(vcon), EVERYTHING_IS_THERE, scan.timeZone);
  const wanted = [
    toCallEntry(call, recordings),
    ...messages.map((message) => ({ kind: "chat", ...message })),
  ];
  const additions = toAdditions(said, wanted);
  return additions === undefined ? vcon : attachRecord(vcon, additions);
}

const EVERYTHING_IS_THERE = {
  has: async () => true,
  find: async (name: string) => name,
  resolve: async (file: string) => file,
};

async function toRecording(
  recording: ExportedRecording,
  archive: ExportedArchive,
): Promise<VconRecording> {
  const { startMs, file } = recording;
  return {
    ...(startMs !== undefined && { start: new Date(startMs).toISOString() }),
    duration: await archive.durationOf(recording),
    mediatype: file.type,
    filename: file.place,
    content_hash: `sha256-${Buffer.from(file.sha256, "hex").toString("base64url")}`,
  };
}

function toInstant(datetime: string | null, timeZone: string): string | undefined {
  const parsed = datetime === null ? "" : parseDatetime(datetime, timeZone);
  return typeof parsed === "string" ? undefined : new Date(parsed.instantMs).toISOString();
}
