// Reads the headers of a recording stream (D16).
import { parseDictionary } from "../dictionary.ts";
import { isText, parseCount } from "../values.ts";
import { toBytes, toHex } from "./bytes.ts";
import { parseSound, type RecordingSound } from "./recording-sound.ts";

/** The service's identification of the record that a recording belongs to (D38). */
export interface RecordingOwner {
  readonly call_id: string | null;
  readonly ref_id: string | null;
  readonly datetime: string | null;
}

/** Properties of a recording that the service announced. */
export interface Announced {
  /** File name without a directory (see `toSafeFilename` of the Node.js entry point); undefined if the service sends no usable one. */
  readonly filename: string | undefined;
  /** Media type, for example audio/wav; application/octet-stream if the service sends none. */
  readonly contentType: string;
  /** Length of the recording; undefined if it is unknown before the end. */
  readonly bytes: number | undefined;
  /** SHA-256 of the recording as 64 hexadecimal digits; undefined if the service sends none. */
  readonly sha256: string | undefined;
  /** The record that it belongs to (D38); undefined if the service does not say. */
  readonly owner: RecordingOwner | undefined;
  /** The audio analysis from the import of the recording (D37); undefined if the service does not send it. */
  readonly sound: RecordingSound | undefined;
}

/** A recording by its headers. */
export interface Described {
  readonly announced: Announced;
  /** Identifies the bytes: a strong ETag (RFC 9110, 8.8.3), or else the digest of the recording. */
  readonly identity?: string | undefined;
}

export function describe(headers: Headers): Described {
  // `fetch` undoes a Content-Encoding, while length, digest and ranges are those of the encoded bytes
  // (RFC 9110, 8.6 and 14.2; RFC 9530, 3).
  const encoding = headers.get("Content-Encoding") ?? "identity";
  const known = encoding === "identity" ? headers : new Headers();
  const etag = known.get("ETag");
  // RFC 9530, 3: a dictionary of algorithms, each value base64 between colons.
  const digests = known.get("Repr-Digest") ?? "";
  const base64 = /(?:^|[\s,])sha-256=:([A-Za-z\d+/]{43}=):/.exec(digests)?.[1];
  const sha256 = base64 && toHex(toBytes(base64));
  return {
    announced: {
      filename: parseFilename(headers.get("Content-Disposition") ?? ""),
      contentType: headers.get("Content-Type") ?? "application/octet-stream",
      // For a partial response, Content-Length is that of the part (RFC 9110, 14.4).
      bytes: parseCount(known.get("Content-Range")?.split("/")[1] ?? known.get("Content-Length")),
      sha256,
      owner: parseOwner(headers.get("Recording-Of") ?? ""),
      sound: parseSound(headers.get("Recording-Sound")),
    },
    identity: etag?.startsWith('"') ? etag : sha256,
  };
}

function parseOwner(text: string): RecordingOwner | undefined {
  const members = parseDictionary(text);
  if (!members) return undefined;
  const toValue = (field: string) => members.get(field) ?? null;
  return { call_id: toValue("call_id"), ref_id: toValue("ref_id"), datetime: toValue("datetime") };
}

/** RFC 6266, 4.3: `filename*` precedes `filename`, and only the last part of a path counts. */
function parseFilename(disposition: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const plain = /;\s*filename\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s"]+)/i
    .exec(disposition)?.[1]
    ?.replace(/^"|"$|\\(.)/g, "$1");
  try {
    return toFilename(extended ? decodeURIComponent(extended) : plain);
  } catch {
    // Not UTF-8: use the plain file name.
    return toFilename(plain);
  }
}

/** The last part of a path; undefined if it cannot be the name of a file. */
export function toFilename(given: unknown): string | undefined {
  const name = isText(given) && given.split(/[/\\]/).pop();
  // File names cannot contain control characters, and one or two dots are directories.
  return name && !/^\.{1,2}$|\p{Cc}/u.test(name) ? name : undefined;
}

/**
 * Announced values that the bytes were compared with: the SHA-256 and the length, only the length, or nothing. A recording
 * in base64 is announced with neither.
 */
export type Verified = "digest" | "length" | "nothing";

/**
 * Returns how far the received bytes could be verified with the announced values.
 *
 * @example
 * ```ts
 * const { body, ...announced } = await client.recordings.stream({ call_id });
 * await pipeline(body, createWriteStream("call.part"));
 * console.log(toVerified(announced)); // "length": the digest of a stream is yours to check
 * ```
 */
export function toVerified({ bytes, sha256 }: Pick<Announced, "bytes" | "sha256">): Verified {
  if (sha256 !== undefined) return "digest";
  return bytes === undefined ? "nothing" : "length";
}
