// Reads the recordings of a call for its vCons: complete, verified, and assigned to their records.
import {
  type CallMediaClient,
  type CallRecord,
  isCallMediaError,
  type Recording,
  type RecordingRequest,
  toRecordingNames,
} from "@call-media/client";
import type { Call } from "./look-up.ts";

export interface RecordingOfRecord extends Recording {
  /** The request for it. */
  readonly wanted: RecordingRequest;
}

export interface RecordingsOfCall {
  /** The recordings of each record, in the order of the records. */
  readonly found: readonly (readonly RecordingOfRecord[])[];
  /** Why others are missing: denied, removed, or possibly of another record. */
  readonly missing: readonly string[];
}

/** Reads the recordings that the records list. */
export async function readRecordings(
  client: CallMediaClient,
  { records }: Pick<Call, "records">,
  signal: AbortSignal,
): Promise<RecordingsOfCall> {
  const found: RecordingOfRecord[][] = [];
  const missing: string[] = [];
  for (const record of records) {
    const own: RecordingOfRecord[] = [];
    for (const index of toRecordingNames(record.recordings).keys()) {
      const read = await readOne(client, { record, number: index + 1, signal });
      if (typeof read === "string") missing.push(read);
      else if (read !== undefined) own.push(read);
    }
    found.push(own);
  }
  return { found, missing };
}

interface Wanted {
  readonly record: CallRecord;
  readonly number: number;
  readonly signal: AbortSignal;
}

/** Returns the reason if the recording is not available. Undefined if its name is the rest of the previous one. */
async function readOne(
  { recordings }: CallMediaClient,
  asked: Wanted,
): Promise<RecordingOfRecord | string | undefined> {
  try {
    const wanted = await recordings.find(asked);
    return { ...(await recordings.bytes(wanted)), wanted };
  } catch (error) {
    if (!isCallMediaError(error)) throw error;
    if (error.code === "CLIENT_REST_OF_NAME") return undefined;
    const isOfOne = ["NotFoundError", "PermissionError"].includes(error.name);
    if (!isOfOne && error.code !== "CLIENT_AMBIGUOUS_RECORDING") throw error;
    return `${error.code}: ${error.message}`;
  }
}
