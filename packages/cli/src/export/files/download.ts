// Downloads a recording into a file, with any number of interruptions of the connection or the program.
import { createHash, type Hash } from "node:crypto";
import { writeSync } from "node:fs";
import { type FileHandle, rm } from "node:fs/promises";
import { extname } from "node:path";
import {
  type Announced,
  type CallRecord,
  isCallMediaError,
  type RecordingRequest,
  type RecordingStream,
} from "@call-media/client";
import { checkRecordingFile, toVerified, type Verified } from "@call-media/client/node";
import {
  type FetchFailure,
  findRecording,
  NotReceived,
  openRecording,
  toFetchFailure,
  toRecorded,
} from "@call-media/handover";
import { openAnew, openToAdd } from "../../files/written-files.ts";
import { hashFile, readSize } from "../folder/read.ts";
import type { Job } from "../job.ts";
import type { PartialDownload } from "../journal/journal.ts";
import { createRetryPolicy } from "../throttle/retry.ts";

/** A recording to download. */
export interface Download {
  readonly record: CallRecord;
  /** The position in the record's list, from 1. */
  readonly number: number;
  /** The file that gets the bytes. */
  readonly partPath: string;
  /** The partial download that an earlier run left in the file. */
  readonly partial: PartialDownload | undefined;
  readonly recordPartial: (partial: PartialDownload) => Promise<void>;
}

/** A recording that is completely on the disk. */
export interface Received {
  readonly bytes: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly filename: string | undefined;
  readonly verified: Verified;
  /** The request for it. */
  readonly wanted: RecordingRequest;
}

/** @throws errors that concern more than this recording: sign-in, disk, Ctrl-C. */
export async function downloadRecording(
  job: Job,
  download: Download,
): Promise<Received | FetchFailure> {
  try {
    return await receive(job, download);
  } catch (error) {
    return toFetchFailure(error, job.redaction);
  }
}

/** A single damage may have happened in transit. */
const MAX_DAMAGED = 2;

/** @throws NotReceived, the errors of a call, those of `node:fs`. */
async function receive(job: Job, download: Download): Promise<Received> {
  let { partial } = download;
  const mayHelp = createRetryPolicy(() => job.tally.answers, job.isLastTry);
  for (let damaged = 0; ;)
    try {
      const wanted = await findRecording(job, download);
      if (partial !== undefined && isOf(partial, wanted)) {
        const resumed = await resume(job, wanted, { ...download, partial });
        if (resumed !== undefined) return { ...resumed, wanted };
      }
      const stream = toRecorded(await openRecording(job, wanted), job.redaction);
      partial = toPartial(stream, wanted);
      return { ...(await receiveAll(job, { ...download, partial }, stream)), wanted };
    } catch (error) {
      const isDamaged = error instanceof NotReceived && error.status === "damaged";
      if (isDamaged) partial = undefined;
      if (isDamaged ? ++damaged === MAX_DAMAGED : !mayHelp(error)) throw error;
    }
}

/** Below this, requesting a recording again is faster than resuming it. */
const LONG_BYTES = 262_144;

/** Undefined without a digest, which proves that the rest belongs to the same recording. */
function toPartial(announced: Announced, wanted: RecordingRequest): PartialDownload | undefined {
  const { bytes = 0, sha256, contentType, filename = "" } = announced;
  if (sha256 === undefined || bytes < LONG_BYTES) return undefined;
  return { ...toNumber(wanted), sha256, content_type: contentType, extension: extname(filename) };
}

/** Identifiers may be masked, so none is stored. */
const toNumber = ({ call_id, part = 1 }: RecordingRequest) =>
  ({ by: call_id === undefined ? "ref_id" : "call_id", part }) as const;

/** Also false if another record was inserted before it or removed. */
function isOf(partial: PartialDownload, wanted: RecordingRequest): boolean {
  const { by, part } = toNumber(wanted);
  return partial.by === by && partial.part === part;
}

async function receiveAll(
  job: Job,
  { partPath, partial, recordPartial }: Download,
  { body, ...announced }: RecordingStream,
): Promise<Omit<Received, "wanted">> {
  const hash = createHash("sha256");
  await using file = await openAnew(partPath);
  if (partial !== undefined) await recordPartial(partial);
  const bytes = await append(job, body, { file, hash });
  if (announced.sha256 === undefined) await checkContent(partPath, bytes, announced);
  const sha256 = await checkDigest(partPath, hash, announced.sha256);
  await job.throttle.lend(() => file.datasync());
  return { ...announced, bytes, sha256, verified: toVerified(announced) };
}

/** Rejects an empty recording, and a refusal that was sent as one. With a matching digest, neither can happen. */
async function checkContent(
  path: string,
  bytes: number,
  { source }: Pick<RecordingStream, "source">,
): Promise<void> {
  if (bytes > 0) return await checkRecordingFile(path, source);
  await rm(path, { force: true });
  throw NotReceived.asNothing();
}

interface Growing {
  readonly file: FileHandle;
  readonly hash: Hash;
}

/** Returns the number of bytes received. */
async function append(
  { throttle }: Pick<Job, "throttle">,
  body: ReadableStream<Uint8Array>,
  { file, hash }: Growing,
): Promise<number> {
  let bytes = 0;
  // Leaving the loop by an error cancels the body.
  for await (const chunk of body) {
    const { length } = chunk;
    hash.update(chunk);
    // A synchronous write only copies to the page cache. The thread pool would need a fifth more CPU time.
    for (let done = 0; done < length;) done += writeSync(file.fd, chunk, done);
    free(chunk);
    bytes += length;
    await throttle.receive(length);
  }
  return bytes;
}

/** Frees a chunk that owns its memory. V8 would keep up to 50 MB of them until the next garbage collection. */
function free({ buffer, length }: Uint8Array): void {
  if (length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/**
 * Returns the SHA-256 of the received bytes.
 *
 * @throws NotReceived if the announced digest differs. The file is then removed.
 */
async function checkDigest(
  path: string,
  hash: Hash,
  announced: string | undefined,
): Promise<string> {
  const sha256 = hash.digest("hex");
  if ((announced ?? sha256) === sha256) return sha256;
  await rm(path, { force: true });
  throw NotReceived.asDamaged(sha256, announced ?? "");
}

/** Undefined if nothing is left to resume, or the service does not return the rest of the same recording. */
async function resume(
  job: Job,
  wanted: RecordingRequest,
  { partPath, partial }: Pick<Download, "partPath"> & { readonly partial: PartialDownload },
): Promise<Omit<Received, "wanted"> | undefined> {
  if (!(await readSize(partPath))) return undefined;
  const hash = createHash("sha256");
  const from = await hashFile(partPath, hash);
  await using file = await openToAdd(partPath);
  let bytes = from;
  // If all bytes are there, the program was killed before it updated the journal.
  if (hash.copy().digest("hex") !== partial.sha256) {
    const body = await openRest(job, wanted, { from, partial });
    if (body === undefined) return undefined;
    bytes += await append(job, body, { file, hash });
    await checkDigest(partPath, hash, partial.sha256);
  }
  await job.throttle.lend(() => file.datasync());
  return {
    bytes,
    sha256: partial.sha256,
    contentType: partial.content_type,
    filename: partial.extension,
    verified: "digest",
  };
}

async function openRest(
  { client, signal }: Job,
  { call_id, ref_id }: RecordingRequest,
  { from, partial }: { readonly from: number; readonly partial: PartialDownload },
): Promise<ReadableStream<Uint8Array> | undefined> {
  const header = { Range: `bytes=${from}-` };
  const query = { part: partial.part };
  const init = { parseAs: "stream", signal } as const;
  try {
    const { data, response } =
      call_id === undefined
        ? await client.GET("/recording/stream-by-reference/{ref_id}", {
            ...init,
            params: { path: { ref_id }, query, header },
          })
        : await client.GET("/recording/stream-by-call-id/{call_id}", {
            ...init,
            params: { path: { call_id }, query, header },
          });
    if (isRestOf(response, from, partial)) return data;
    await data.cancel();
  } catch (error) {
    // 416, or the response of a service without ranges: the complete recording is then requested.
    if (!isCallMediaError(error, "InvalidRequestError")) throw error;
  }
  return undefined;
}

/** The digest of the complete recording is in the headers of each range (RFC 9530, 3). */
function isRestOf(
  { status, headers }: Response,
  from: number,
  { sha256 }: PartialDownload,
): boolean {
  const digest = Buffer.from(sha256, "hex").toString("base64");
  const isSame = headers.get("Repr-Digest")?.includes(`sha-256=:${digest}:`) ?? false;
  return (
    status === 206 && isSame && headers.get("Content-Range")?.startsWith(`bytes ${from}-`) === true
  );
}
