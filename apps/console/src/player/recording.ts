// One recording of the service: its address, what is announced of it, and its bytes (D16).
import type { Announced, Recording, RecordingRequest } from "@call-media/client";
import type { Access } from "../access.ts";
import { noticeRefusal } from "../session.ts";

export interface Which {
  readonly by: "call_id" | "ref_id";
  readonly id: string;
  /** From 1, in order of start (D17). */
  readonly part: number;
}

export interface Head extends Announced {
  readonly requestId: string | undefined;
}

export function toRecordingUrl({ baseUrl }: Access, { by, id, part }: Which): string {
  const kind = by === "call_id" ? "call-id" : "reference";
  const query = part === 1 ? "" : `?part=${part}`;
  return `${baseUrl}/recording/stream-by-${kind}/${encodeURIComponent(id)}${query}`;
}

function toRequest({ by, id, part }: Which, signal: AbortSignal | undefined): RecordingRequest {
  const more = { part: part === 1 ? undefined : part, signal };
  return by === "call_id" ? { call_id: id, ...more } : { ref_id: id, ...more };
}

/**
 * The announced facts of a recording. A HEAD request, which does not count as access to the recording in the access
 * log.
 *
 * @throws CallMediaError
 */
export async function describeRecording(
  { client }: Access,
  which: Which,
  signal: AbortSignal,
): Promise<Head> {
  try {
    const asked = client.recordings.describe(toRequest(which, signal));
    const { data, requestId } = await asked.withResponse();
    return { ...data, requestId };
  } catch (error) {
    noticeRefusal(error);
    throw error;
  }
}

/**
 * The whole of it.
 *
 * @throws ProtocolError if the bytes differ from the announced ones; other CallMediaErrors if they cannot be fetched.
 */
export async function readRecording(
  { client }: Access,
  which: Which,
  signal?: AbortSignal,
): Promise<Recording> {
  try {
    return await client.recordings.bytes(toRequest(which, signal));
  } catch (error) {
    noticeRefusal(error);
    throw error;
  }
}
