// The recordings of a record: which of those of its call are its own, and what became of each.
import { rm } from "node:fs/promises";
import { type CallRecord, isCallMediaError, type RecordingStream } from "@call-media/client";
import { toRecordingNames } from "../recording-names.ts";
import { DamagedRecording } from "./digest.ts";
import {
  type Downloads,
  type Opened,
  type Received,
  receiveRecording,
  type Source,
} from "./download.ts";
import type { Begun, Outcome, Row } from "./entries.ts";
import { MASK } from "./redaction.ts";

/** The name that the record gives one of its recordings; undefined where it gives none, or it is masked. */
export function toName({ record }: Row, part: number): string | undefined {
  return record.recordings === MASK ? undefined : toRecordingNames(record.recordings)[part - 1];
}

/** A recording that is wanted. */
export interface WantedRecording {
  readonly row: Row;
  /** From 1, of this record. */
  readonly part: number;
  /** How many recordings of the call come before the first of this record: those of earlier legs. */
  readonly offset: number;
  /** Digests of the recordings of this record that were received before. */
  readonly earlier: ReadonlySet<string>;
  /** Where the bytes go until they are whole. */
  readonly partFile: string;
  readonly begun: Begun | undefined;
  readonly tellBegun: (begun: Begun) => Promise<void>;
}

/** Why a recording was not had. */
export type NotHad = Pick<Outcome, "status" | "error">;

/** @throws what concerns more than this recording: sign-in, disk, Ctrl-C. */
export async function fetchRecording(
  downloads: Downloads,
  wanted: WantedRecording,
): Promise<Received | NotHad> {
  const source = toSource(wanted.row.record);
  if (source === undefined)
    return { status: "missing", error: "the record has neither a call_id nor a ref_id" };
  const { partFile, begun, tellBegun } = wanted;
  const open = () => openRecording(downloads, source, wanted);
  try {
    const download = { source, part: partFile, begun, tellBegun, open };
    const received = await receiveRecording(downloads, download);
    // A service that does not know `part` gives the first one again; where it gives names, they have told.
    const isAgain = received.filename === undefined && wanted.earlier.has(received.sha256);
    if (!isAgain) return received;
    await rm(partFile, { force: true });
    return { status: "missing", error: "the service gives the recording before it again" };
  } catch (error) {
    return toNotHad(error);
  }
}

function toSource({ call_id, ref_id }: CallRecord): Source | undefined {
  if (call_id !== null && call_id !== "") return { call_id };
  return ref_id === null || ref_id === "" ? undefined : { ref_id };
}

/** No recording of that name among those of the call. */
class NoSuchRecording extends Error {
  override readonly name = "NoSuchRecording";
}

/** @throws what is no matter of this file alone. */
export function toNotHad(error: unknown): NotHad {
  const status = toStatus(error);
  if (status === undefined || !(error instanceof Error)) throw error;
  return { status, error: error.message };
}

function toStatus(error: unknown): Outcome["status"] | undefined {
  if (error instanceof NoSuchRecording || isCallMediaError(error, "NotFoundError"))
    return "missing";
  if (error instanceof DamagedRecording) return "damaged";
  if (isCallMediaError(error, "PermissionError")) return "refused";
  const isOfAll =
    !isCallMediaError(error) ||
    isCallMediaError(error, "AuthenticationError") ||
    isCallMediaError(error, "AbortError");
  return isOfAll ? undefined : "failed";
}

/** The recording that has the name that the record gives it, whatever the order in which the service counts them. */
async function openRecording(
  downloads: Downloads,
  source: Source,
  { row, part, offset }: WantedRecording,
): Promise<Opened> {
  const name = toName(row, part);
  const first = await openPart(downloads, source, offset + part);
  const isIt = ({ filename }: RecordingStream) => filename === undefined || filename === name;
  if (name === undefined || isIt(first.stream)) return first;
  const siblings = await listSiblings(downloads, source);
  // Names of its own that no record has: there is nothing to go by but the number.
  if (!siblings.includes(first.stream.filename ?? "")) return first;
  await first.stream.body.cancel();
  for (const index of siblings.keys()) {
    const other = await openPart(downloads, source, index + 1);
    if (isIt(other.stream)) return other;
    await other.stream.body.cancel();
  }
  throw new NoSuchRecording(`the service gives ${first.stream.filename} instead`);
}

async function openPart({ client, signal }: Downloads, source: Source, part: number) {
  // A service that knows no parts might refuse the parameter.
  const query = part === 1 ? {} : { part };
  return { stream: await client.recordings.stream({ ...source, ...query, signal }), part };
}

/** Names of all recordings of the call; only calls with a call_id have several records. */
async function listSiblings(
  { client, signal }: Downloads,
  { call_id }: Source,
): Promise<readonly string[]> {
  if (call_id === undefined) return [];
  const params = { path: { call_id } };
  const { data } = await client.GET("/metadata/by-call-id/{call_id}", { params, signal });
  return data.data.flatMap(({ recordings }) => toRecordingNames(recordings));
}
