// A recording as bytes, with what the service says about it.
import type { Caller } from "./caller.ts";
import type { Exchange } from "./answer.ts";
import type { Reader } from "./attempt.ts";
import type { ErrorSubject } from "./errors.ts";
import { type Announced, parseAnnounced } from "./recording-headers.ts";
import { type CallInit, toOperation } from "./request.ts";
import { toRecordingBody } from "./stream.ts";

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

export interface Recordings {
  /**
   * Opens a recording for reading.
   *
   * @throws NotFoundError where there is none, PermissionError where it may not be downloaded (D22).
   */
  stream(wanted: RecordingRequest): Promise<RecordingStream>;
}

export function createRecordings({ call, options }: Caller): Recordings {
  const reader: Reader<RecordingStream> = {
    isStream: true,
    async read(response, exchange: Exchange, watch) {
      const guard = { exchange, watch, idleTimeoutMs: options.idleTimeoutMs };
      const body = await toRecordingBody(response, guard);
      return { ...parseAnnounced(response.headers), body, source: exchange };
    },
  };
  return {
    stream: (wanted) => call(...toStreamCall(wanted), reader),
  };
}

function toStreamCall({ call_id, ref_id, part, signal }: RecordingRequest) {
  const init: CallInit = { params: { path: { call_id, ref_id }, query: { part } }, signal };
  const path =
    call_id === undefined
      ? "/recording/stream-by-reference/{ref_id}"
      : "/recording/stream-by-call-id/{call_id}";
  return [toOperation("GET", path), init] as const;
}
