// Opens the recordings of a record; other records of its call may have them too.
import {
  type CallRecord,
  type RecordingRequest,
  type RecordingStream,
  toRecordingNames,
} from "@call-media/client";
import { MASK } from "../masking/mask.ts";
import { type FetchContext, findUnmasked } from "./legs.ts";
import { NotReceived } from "./not-received.ts";

/** The name that the record gives one of its recordings; undefined if it gives none, or if the name is masked. */
export const toRecordingName = ({ recordings }: CallRecord, number: number): string | undefined =>
  recordings === MASK ? undefined : toRecordingNames(recordings)[number - 1];

/**
 * The request for a recording of the record. `number`: from 1, in its list.
 *
 * @throws NotReceived, the errors of a call.
 */
export async function findRecording(
  work: FetchContext,
  { record: exported, number }: { readonly record: CallRecord; readonly number: number },
): Promise<RecordingRequest> {
  const { client, signal } = work;
  const record = await findUnmasked(work, exported);
  return await client.recordings.find({ record, number, signal });
}

/** @throws NotReceived, the errors of a call. */
export async function openRecording(
  { client }: Pick<FetchContext, "client">,
  wanted: RecordingRequest,
): Promise<RecordingStream> {
  const { data: stream, response } = await client.recordings.stream(wanted).withResponse();
  // RFC 9110, 15.3.5.
  if (response.status === 204) throw NotReceived.asNothing();
  return stream;
}
