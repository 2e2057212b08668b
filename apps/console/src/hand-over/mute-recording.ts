// Mutes a recording of a hand-over: in place if its codec allows it, else as the WAV file that the browser decodes it to.
import {
  type CallRecord,
  isCallMediaError,
  type RecordingRequest,
  type RecordingSound,
} from "@call-media/client";
import {
  type CallSpan,
  type Exporter,
  type FetchContext,
  findOwnParts,
  type MutedFile,
  NotReceived,
  toMutedFile,
} from "@call-media/handover";
import {
  CannotMute,
  CannotMuteCodec,
  mute,
  type MuteSpan,
  type Original,
} from "@call-media/sound/mute";
import { toSha256 } from "./sha256.ts";

export interface MuteContext extends FetchContext {
  /** The person who mutes. */
  readonly by: Exporter;
}

export interface ReceivedContent {
  readonly content: Blob;
  readonly sha256: string;
  readonly contentType: string;
  readonly filename: string | undefined;
  /** The facts that the archive found in its bytes on import (D37). */
  readonly sound: RecordingSound | undefined;
}

export type Exported = Pick<ReceivedContent, "content" | "sha256" | "contentType"> & {
  readonly muted?: MutedFile;
};

export interface ToMute extends Pick<CallRecord, "call_id"> {
  readonly wanted: RecordingRequest;
  /** The spans of the call. */
  readonly spans: readonly CallSpan[];
}

/** @throws NotReceived if it cannot be muted, and the errors of a call. */
export async function muteRecording(
  context: MuteContext,
  received: ReceivedContent,
  { call_id, wanted, spans }: ToMute,
): Promise<Exported> {
  const { content, sha256 } = received;
  const own = wanted.call_id === undefined ? undefined : (wanted.part ?? 1);
  try {
    const parts = await findOwnParts(spans, { bytes: content.size, sha256, own }, (part) =>
      describe(context, call_id ?? "", part),
    );
    const mine = spans.filter(({ part }) => parts.has(part));
    if (mine.length === 0) return received;
    const { spans: fitted, ...copy } = await writeMuted(received, mine);
    const muted = toMutedFile({ bytes: content.size, sha256 }, fitted, context.by);
    return { ...copy, sha256: await toSha256(copy.content), muted };
  } catch (error) {
    if (error instanceof CannotMute) throw new NotReceived("refused", error.message);
    throw error;
  }
}

/** Undefined if the call has no such recording, or the caller has no right to it. */
async function describe({ client, signal }: FetchContext, call_id: string, part: number) {
  try {
    return await client.recordings.describe({ call_id, ...(part > 1 && { part }), signal });
  } catch (error) {
    if (isCallMediaError(error, "NotFoundError") || isCallMediaError(error, "PermissionError"))
      return undefined;
    throw error;
  }
}

const toOriginal = (content: Blob, announced: Original["announced"]): Original => ({
  announced,
  async *open() {
    yield new Uint8Array(await content.arrayBuffer());
  },
});

/** Reads the result again: only a file proved silent in the spans may leave. */
async function writeMuted<Span extends MuteSpan>(
  received: ReceivedContent,
  asked: readonly Span[],
) {
  const { read, prove, contentType, spans } = await openMuted(received, asked);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of read()) pieces.push(Uint8Array.from(piece));
  const content = new Blob(pieces, { type: contentType });
  await prove(toOriginal(content, {}).open);
  return { content, contentType, spans };
}

async function openMuted<Span extends MuteSpan>(
  { content, filename, contentType, sound }: ReceivedContent,
  spans: readonly Span[],
) {
  try {
    return await mute(toOriginal(content, { filename, contentType }), spans);
  } catch (error) {
    if (!(error instanceof CannotMuteCodec)) throw error;
    const { decodeByBrowser } = await import("../player/decode-by-browser.ts");
    const wav = await decodeByBrowser(content, sound?.rate);
    if (wav === undefined) throw error;
    return await mute(toOriginal(wav, {}), spans);
  }
}
