// Saves recordings as files that are complete and checked, or not at all.
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

/** Opens recordings for reading: a client, or a program's wrapper of one. */
export interface RecordingSource {
  readonly recordings: {
    readonly stream: (wanted: RecordingRequest) => Promise<RecordingStream>;
  };
}

/**
 * Announced values that the bytes were compared with: the SHA-256 and the length, only the length, or nothing. A recording
 * in base64 is announced with neither.
 */
export type Verified = "digest" | "length" | "nothing";

/** A saved recording. */
export interface SavedRecording extends Announced {
  /** Length of the file. */
  readonly bytes: number;
  /** SHA-256 of the file as 64 hexadecimal digits, computed from what was received. */
  readonly sha256: string;
  readonly verified: Verified;
}

/** How often a download that cannot be resumed is started again. */
const MAX_RESTARTS = 2;

/**
 * Saves a recording as `targetPath` and replaces a file of that name. The bytes are written to a temporary file in the
 * same directory and checked against the announced length and SHA-256. Only then is the file renamed. After a failure
 * nothing is left. A download that breaks off is resumed or, if the service does not support that, started again.
 *
 * @throws the errors of a call, such as NotFoundError and PermissionError.
 * @throws EnvelopeError also if the service sends a refusal as if it were the recording.
 * @throws ProtocolError if length or SHA-256 differ.
 * @throws the error of `node:fs` if the file cannot be written.
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
 * Says how far received bytes could be checked, by what the service announced.
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
  // With `flush` the bytes are on the disk before the file is renamed.
  const file = createWriteStream(path, { flags: "wx", flush: true });
  await pipeline(chunks, file);
  return { bytes: file.bytesWritten, sha256: hash.digest("hex") };
}

/** A longer file is a recording, and need not be read again. */
const MAX_REFUSAL_BYTES = 65_536;

/**
 * Checks that a file is a recording: some services send a refusal as if it were one. `saveRecording` calls it; programs
 * that write `recordings.stream()` to a file call it themselves.
 *
 * @param source of the stream.
 * @throws EnvelopeError if it is a refusal. The file is then useless.
 * @throws the error of `node:fs` if it cannot be read.
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
