// A recording as a stream, with what its headers say about it.
import type { Answer, ContractCalls } from "./contract-calls.ts";
import type { Operation } from "./errors.ts";

/** Which recording: by call identifier, or by reference, session or master identifier. */
export type RecordingRequest = (
  | { readonly call_id: string; readonly ref_id?: never }
  | { readonly ref_id: string; readonly call_id?: never }
) & {
  /** Which recording of a call that has several, from 1 in order of start (D17). Default: the first. */
  readonly part?: number | undefined;
  /** Stops the download, also while the body is read; it then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

/** A recording that is being received. Apart from `body`, all is as the service announced it (D16). */
export interface RecordingStream {
  /** The bytes, from the network as they are read. A stream that is not wanted must be cancelled. */
  readonly body: ReadableStream<Uint8Array>;
  /** File name without any folder; undefined where the service gives no usable one. */
  readonly filename: string | undefined;
  /** Media type, for example audio/wav; application/octet-stream where the service gives none. */
  readonly contentType: string;
  /** Length of the recording; undefined where it cannot be known before the end. */
  readonly bytes: number | undefined;
  /** SHA-256 of the recording as 64 hexadecimal digits; undefined where the service gives none. */
  readonly sha256: string | undefined;
}

export interface Recordings {
  /**
   * Opens a recording for reading.
   *
   * @throws NotFoundError where there is none, PermissionError where it may not be downloaded (D22).
   */
  stream(wanted: RecordingRequest): Promise<RecordingStream>;
}

const BY_REFERENCE = "/recording/stream-by-reference/{ref_id}";
const BY_CALL_ID = "/recording/stream-by-call-id/{call_id}";

/** The operation that streams the recording. */
export function toStreamOperation(wanted: RecordingRequest): Operation {
  return { method: "GET", path: wanted.call_id === undefined ? BY_REFERENCE : BY_CALL_ID };
}

export function createRecordings(contract: ContractCalls): Recordings {
  return {
    async stream(wanted) {
      const query = wanted.part === undefined ? {} : { part: wanted.part };
      const init = { parseAs: "stream", signal: wanted.signal } as const;
      const answer =
        wanted.call_id === undefined
          ? contract.GET(BY_REFERENCE, {
              ...init,
              params: { path: { ref_id: wanted.ref_id }, query },
            })
          : contract.GET(BY_CALL_ID, {
              ...init,
              params: { path: { call_id: wanted.call_id }, query },
            });
      return toRecording(await answer);
    },
  };
}

function toRecording({ data, response }: Answer<ReadableStream<Uint8Array>>): RecordingStream {
  const { headers } = response;
  // `fetch` undoes a Content-Encoding, while length and digest are those of the encoded bytes
  // (RFC 9110, 8.6; RFC 9530, 3).
  const isEncoded = (headers.get("Content-Encoding") ?? "identity") !== "identity";
  return {
    body: data,
    filename: parseFilename(headers.get("Content-Disposition") ?? ""),
    contentType: headers.get("Content-Type") ?? "application/octet-stream",
    bytes: isEncoded ? undefined : parseLength(headers.get("Content-Length")),
    sha256: isEncoded ? undefined : parseSha256(headers.get("Repr-Digest") ?? ""),
  };
}

function parseLength(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** RFC 9530, 3: a dictionary of algorithms, each value base64 between colons. */
function parseSha256(reprDigest: string): string | undefined {
  const base64 = /(?:^|[\s,])sha-256=:([A-Za-z\d+/]{43}=):/.exec(reprDigest)?.[1];
  if (base64 === undefined) return undefined;
  return Array.from(atob(base64), (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join(
    "",
  );
}

/** RFC 6266, 4.3: `filename*` goes before `filename`, and only the last part of a path counts. */
function parseFilename(disposition: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition);
  const given = decodePercent(extended) ?? plain?.[1]?.replace(/\\(.)/g, "$1") ?? plain?.[2];
  const name = given?.split(/[/\\]/).pop();
  // A control character has no place in a file name, and a dot or two mean a folder.
  return name && !/^\.{1,2}$|\p{Cc}/u.test(name) ? name : undefined;
}

function decodePercent(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    // Not UTF-8: the plain file name stands in.
    return undefined;
  }
}
