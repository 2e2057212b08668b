// Saves recordings as complete and verified files, or not at all.
import { createHash, randomUUID } from "node:crypto";
import { constants, createReadStream, createWriteStream } from "node:fs";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { describeOther, OTHER_BYTES } from "@call-media/sound/other";

import { isRefusal } from "./call/response-error.ts";
import { isTransient } from "./call/retry.ts";
import {
  EnvelopeError,
  type ErrorSubject,
  isCallMediaError,
  ProtocolError,
  toName,
  toRefusalStatus,
} from "./errors.ts";
import { type Announced, toVerified, type Verified } from "./recordings/recording-headers.ts";
import type { RecordingRequest } from "./recordings/recording-request.ts";
import { checkDigest, type RecordingStream, type StreamRequest } from "./recordings/recordings.ts";
import { isText, parseJson } from "./values.ts";

export { toVerified, type Verified };

export { toSafeFilename } from "./safe-filename.ts";
export { toNodeHandler } from "./node-handler.ts";
export { isBelowLocalhost, lookupLoopback } from "./loopback.ts";

/** Opens recordings for reading: a client, or the program's wrapper around one. */
export interface RecordingSource {
  readonly recordings: {
    readonly stream: (wanted: StreamRequest) => Promise<RecordingStream>;
  };
}

/** A saved recording. */
export interface SavedRecording extends Announced {
  /** Length of the file. */
  readonly bytes: number;
  /** SHA-256 of the file as 64 hexadecimal digits, computed from what was received. */
  readonly sha256: string;
  readonly verified: Verified;
  /**
   * What its first bytes are, if it was announced as audio and is something else, such as "an HTML page". Otherwise undefined. Its digest
   * proves that the archive stores it this way: get the recording from its original source instead.
   */
  readonly doubt?: string;
}

/** Maximum number of restarts of a download that cannot be resumed. */
const MAX_RESTARTS = 2;

/**
 * Saves a recording as `targetPath` and replaces a file of that name. The bytes are written to a temporary file in the
 * same directory and checked against the announced length and SHA-256. Only then is the file renamed. A download that breaks
 * off is resumed or, if the service does not support that, started again.
 *
 * Calls for one target are done one after the other: the file is the last one's.
 *
 * If the service announces a digest, a download that was stopped or killed leaves a hidden `.part` file, which the next
 * call for the same target resumes. After other failures nothing is left.
 *
 * @throws the errors of a call, such as NotFoundError and PermissionError.
 * @throws EnvelopeError also if the service sends a refusal as if it were the recording.
 * @throws ProtocolError if length or SHA-256 differ. Its code is `CLIENT_NOT_A_RECORDING` for a page or document that is announced as
 * audio, unless a digest proves that the archive stores it this way.
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
  const target = resolve(targetPath);
  const before = saving.get(target);
  const own = (async () => {
    await before?.catch(() => {});
    return save(client, wanted, targetPath);
  })();
  saving.set(target, own);
  try {
    return await own;
  } finally {
    if (saving.get(target) === own) saving.delete(target);
  }
}

/** The saves in progress in this process, by target. */
const saving = new Map<string, Promise<unknown>>();

async function save(
  client: RecordingSource,
  wanted: RecordingRequest,
  targetPath: string,
): Promise<SavedRecording> {
  for (let restarts = 0; ; restarts++) {
    const opened = await openPart(client, wanted, targetPath);
    const { body, source, part, ...announced } = opened;
    let hasCome = part.bytes > 0;
    try {
      const received = await receive(body, part);
      hasCome = true;
      await checkRecordingFile(part.path, source);
      checkDigest(announced, received.sha256, source);
      const doubt = await findDoubt(part.path, announced, source);
      await rename(part.path, targetPath);
      const verified = toVerified(announced);
      return { ...announced, ...received, verified, ...(doubt !== undefined && { doubt }) };
    } catch (error) {
      const isInterrupted = isTransient(error) || isCallMediaError(error, "AbortError");
      if (announced.sha256 === undefined || !isInterrupted) await rm(part.path, { force: true });
      // An older partial file may be damaged, for example by a power failure.
      const isDamaged = part.bytes > 0 && isCallMediaError(error, "ProtocolError");
      // Another program that saves the same recording has renamed the partial file.
      const isTaken = hasCome && Object(error).code === "ENOENT";
      const canRestart = isTransient(error) || isDamaged || isTaken;
      if (restarts === MAX_RESTARTS || !canRestart) throw error;
    }
  }
}

/** @throws ProtocolError if it is not audio, and no digest proves that the archive stores it this way. */
async function findDoubt(
  path: string,
  { contentType, sha256 }: Announced,
  source: ErrorSubject,
): Promise<string | undefined> {
  if (!/^(?:audio|video)\//i.test(contentType)) return undefined;
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(OTHER_BYTES), 0, OTHER_BYTES, 0);
  const other = describeOther(buffer.subarray(0, bytesRead));
  if (other === undefined || sha256 !== undefined) return other;
  throw new ProtocolError(`It is announced as ${contentType}, and is ${other}`, source, {
    code: "CLIENT_NOT_A_RECORDING",
  });
}

/** The file that a download is written to, and the number of bytes it already has. */
interface Part {
  readonly path: string;
  readonly bytes: number;
}

/** Opens a recording at the end of its partial file. */
async function openPart(
  client: RecordingSource,
  wanted: RecordingRequest,
  targetPath: string,
): Promise<RecordingStream & { readonly part: Part }> {
  const whole = await client.recordings.stream(wanted);
  const part = await findPart(targetPath, whole);
  if (part.bytes === 0) return { ...whole, part };
  await whole.body.cancel();
  const rest = await openRest(client, { ...wanted, offset: part.bytes });
  if (rest && rest.sha256 === whole.sha256) return { ...rest, part };
  // The recording was replaced, or the service rejects the range: the partial file would block every further attempt.
  await (rest?.body.cancel() ?? rm(part.path, { force: true }));
  return openPart(client, wanted, targetPath);
}

/** Undefined if the service refuses the range (416). */
async function openRest(client: RecordingSource, wanted: StreamRequest) {
  return client.recordings.stream(wanted).catch((error: unknown) => {
    if (toRefusalStatus(error) !== 416) throw error;
    return undefined;
  });
}

/** Names a partial file by target and digest, so that it never contains bytes of another recording. */
async function findPart(targetPath: string, { sha256, bytes }: Announced): Promise<Part> {
  const toPath = (name: string) => join(dirname(targetPath), `.${name}.part`);
  if (sha256 === undefined) return { path: toPath(randomUUID()), bytes: 0 };
  const name = createHash("sha256")
    .update(`${basename(targetPath)}/${sha256}`)
    .digest("hex");
  const path = toPath(name.slice(0, 32));
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  return { path, bytes: size < (bytes ?? 0) ? size : 0 };
}

async function receive(
  body: RecordingStream["body"],
  part: Part,
): Promise<{ bytes: number; sha256: string }> {
  // All writers use the same offsets: two programs that save the same recording at the same time write the same bytes.
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  const create = part.bytes === 0 ? O_CREAT : 0;
  // Opened only once, because the path may become another file's meanwhile. Windows has no O_NOFOLLOW.
  await using handle = await open(part.path, O_RDWR | create | (O_NOFOLLOW ?? 0));
  const opened = { fd: handle.fd, autoClose: false };
  const hash = createHash("sha256");
  if (part.bytes > 0) {
    const had = createReadStream(part.path, { ...opened, start: 0, end: part.bytes - 1 });
    await pipeline(had, hash, { end: false });
  }
  let failure: { readonly error: unknown } | undefined;
  async function* chunks() {
    try {
      for await (const chunk of body) {
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      // Thrown here, it would discard chunks that are not written yet.
      failure = { error };
    }
  }
  // With `flush` the bytes are on the disk before the file is renamed.
  const file = createWriteStream(part.path, { ...opened, start: part.bytes, flush: true });
  await pipeline(chunks, file);
  if (failure) throw failure.error;
  return { bytes: part.bytes + file.bytesWritten, sha256: hash.digest("hex") };
}

/** A longer file is a recording and need not be read again. */
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
