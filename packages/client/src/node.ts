// Recordings as files: complete and checked, or not there at all.
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";

import { isRefusal } from "./call/response-error.ts";
import { isTransient } from "./call/retry.ts";
import { EnvelopeError, type ErrorSubject, toName } from "./errors.ts";
import type { Announced } from "./recordings/recording-headers.ts";
import {
  checkDigest,
  type RecordingRequest,
  type RecordingStream,
} from "./recordings/recordings.ts";
import { isText, parseJson } from "./values.ts";

export { isBelowLocalhost, lookupLoopback } from "./loopback.ts";

/** Opens recordings for reading, as a client does, or what a program put around one. */
export interface RecordingSource {
  readonly recordings: {
    readonly stream: (wanted: RecordingRequest) => Promise<RecordingStream>;
  };
}

/**
 * What the bytes of a recording were compared with: the announced SHA-256, the announced length alone, or nothing,
 * where the service announces neither, as with a recording that comes as base64.
 */
export type Verified = "digest" | "length" | "nothing";

/** A recording that was saved. */
export interface SavedRecording extends Announced {
  /** Length of the file. */
  readonly bytes: number;
  /** SHA-256 of the file as 64 hexadecimal digits, computed from what was received. */
  readonly sha256: string;
  readonly verified: Verified;
}

/** How often a download that broke off for good is begun again. */
const MAX_RESTARTS = 2;

/**
 * Saves a recording as the file `targetPath`, in place of what is there. The bytes go to a file of
 * another name in the same folder, are checked against the length and the SHA-256 that the service
 * announced, and take the name `targetPath` only then. After a failure nothing is left. A download
 * that breaks off goes on where it was or, where the service cannot do that, begins again.
 *
 * @throws NotFoundError, PermissionError and the other errors of a call, EnvelopeError also where a refusal comes as if it were
 * a recording; ProtocolError where length or SHA-256 differ; the error of `node:fs` where the file cannot be written.
 * @example
 * ```ts
 * const { bytes, sha256 } = await saveRecording(client, { call_id }, "call.wav");
 * ```
 */
export async function saveRecording(
  client: RecordingSource,
  wanted: RecordingRequest,
  targetPath: string,
): Promise<SavedRecording> {
  for (let restarts = 0; ; restarts++) {
    const { body, source, ...announced } = await client.recordings.stream(wanted);
    const partPath = join(dirname(targetPath), `.${randomUUID()}.part`);
    try {
      const received = await receive(body, partPath);
      await checkRecordingFile(partPath, source);
      checkDigest(announced, received.sha256, source);
      await rename(partPath, targetPath);
      return { ...announced, ...received, verified: toVerified(announced) };
    } catch (error) {
      await rm(partPath, { force: true });
      if (restarts === MAX_RESTARTS || !isTransient(error)) throw error;
    }
  }
}

/**
 * What bytes that were received without a fault were compared with: `announced` is what the service said of them.
 *
 * @example
 * ```ts
 * const { body, ...announced } = await client.recordings.stream({ call_id });
 * await pipeline(body, createWriteStream("call.part"));
 * console.log(toVerified(announced)); // "length": of a stream the digest is yours to check
 * ```
 */
export function toVerified({ bytes, sha256 }: Pick<Announced, "bytes" | "sha256">): Verified {
  if (sha256 !== undefined) return "digest";
  return bytes === undefined ? "nothing" : "length";
}

async function receive(
  body: RecordingStream["body"],
  path: string,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  async function* chunks() {
    for await (const chunk of body) {
      hash.update(chunk);
      yield chunk;
    }
  }
  // With `flush` the bytes are on the disk before the file gets its name.
  const file = createWriteStream(path, { flags: "wx", flush: true });
  await pipeline(chunks, file);
  return { bytes: file.bytesWritten, sha256: hash.digest("hex") };
}

/** What is longer is no refusal, and need not be read again. */
const MAX_REFUSAL_BYTES = 65_536;

/**
 * Looks whether a file has a recording in it: some services refuse in the body alone, and give that body out for one.
 * `saveRecording` looks by itself; this is for programs that write the bytes of `recordings.stream()` to a file.
 *
 * @param source of the stream.
 * @throws EnvelopeError where it is such a refusal: the file is of no use then; the error of `node:fs` where it cannot be read.
 * @example
 * ```ts
 * const { body, source } = await client.recordings.stream({ call_id });
 * await pipeline(body, createWriteStream("call.part"));
 * await checkRecordingFile("call.part", source);
 * ```
 */
export async function checkRecordingFile(path: string, source: ErrorSubject): Promise<void> {
  if ((await stat(path)).size > MAX_REFUSAL_BYTES) return;
  const body = parseJson(await readFile(path, "utf8"));
  if (!isRefusal(body)) return;
  const { errorMessage } = Object(body) as Record<string, unknown>;
  const message = isText(errorMessage) ? errorMessage : `${toName(source)} was refused`;
  throw new EnvelopeError(message, source, { status: 200, body });
}
