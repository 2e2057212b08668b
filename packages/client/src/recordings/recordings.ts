// A recording as bytes, with what the service says about it: as a stream or, if that is refused, from base64.
import { type Answer, readText, toAnswer } from "../call/answer.ts";
import { type AnswerPromise, toAnswerPromise } from "../call/answer-promise.ts";
import type { Caller } from "../call/caller.ts";
import type { Read } from "../call/exchange.ts";
import { isTransient } from "../call/retry.ts";
import type { CallOptions } from "../options.ts";
import { openRecording, toStream } from "../call/stream.ts";
import { type ErrorSubject, ProtocolError, toRefusalStatus } from "../errors.ts";
import { type Bytes, toHex } from "./bytes.ts";
import { openEnvelope } from "./envelope.ts";
import { createFinder } from "./finder.ts";
import { isSameOwner, toMissing } from "./own-recordings.ts";
import { type Announced, describe } from "./recording-headers.ts";
import {
  type NamedRecording,
  type OwnerRecord,
  type OwnRecording,
  type RecordingOfRecord,
  type RecordingRequest,
  toInit,
  toRecordingOperation,
} from "./recording-request.ts";
import { type Opened, type RangeHeaders, resume, skip } from "./resume.ts";

/** A recording from a given byte on, for programs that already have the bytes before it. */
export type StreamRequest = RecordingRequest & {
  /** Number of bytes to skip at the beginning. Without support for ranges they are requested and discarded. Default: 0. */
  readonly offset?: number | undefined;
};

/** A recording that is being received. Everything but `body` is what the service announced (D16). */
export interface RecordingStream extends Announced {
  /** The bytes, read from the network as the program reads them. Cancel a stream that you do not read. */
  readonly body: ReadableStream<Uint8Array>;
  /** The call that returned it, which errors about it name. */
  readonly source: ErrorSubject;
}

/** A recording that was received completely and checked. */
export interface Recording extends Announced {
  readonly content: Bytes;
  readonly bytes: number;
  /** Computed from what was received. */
  readonly sha256: string;
}

/** Recordings of calls, checked against what the service announces of them. */
export interface Recordings {
  /**
   * Opens a recording for reading. Resumes an interrupted download, as long as the service supports ranges and its ETag or Repr-Digest
   * shows the same bytes. If the stream is refused with 403, 404, 405 or 501, decodes the recording from base64. Length, media type and
   * digest are then unknown.
   *
   * @throws NotFoundError if there is none, PermissionError if the user may not download it (D22).
   */
  stream(wanted: StreamRequest): AnswerPromise<RecordingStream>;
  /**
   * Returns a complete recording, checked against the announced length and digest. If it is interrupted and cannot be resumed, reads it
   * once more from its start.
   *
   * @throws ProtocolError if length or digest differ.
   */
  bytes(wanted: RecordingRequest): AnswerPromise<Recording>;
  /**
   * Returns name, media type, length and digest by a HEAD request. It reads no audio, so the access log records no listener.
   *
   * @throws NotFoundError if there is none, PermissionError if the user may not download it (D22).
   */
  describe(wanted: RecordingRequest): AnswerPromise<Announced>;
  /**
   * Returns the recordings of a record, in the order in which it lists them, and no others. Records of one call, such as those of a
   * transfer, share its call_id, and `part` counts the recordings of all of them. A recording is known to belong to a record in three
   * cases: no other record has its call_id or ref_id, the service says so (D38), or no other record lists its name. Sends one request for
   * the records of each identifier, and one HEAD request for each recording of one identifier. Responses are cached for a minute.
   *
   * @throws InvalidRequestError of code `CLIENT_AMBIGUOUS_RECORDING` if one could belong to another record.
   * @throws NotFoundError of code `CLIENT_RECORD_CHANGED` if the record was changed or removed.
   * @example
   * ```ts
   * for (const { wanted, number, filename = "recording" } of await client.recordings.of(record))
   *   await saveRecording(client, wanted, join(directory, `${number} ${toSafeFilename(filename)}`));
   * ```
   */
  of(record: OwnerRecord, options?: CallOptions): Promise<readonly OwnRecording[]>;
  /**
   * Finds one recording in the same way as `of`, and returns the request for it, for the other methods and `saveRecording`. Selects it by
   * its number in the list of a record, or by a name that occurs once in the call.
   *
   * @throws InvalidRequestError of code `CLIENT_AMBIGUOUS_RECORDING` if it could be another one.
   * @throws NotFoundError if there is none. Its code is `CLIENT_RECORD_CHANGED` if the record was changed or removed, and
   * `CLIENT_REST_OF_NAME` if the selected name is only the rest of the name before it.
   * @throws ProtocolError if a name was given and the service sends no names.
   */
  find(wanted: NamedRecording | RecordingOfRecord): Promise<RecordingRequest>;
}

export function createRecordings(caller: Caller): Recordings {
  const { call } = caller;
  const readStream: Read<Opened> = async (exchange) => ({
    ...describe(exchange.response.headers),
    exchange,
    body: await openRecording(exchange),
  });
  // A service that has sent a stream supports them: a refusal then concerns the recording.
  let hasStreams = false;
  let hasHeads = false;

  const readHead: Read<Answer<Announced>> = async (exchange) => {
    await readText(exchange);
    hasHeads = true;
    return toAnswer(exchange, describe(exchange.response.headers).announced);
  };
  const askHead = (wanted: RecordingRequest) => {
    const operation = { ...toRecordingOperation("stream-", wanted), method: "HEAD" as const };
    return call(operation, toInit(wanted), readHead);
  };

  /** A service without streams or HEAD still has file names. */
  async function announce(wanted: RecordingRequest): Promise<Announced> {
    try {
      return (await askHead(wanted)).data;
    } catch (error) {
      if (hasHeads || !isStreamRefusal(error)) throw error;
      const { announced, body } = await open(wanted);
      body.stop();
      return announced;
    }
  }

  /** Opens a recording, and checks that it belongs to the given record. */
  async function open(wanted: StreamRequest): Promise<Opened> {
    const opened = await openAny(wanted);
    const { announced, exchange, body } = opened;
    if (!wanted.owner || !announced.owner || isSameOwner(wanted.owner, announced.owner))
      return opened;
    body.stop();
    finder.forget(wanted.owner, wanted);
    throw toMissing(exchange.about, "CLIENT_RECORD_CHANGED");
  }

  const finder = createFinder(caller, announce);

  async function openAny(wanted: StreamRequest): Promise<Opened> {
    const { offset = 0 } = wanted;
    const ask = (kind: "stream-" | "", read: Read<Opened>, header?: RangeHeaders) =>
      call(toRecordingOperation(kind, wanted), toInit(wanted, header), read);
    const askStream = (header?: RangeHeaders) => ask("stream-", readStream, header);
    try {
      const first = await askStream(offset > 0 ? { Range: `bytes=${offset}-` } : undefined);
      hasStreams = true;
      return { ...first, body: resume(first, offset, askStream) };
    } catch (error) {
      if (hasStreams || !isStreamRefusal(error)) throw error;
      const whole = await ask("", openEnvelope).catch((other: unknown) => {
        throw isStreamRefusal(other) ? error : other;
      });
      return { ...whole, body: skip(whole.body, offset) };
    }
  }

  /** The result of `read` for the recording. If the recording is interrupted for good, it is read once more from its start. */
  async function openBy<Data>(
    wanted: StreamRequest,
    read: (opened: Opened) => Data | Promise<Data>,
  ): Promise<Answer<Data>> {
    for (let isLast = false; ; isLast = true) {
      const opened = await open(wanted);
      try {
        return toAnswer(opened.exchange, await read(opened));
      } catch (error) {
        if (isLast || !isTransient(error)) throw error;
      }
    }
  }

  return {
    stream: (wanted) => toAnswerPromise(openBy(wanted, toRecordingStream)),
    bytes: (wanted) => toAnswerPromise(openBy(wanted, readComplete)),
    describe: (wanted) => toAnswerPromise(askHead(wanted)),
    of: finder.of,
    find: finder.find,
  };
}

/** True if the service may lack streams: forbidden, not found, no such method, not implemented. */
function isStreamRefusal(error: unknown): boolean {
  return [403, 404, 405, 501].includes(toRefusalStatus(error));
}

function toRecordingStream({ announced, exchange, body }: Opened): RecordingStream {
  return { ...announced, source: exchange.about, body: toStream(body) };
}

async function readComplete({ announced, exchange, body }: Opened): Promise<Recording> {
  const all: Bytes[] = [];
  // Chunks from the network are never in shared memory.
  for await (const chunk of body.chunks) all.push(chunk as Bytes);
  const content = new Uint8Array(await new Blob(all).arrayBuffer());
  const sha256 = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", content)));
  checkDigest(announced, sha256, exchange.about);
  return { ...announced, bytes: content.length, sha256, content };
}

/** @throws ProtocolError if the service announced another digest. */
export function checkDigest(announced: Announced, sha256: string, source: ErrorSubject): void {
  if (announced.sha256 === undefined || announced.sha256 === sha256) return;
  const details = { code: "CLIENT_OTHER_BYTES" };
  throw new ProtocolError("The bytes are not those of Repr-Digest", source, details);
}
