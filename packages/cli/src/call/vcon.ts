// Converts a record to a vCon, with the record itself as an attachment, so that an import restores every field.
import { toInstant } from "@call-media/conditions";
import { hash } from "node:crypto";
import type { CallRecord, Recording } from "@call-media/client";
import type { Message } from "@call-media/handover";
import { attachRecord, toVcon, type VconRecording } from "@call-media/handover/vcon";
import { toSent } from "./sent.ts";
import { toMessageEntry, toRecordEntry } from "./vcon-entries.ts";

/** A recording with its file next to the vCon. Without a file, it is embedded. */
export interface VconMedia extends Recording {
  readonly place?: {
    readonly file: string;
    /** Its URL in the service. */
    readonly url: string;
  };
}

export interface VconContent {
  readonly baseUrl: string;
  readonly record: CallRecord;
  readonly messages: readonly Message[];
  readonly media: readonly VconMedia[];
  /** The time zone of datetimes without an offset. */
  readonly archiveZone: string | undefined;
}

export async function toRecordVcon(content: VconContent): Promise<object> {
  const { baseUrl, record, messages, media, archiveZone } = content;
  const { call_id, ref_id, datetime, agent } = record;
  const start = toInstant(datetime, archiveZone) ?? new Date(0);
  const sent = toSent(messages, start, archiveZone);
  const vcon = await toVcon({
    identity: JSON.stringify([baseUrl, call_id, ref_id, datetime, agent]),
    record,
    start: start.toISOString(),
    createdAt: new Date().toISOString(),
    messages: sent.map(({ message, sentAt }) => ({ message, start: sentAt.toISOString() })),
    recordings: media.map(toVconRecording),
  });
  const fields = toRecordEntry(record, media.length > 0);
  return attachRecord(vcon, { fields, messages: sent.map(toMessageEntry) });
}

function toVconRecording({ place, filename, contentType, content }: VconMedia): VconRecording {
  const mediatype = contentType;
  if (place === undefined)
    return { mediatype, filename, body: Buffer.from(content).toString("base64url") };
  const content_hash = `sha512-${hash("sha512", content, "base64url")}`;
  return { mediatype, filename: place.file, url: place.url, content_hash };
}
