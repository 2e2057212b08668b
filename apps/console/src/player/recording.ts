// One recording of a record: its URL, its announced facts, and its bytes (D16).
import type { Announced, CallRecord, Recording, RecordingRequest } from "@call-media/client";
import type { Access } from "../access.ts";
import { noticeRefusal } from "../session.ts";

export interface Which {
  readonly record: CallRecord;
  /** From 1, in the list of the record. */
  readonly part: number;
}

export interface Head extends Announced {
  /** The request for the recording. */
  readonly wanted: RecordingRequest;
  readonly requestId: string | undefined;
}

export function toRecordingUrl(
  { baseUrl }: Access,
  { call_id, ref_id = "", part = 1 }: RecordingRequest,
): string {
  const kind = call_id === undefined ? "reference" : "call-id";
  const query = part === 1 ? "" : `?part=${part}`;
  return `${baseUrl}/recording/stream-by-${kind}/${encodeURIComponent(call_id ?? ref_id)}${query}`;
}

/**
 * Finds the recording among those of its call, and its announced facts. Its HEAD requests do not count as access to the
 * recording in the access log.
 *
 * @throws CallMediaError
 */
export async function describeRecording(
  { client }: Access,
  { record, part }: Which,
  signal: AbortSignal,
): Promise<Head> {
  try {
    const wanted = await client.recordings.find({ record, number: part, signal });
    const { data, requestId } = await client.recordings.describe(wanted).withResponse();
    return { ...data, wanted, requestId };
  } catch (error) {
    noticeRefusal(error);
    throw error;
  }
}

/**
 * Reads the complete recording.
 *
 * @throws ProtocolError if the bytes differ from the announced ones; other CallMediaErrors if they cannot be fetched.
 */
export async function readRecording(
  { client }: Access,
  { wanted }: Head,
  signal?: AbortSignal,
): Promise<Recording> {
  try {
    return await client.recordings.bytes({ ...wanted, signal });
  } catch (error) {
    noticeRefusal(error);
    throw error;
  }
}
