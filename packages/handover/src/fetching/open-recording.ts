// Opens the recordings of a record, which others of its call may have too.
import {
  type CallRecord,
  isCallMediaError,
  type RecordingRequest,
  type RecordingStream,
  toRecordingNames,
} from "@call-media/client";
import { MASK } from "../masking/mask.ts";
import { CHANGED, type CallSelector, type FetchContext, findUnmasked, LegGone } from "./legs.ts";

/** The greatest `part` that the contract accepts. No call has as many recordings. */
export const MAX_PART = 10_000;

/** The name that the record gives one of its recordings; undefined where it gives none, or it is masked. */
export const toRecordingName = ({ recordings }: CallRecord, number: number): string | undefined =>
  recordings === MASK ? undefined : toRecordingNames(recordings)[number - 1];

/** The service has no such recording, though a record lists it. */
export class NoSuchRecording extends Error {
  override readonly name = "NoSuchRecording";
}

export const NOTHING_GIVEN = "the service gives nothing for it";

/** An apparent name in the record's list may be the rest of the one before it. */
export class RestOfName extends Error {
  override readonly name = "RestOfName";
}

/** It could be that of another record. */
export class AmbiguousRecording extends Error {
  override readonly name = "AmbiguousRecording";
}

/**
 * How the service is asked for a recording of the record. `number`: from 1, in its list.
 *
 * @throws NoSuchRecording, RestOfName, AmbiguousRecording, LegGone, the errors of a call.
 */
export async function findRecording(
  work: FetchContext,
  which: CallSelector,
  { record: exported, number }: { readonly record: CallRecord; readonly number: number },
): Promise<RecordingRequest> {
  const { client, signal } = work;
  const record = await findUnmasked(work, which, exported);
  try {
    return await client.recordings.find({ record, number, signal });
  } catch (error) {
    throw toOwn(error);
  }
}

/** Errors of the client, whose sentences third parties may read: they are about no file. */
function toOwn(cause: unknown): unknown {
  if (!isCallMediaError(cause)) return cause;
  const { code } = cause;
  if (code === "CLIENT_REST_OF_NAME") return new RestOfName(cause.message, { cause });
  if (code === "CLIENT_RECORD_CHANGED") return new LegGone(CHANGED, { cause });
  if (code === "CLIENT_AMBIGUOUS_RECORDING")
    return new AmbiguousRecording(`${code}: ${cause.message}`, { cause });
  return cause;
}

/** @throws NoSuchRecording, LegGone, the errors of a call. */
export async function openRecording(
  { client }: Pick<FetchContext, "client">,
  wanted: RecordingRequest,
): Promise<RecordingStream> {
  const opening = client.recordings.stream(wanted).withResponse();
  const { data: stream, response } = await opening.catch((error: unknown) => {
    throw toOwn(error);
  });
  // RFC 9110, 15.3.5: it would be a file without a byte.
  if (response.status === 204) throw new NoSuchRecording(NOTHING_GIVEN);
  return stream;
}
