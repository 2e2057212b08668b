// A recording as bytes, with what the service says about it: as a stream or, if that is refused, from base64.
import { type Answer, readJson, readText, toAnswer } from "../call/answer.ts";
import { type AnswerPromise, toAnswerPromise } from "../call/answer-promise.ts";
import type { Caller } from "../call/caller.ts";
import type { Read } from "../call/exchange.ts";
import { type CallInit, toOperation } from "../call/request.ts";
import { isTransient } from "../call/retry.ts";
import { type CallOptions, toCallOptions } from "../options.ts";
import { openRecording, toStream } from "../call/stream.ts";
import { type ErrorSubject, type Operation, ProtocolError, toRefusalStatus } from "../errors.ts";
import { type Bytes, toHex } from "./bytes.ts";
import { openEnvelope } from "./envelope.ts";
import { findByName, findOfRecord, type Head, type Holder, type OwnerRecord } from "./find.ts";
import { type Announced, describe } from "./recording-headers.ts";
import { type Opened, type RangeHeaders, resume, skip } from "./resume.ts";

/**
 * Which recording: by call identifier, or by reference, session or master identifier. Limits and headers are for each
 * request; the signal stops the download also while the body is read.
 */
export type RecordingRequest = (
  | { readonly call_id: string; readonly ref_id?: undefined }
  | { readonly ref_id: string; readonly call_id?: undefined }
) &
  CallOptions & {
    /**
     * Which recording of a call that has several, from 1 in order of start (D17). The recordings of all its records are
     * counted: `find` returns the number of one that a record lists. Default: the first.
     */
    readonly part?: number | undefined;
  };

/** A recording from some byte on, for programs that have the bytes before. */
export type StreamRequest = RecordingRequest & {
  /** Bytes that are left out at the beginning. Without support for ranges they are requested and dropped. Default: 0. */
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

/** The only recording of a call that has this name, as `toRecordingNames` reads it from a record. */
export type NamedRecording = RecordingRequest & {
  readonly part?: undefined;
  readonly filename: string;
};

/** A recording of a record. Limits and headers are for each request. */
export type RecordingOfRecord = CallOptions & {
  /** A record as the service gave it. */
  readonly record: OwnerRecord;
  /** Which one of those that it lists, as `toRecordingNames` reads them; from 1. Default: the first. */
  readonly number?: number | undefined;
};

/** Recordings of calls, checked against what the service announces of them. */
export interface Recordings {
  /**
   * Opens a recording for reading. A download that breaks off is resumed, as long as the service supports ranges and
   * its ETag or Repr-Digest shows that the bytes are still the same. If the stream is refused with 403, 404, 405 or 501,
   * the recording is decoded from base64. Length, media type and digest are then unknown.
   *
   * @throws NotFoundError if there is none, PermissionError if the user may not download it (D22).
   */
  stream(wanted: StreamRequest): AnswerPromise<RecordingStream>;
  /**
   * Returns a complete recording, checked against the announced length and digest. If it breaks off and cannot be resumed,
   * it is read once more from its start.
   *
   * @throws ProtocolError if length or digest differ.
   */
  bytes(wanted: RecordingRequest): AnswerPromise<Recording>;
  /**
   * Returns name, media type, length and digest by a HEAD request. It reads no audio, so the access log shows no listener.
   *
   * @throws NotFoundError if there is none, PermissionError if the user may not download it (D22).
   */
  describe(wanted: RecordingRequest): AnswerPromise<Announced>;
  /**
   * Finds a recording that a record lists, and returns it for the other methods and `saveRecording`. Records of one call, such as
   * those of a transfer, share its call_id, and `part` counts the recordings of all of them. A recording is known to be of a
   * record if no other has its call_id or its ref_id, or if no other lists that name. Takes a request for the records of each
   * identifier, and a HEAD request for most recordings.
   *
   * @throws InvalidRequestError of code `CLIENT_AMBIGUOUS_RECORDING` if it could be another's.
   * @throws NotFoundError if there is none, of code `CLIENT_RECORD_CHANGED` if the record is not there as it was, and
   * `CLIENT_REST_OF_NAME` if what the list seems to name is the rest of the name before it.
   * @throws ProtocolError if the service sends no names, and it could be another's.
   * @example
   * ```ts
   * for (const [index, filename] of toRecordingNames(record.recordings).entries()) {
   *   const wanted = await client.recordings.find({ record, number: index + 1 });
   *   await saveRecording(client, wanted, join(directory, `${index + 1} ${toSafeFilename(filename)}`));
   * }
   * ```
   */
  find(wanted: NamedRecording | RecordingOfRecord): Promise<RecordingRequest>;
}

export function createRecordings({ call, options }: Caller): Recordings {
  const readStream: Read<Opened> = async (exchange) => ({
    ...describe(exchange.response.headers),
    exchange,
    body: await openRecording(exchange),
  });
  // Once the service sent a stream, it supports them: a refusal is about the recording.
  let hasStreams = false;
  let hasHeads = false;

  const readHead: Read<Answer<Head>> = async (exchange) => {
    await readText(exchange);
    hasHeads = true;
    const { announced } = describe(exchange.response.headers);
    return toAnswer(exchange, { announced, about: exchange.about });
  };
  const askHead = (wanted: RecordingRequest) => {
    const operation = { ...toRecordingOperation("stream-", wanted), method: "HEAD" as const };
    return call(operation, toInit(wanted), readHead);
  };

  /** A service without streams, or without HEAD, has names all the same. */
  async function askName(wanted: RecordingRequest): Promise<Head> {
    try {
      return (await askHead(wanted)).data;
    } catch (error) {
      if (hasHeads || !isStreamRefusal(error)) throw error;
      const { announced, exchange, body } = await open(wanted);
      body.stop();
      return { announced, about: exchange.about };
    }
  }

  function toHolder(which: RecordingRequest): Holder & { readonly which: RecordingRequest } {
    const operation = toOperation("GET", `/metadata/${toPath(which)}`);
    return {
      which,
      about: { ...operation, url: options.baseUrl + operation.path, attempts: 0 },
      listRecords: async () => {
        const { data } = await call(operation, toInit(which), readJson);
        // parseSuccess checked that it is an array; what is in it may be anything.
        return (data as { data: OwnerRecord[] }).data.map(Object);
      },
      askHead: (part) => askName(toPart(which, part)),
    };
  }

  async function open(wanted: StreamRequest): Promise<Opened> {
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

  /** What `read` makes of the recording. One that breaks off for good is read once more from its start. */
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
    describe: (wanted) =>
      toAnswerPromise(
        askHead(wanted).then(({ data, ...answer }) => ({ ...answer, data: data.announced })),
      ),
    find: async (wanted) => {
      const { holder, part } = await find(wanted);
      return toPart(holder.which, part);
    },
  };

  function find(wanted: NamedRecording | RecordingOfRecord) {
    if (!("record" in wanted)) {
      const { filename, ...which } = wanted;
      return findByName(filename, toHolder(which));
    }
    const { record, number = 1, ...more } = wanted;
    const { call_id, ref_id } = record;
    // Fewer records have one call_id than one reference.
    const byReference = ref_id ? [toHolder({ ...more, ref_id })] : [];
    const [first = toHolder({ ...more, call_id: "" }), ...others] = call_id
      ? [toHolder({ ...more, call_id }), ...byReference]
      : byReference;
    return findOfRecord(record, number, [first, ...others]);
  }
}

/** A service without `part` may refuse it. */
const toPart = (which: RecordingRequest, part: number): RecordingRequest =>
  part === 1 ? which : { ...which, part };

function toRecordingOperation(kind: "stream-" | "", wanted: RecordingRequest): Operation {
  return toOperation("GET", `/recording/${kind}${toPath(wanted)}`);
}

const toPath = ({ call_id }: RecordingRequest) =>
  call_id === undefined ? "by-reference/{ref_id}" : "by-call-id/{call_id}";

function toInit(wanted: RecordingRequest, header?: RangeHeaders): CallInit {
  const { call_id, ref_id, part } = wanted;
  return {
    ...toCallOptions(wanted),
    params: { path: { call_id, ref_id }, query: { part }, header },
  };
}

/** Whether the service may lack streams: forbidden, not found, no such method, not implemented. */
function isStreamRefusal(error: unknown): boolean {
  return [403, 404, 405, 501].includes(toRefusalStatus(error));
}

function toRecordingStream({ announced, exchange, body }: Opened): RecordingStream {
  return { ...announced, source: exchange.about, body: toStream(body) };
}

async function readComplete({ announced, exchange, body }: Opened): Promise<Recording> {
  const all: Bytes[] = [];
  // Chunks from the network are not in shared memory.
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
