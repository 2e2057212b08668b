// Reads the bytes of an object with one request. A broken download resumes at its position, from the same object.
import type { IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { isFault, StoreFault } from "../../port/faults.ts";
import type { ByteRange, Media, OpenMedia } from "../../port/media.ts";
import { type S3Client, S3Refusal, toRefusal } from "./client.ts";
import { toKey } from "./object-state.ts";

/** A content, and the ETag of the object that was verified to have it. */
export interface ProvedObject extends Pick<Media, "sha256"> {
  readonly etag: string;
}

// While S3 is unreachable the service's client receives nothing, and would give up by then too.
const RESUME_FOR_MS = 20_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Resolves when the first bytes arrive. Throws `StoreFault`; its cause has the status 412 if the object has been replaced meanwhile. */
export async function openObject(
  client: S3Client,
  object: ProvedObject,
  range: ByteRange,
): Promise<OpenMedia> {
  let position = range.first;
  let body = await request(client, object, range);
  let chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  let pending: Uint8Array = new Uint8Array();

  const resume = async () => {
    body.destroy();
    body = await request(client, object, { first: position, last: range.last });
    chunks = body[Symbol.asyncIterator]();
  };
  const readChunk = createPatientReader(async () => (await chunks.next()).value, resume, object);
  return {
    read: async (buffer) => {
      const wanted = Math.min(buffer.length, range.last + 1 - position);
      for (let filled = 0; filled < wanted;) {
        if (pending.length === 0) pending = await readChunk();
        const some = pending.subarray(0, wanted - filled);
        buffer.set(some, filled);
        pending = pending.subarray(some.length);
        filled += some.length;
        position += some.length;
      }
      return wanted;
    },
    close: async () => {
      // A connection whose response was read to the end can serve the next request.
      if (position > range.last) body.resume();
      else body.destroy();
    },
  };
}

async function request(
  client: S3Client,
  { sha256, etag }: ProvedObject,
  { first, last }: ByteRange,
): Promise<IncomingMessage> {
  const headers = { range: `bytes=${first}-${last}`, "if-match": etag };
  const body = await client.open({
    method: "GET",
    action: "s3:GetObject",
    key: toKey(sha256),
    headers,
  });
  if (body.headers.etag !== etag) {
    body.destroy();
    // Some servers ignore If-Match.
    const cause = new S3Refusal(412, "PreconditionFailed");
    throw new StoreFault("unavailable", `${client.bucket.name} sends another object`, { cause });
  }
  const isRanged = body.headers["content-range"]?.startsWith(`bytes ${first}-`) ?? false;
  // A server that does not support Range sends everything.
  if (isRanged || (body.statusCode === 200 && first === 0)) return body;
  body.destroy();
  throw new StoreFault("unavailable", `${client.bucket.name} does not answer Range`);
}

/** `read` returns undefined at the end. The reader never asks for more bytes than the range has, so any end it meets is premature. */
function createPatientReader(
  read: () => Promise<Uint8Array | undefined>,
  resume: () => Promise<void>,
  { sha256 }: ProvedObject,
): () => Promise<Uint8Array> {
  const readSome = async () => {
    const chunk = await read();
    if (chunk === undefined) throw new Error("it broke off");
    return chunk;
  };
  return async () => {
    const untilMs = performance.now() + RESUME_FOR_MS;
    let failure: unknown;
    try {
      return await readSome();
    } catch (error) {
      failure = error;
    }
    for (let pauseMs = FIRST_PAUSE_MS; performance.now() < untilMs; pauseMs *= 2)
      try {
        await setTimeout(Math.min(pauseMs, LONGEST_PAUSE_MS));
        await resume();
        return await readSome();
      } catch (error) {
        failure = error;
        if (!isWorthResuming(error)) break;
      }
    throw toFault(failure, sha256);
  };
}

function isWorthResuming(error: unknown): boolean {
  const status = toRefusal(error)?.status ?? 500;
  return !(error instanceof StoreFault) || (isFault(error, "unavailable") && status >= 500);
}

function toFault(cause: unknown, sha256: string): StoreFault {
  if (toRefusal(cause)?.status === 412)
    return new StoreFault("damaged", `recording ${sha256} was changed while it was read`, {
      cause,
    });
  if (cause instanceof StoreFault) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreFault("unavailable", `recording ${sha256} cannot be read on: ${why}`, { cause });
}
