// Receives the files of one record completely, and checks each before any of it is written.
import { type CallRecord, type RecordingRequest, toVerified } from "@call-media/client";
import {
  findRecording,
  isUnaskable,
  type Item,
  keepFindings,
  measureSound,
  type Message,
  NO_FILE,
  NotReceived,
  openRecording,
  type Outcome,
  type Place,
  readTranscript,
  toExtension,
  toFetchFailure,
  toRecordingName,
  toRecorded,
  UNASKABLE,
} from "@call-media/handover";
import type { Exported, MuteContext, ReceivedContent } from "./mute-recording.ts";
import { toSha256 } from "./sha256.ts";

/** A record with the paths of its files. */
interface Placed extends Pick<Place, "isFirst" | "toPath"> {
  /** Masked if requested. */
  readonly record: CallRecord;
}

export interface FetchedFile {
  readonly item: Item;
  readonly outcome: Outcome;
  /** Undefined without a file. */
  readonly content: Blob | undefined;
  /** The messages of a transcript; empty for a recording. */
  readonly messages: readonly Message[];
}

// A damaged or interrupted transfer may succeed on a second try.
const MOST_ATTEMPTS = 2;

/** @throws errors that concern more than this record: an expired sign-in, an abort. */
export async function fetchFiles(
  context: MuteContext,
  placed: Placed,
  items: readonly Item[],
): Promise<readonly FetchedFile[]> {
  const files: FetchedFile[] = [];
  for (const item of items) files.push(await fetchFile(context, placed, item));
  return files;
}

async function fetchFile(context: MuteContext, placed: Placed, item: Item): Promise<FetchedFile> {
  const { record } = placed;
  const isRecording = item.kind === "recording";
  const identifier = isRecording ? record.call_id || record.ref_id : record.call_id;
  if (isUnaskable(identifier, context.redaction)) return fail(item, 0, UNASKABLE);
  for (let attempts = 1; ; attempts++)
    try {
      const fetched = isRecording
        ? await fetchRecording(context, placed, item)
        : await fetchTranscript(context, placed, item);
      return { ...fetched, item, outcome: { ...fetched.outcome, attempts } };
    } catch (error) {
      const failure = toFetchFailure(error, context.redaction);
      const mayPass = failure.status === "damaged" || failure.status === "failed";
      if (!mayPass || attempts === MOST_ATTEMPTS)
        return fail(item, identifier ? attempts : 0, failure);
    }
}

const fail = (
  item: Item,
  attempts: number,
  failure: Pick<Outcome, "status" | "error">,
): FetchedFile => ({
  item,
  outcome: { ...NO_FILE, ...failure, attempts },
  content: undefined,
  messages: [],
});

type Fetched = Omit<FetchedFile, "item">;

async function fetchRecording(
  context: MuteContext,
  { record, toPath }: Placed,
  item: Item,
): Promise<Fetched> {
  const { part } = item;
  const wanted = await findRecording(context, { record, number: part });
  const stream = await openRecording(context, wanted);
  const {
    body,
    sha256: announced,
    bytes,
    contentType,
    filename,
    sound,
  } = toRecorded(stream, context.redaction);
  const content = await new Response(body).blob();
  if (content.size === 0 && announced === undefined) throw NotReceived.asNothing();
  const sha256 = await toSha256(content);
  if (announced !== undefined && announced !== sha256)
    throw NotReceived.asDamaged(sha256, announced);
  const name = toRecordingName(record, part);
  const received = { content, sha256, contentType, filename: name ?? filename, sound };
  const exported = await mute(context, received, { call_id: record.call_id, wanted });
  const { muted } = exported;
  const names = muted === undefined ? [name, filename] : [];
  const { content: handed, contentType: type } = exported;
  const announcedAs = { filename: names.find(Boolean), contentType: type };
  const written = await measureSound(handed.stream(), announcedAs);
  const measured =
    muted === undefined
      ? written
      : keepFindings(written, await measureSound(content.stream(), received));
  return {
    content: handed,
    messages: [],
    outcome: {
      status: "complete",
      file: `${toPath(item)}${toExtension(names, type)}`,
      bytes: handed.size,
      sha256: exported.sha256,
      content_type: type,
      verified: toVerified({ sha256: announced, bytes }),
      attempts: 0,
      error: null,
      ...(muted && { muted }),
      sound: measured,
    },
  };
}

/** The muting code is loaded with the first muted recording. */
async function mute(
  context: MuteContext,
  received: ReceivedContent,
  of: Pick<CallRecord, "call_id"> & { readonly wanted: RecordingRequest },
): Promise<Exported> {
  const spans = context.muting?.spansOf(of.call_id) ?? [];
  if (spans.length === 0) return received;
  const { muteRecording } = await import("./mute-recording.ts");
  return await muteRecording(context, received, { ...of, spans });
}

async function fetchTranscript(
  context: MuteContext,
  { record, isFirst, toPath }: Placed,
  item: Item,
): Promise<Fetched> {
  const { text, messages, isChatUnknown } = await readTranscript(context, record, isFirst);
  const verified = isChatUnknown ? "nothing" : null;
  if (text === undefined) {
    const { content, outcome } = fail(item, 0, { status: "none", error: null });
    return { content, messages, outcome: { ...outcome, verified } };
  }
  const content = new Blob([text]);
  return {
    content,
    messages,
    outcome: {
      status: "complete",
      file: `${toPath(item)}.json`,
      bytes: content.size,
      sha256: await toSha256(content),
      content_type: "application/json",
      verified,
      attempts: 0,
      error: null,
    },
  };
}
