// A recording as bytes, with what the service says about it: as a stream or, where that is refused, from base64.
import { type AnswerPromise, toAnswerPromise } from "../call/answer-promise.ts";
import { type Caller, toAnswer } from "../call/caller.ts";
import type { Answer } from "../call/contract-calls.ts";
import type { Read } from "../call/exchange.ts";
import { readText } from "../call/answer.ts";
import { type CallInit, toOperation } from "../call/request.ts";
import { isPassing } from "../call/retry.ts";
import { openRecording, toStream } from "../call/stream.ts";
import { type ErrorSubject, type Operation, ProtocolError, toRefusal } from "../errors.ts";
import { type Bytes, toHex } from "./bytes.ts";
import { openEnvelope } from "./envelope.ts";
import { type Announced, describe } from "./recording-headers.ts";
import { type Opened, type RangeHeaders, resume } from "./resume.ts";

/** Which recording: by call identifier, or by reference, session or master identifier. */
export type RecordingRequest = (
  | { readonly call_id: string; readonly ref_id?: never }
  | { readonly ref_id: string; readonly call_id?: never }
) & {
  /** Which recording of a call that has several, from 1 in order of start (D17). Default: the first. */
  readonly part?: number | undefined;
  /** Stops the download, also while the body is read; it then fails with an AbortError. */
  readonly signal?: AbortSignal | undefined;
};

/** A recording that is being received. Apart from `body`, all is as the service announced it (D16). */
export interface RecordingStream extends Announced {
  /** The bytes, from the network as they are read. A stream that is not wanted must be cancelled. */
  readonly body: ReadableStream<Uint8Array>;
  /** The call that it comes by, which errors about it name. */
  readonly source: ErrorSubject;
}

/** A recording that was received whole and checked. */
export interface Recording extends Announced {
  readonly content: Bytes;
  readonly bytes: number;
  /** Computed from what was received. */
  readonly sha256: string;
}

/** Recordings of calls, checked against what the service announces of them. */
export interface Recordings {
  /**
   * Opens a recording for reading. A download that breaks off goes on where it was, as long as the
   * service has ranges and tells by ETag or Repr-Digest that its bytes are still the same. Where the
   * stream is refused with 403, 404, 405 or 501, the recording is decoded from base64; then length,
   * media type and digest are unknown.
   *
   * @throws NotFoundError where there is none, PermissionError where it may not be downloaded (D22).
   */
  stream(wanted: RecordingRequest): AnswerPromise<RecordingStream>;
  /**
   * The same, whole and checked against the announced length and digest. One that breaks off for good
   * is read once more from its start.
   *
   * @throws ProtocolError where length or digest differ.
   */
  bytes(wanted: RecordingRequest): AnswerPromise<Recording>;
  /**
   * Name, media type, length and digest of a recording, by HEAD: nothing of it is sent, and the access log has no listener.
   *
   * @throws NotFoundError where there is none, PermissionError where it may not be downloaded (D22).
   */
  describe(wanted: RecordingRequest): AnswerPromise<Announced>;
}

export function createRecordings({ call }: Caller): Recordings {
  const readStream: Read<Opened> = async (exchange) => ({
    ...describe(exchange.response.headers),
    exchange,
    pieces: await openRecording(exchange),
  });
  // Once a stream was had, one that is refused is refused for itself.
  let hasStreams = false;

  const readHead: Read<Answer<Announced>> = async (exchange) => {
    await readText(exchange);
    return toAnswer(exchange, describe(exchange.response.headers).announced);
  };

  async function open(wanted: RecordingRequest): Promise<Opened> {
    const ask = (kind: "stream-" | "", read: Read<Opened>, header?: RangeHeaders) =>
      call(toRecordingOperation(kind, wanted), toInit(wanted, header), read);
    const askStream = (header?: RangeHeaders) => ask("stream-", readStream, header);
    try {
      const first = await askStream();
      hasStreams = true;
      return { ...first, pieces: resume(first, askStream) };
    } catch (error) {
      if (hasStreams || !isRefusal(error)) throw error;
      return ask("", openEnvelope).catch((other: unknown) => {
        throw isRefusal(other) ? error : other;
      });
    }
  }

  /** What `read` makes of the recording: of one that breaks off for good, once more from its start. */
  async function openBy<Data>(
    wanted: RecordingRequest,
    read: (opened: Opened) => Data | Promise<Data>,
  ): Promise<Answer<Data>> {
    for (let isLast = false; ; isLast = true) {
      const opened = await open(wanted);
      try {
        return toAnswer(opened.exchange, await read(opened));
      } catch (error) {
        if (isLast || !isPassing(error)) throw error;
      }
    }
  }

  return {
    stream: (wanted) => toAnswerPromise(openBy(wanted, toRecordingStream)),
    bytes: (wanted) => toAnswerPromise(openBy(wanted, readWhole)),
    describe: (wanted) => {
      const operation = { ...toRecordingOperation("stream-", wanted), method: "HEAD" as const };
      return toAnswerPromise(call(operation, toInit(wanted), readHead));
    },
  };
}

function toRecordingOperation(kind: "stream-" | "", { call_id }: RecordingRequest): Operation {
  const by = call_id === undefined ? "by-reference/{ref_id}" : "by-call-id/{call_id}";
  return toOperation("GET", `/recording/${kind}${by}`);
}

function toInit(
  { call_id, ref_id, part, signal }: RecordingRequest,
  header?: RangeHeaders,
): CallInit {
  return { params: { path: { call_id, ref_id }, query: { part }, header }, signal };
}

/** Whether the way to the recording may be what was refused, and not the recording. */
function isRefusal(error: unknown): boolean {
  // Forbidden, not found, no such method, not implemented.
  return [403, 404, 405, 501].includes(toRefusal(error));
}

function toRecordingStream({ announced, exchange, pieces }: Opened): RecordingStream {
  return { ...announced, source: exchange.about, body: toStream(pieces, exchange) };
}

async function readWhole({ announced, exchange, pieces }: Opened): Promise<Recording> {
  const all: Bytes[] = [];
  // What comes over the network is in no shared memory.
  for await (const piece of pieces) all.push(piece as Bytes);
  const content = new Uint8Array(await new Blob(all).arrayBuffer());
  const sha256 = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", content)));
  checkDigest(announced, sha256, exchange.about);
  return { ...announced, bytes: content.length, sha256, content };
}

/** @throws ProtocolError where the service announced another digest. */
export function checkDigest(announced: Announced, sha256: string, source: ErrorSubject): void {
  if ((announced.sha256 ?? sha256) !== sha256)
    throw new ProtocolError("The bytes are not those of Repr-Digest", source);
}
