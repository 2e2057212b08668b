// The bytes of one recording into one file, however often the connection or the program dies on the way.
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open as openFile, rm } from "node:fs/promises";
import { extname } from "node:path";
import {
  type Announced,
  type CallMediaClient,
  isCallMediaError,
  type RecordingStream,
} from "@call-media/client";
import { BLOCK_BYTES, receiveBlocks } from "./blocks.ts";
import { isMissing, OWNER_ONLY } from "./files.ts";
import type { Begun } from "./journal.ts";
import type { Pace } from "./pace.ts";
import { isPassing, MAX_TRIES } from "./passing.ts";

/** By which identifier recordings are asked for. */
export type Source =
  | { readonly call_id: string; readonly ref_id?: never }
  | { readonly ref_id: string; readonly call_id?: never };

export interface Downloads {
  readonly client: CallMediaClient;
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

/** What is received, from where, and into which file. */
export interface Download {
  readonly source: Source;
  /** Where the bytes go until they are whole. */
  readonly part: string;
  /** What an earlier run left there. */
  readonly begun: Begun | undefined;
  readonly tellBegun: (begun: Begun) => Promise<void>;
  /** Opens the recording from its start. */
  readonly open: () => Promise<Opened>;
}

export interface Opened {
  readonly stream: RecordingStream;
  /** As the service counts the recordings of the call. */
  readonly part: number;
}

/** A file that is whole and on the disk, under the name that the download gave it. */
export interface Received {
  readonly bytes: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly filename: string | undefined;
  readonly checked: "sha256" | "length" | "nothing";
}

/** The bytes are not those that the service announced. Nothing of them was kept. */
export class DamagedRecording extends Error {
  override readonly name = "DamagedRecording";
}

/** What was damaged once may have been so on its way. */
const MAX_DAMAGED = 2;

/**
 * Goes on from what an earlier run left, where the service can, else receives the whole.
 *
 * @throws DamagedRecording, the errors of a call, those of `node:fs`.
 */
export async function receiveRecording(
  downloads: Downloads,
  { begun: left, ...download }: Download,
): Promise<Received> {
  let begun = left;
  for (let [tries, damaged] = [1, 0]; ; tries++)
    try {
      const rest = begun && (await receiveRest(downloads, download, begun));
      if (rest !== undefined) return rest;
      const { stream, part } = await download.open();
      begun = toBegun(stream, part);
      return await receiveAll(downloads, { ...download, begun }, stream);
    } catch (error) {
      const isDamaged = error instanceof DamagedRecording;
      if (isDamaged) begun = undefined;
      const mayHelp = isDamaged ? ++damaged < MAX_DAMAGED : isPassing(error);
      if (!mayHelp || tries === MAX_TRIES) throw error;
    }
}

/** Without a digest nobody could tell whether the rest is of the same recording. */
function toBegun(announced: Announced, part: number): Begun | undefined {
  const { bytes = 0, sha256, contentType, filename = "" } = announced;
  if (sha256 === undefined || bytes < BLOCK_BYTES) return undefined;
  return { part, sha256, content_type: contentType, extension: extname(filename) };
}

async function receiveAll(
  downloads: Downloads,
  { part, begun, tellBegun }: Omit<Download, "source" | "open">,
  { body, ...announced }: RecordingStream,
): Promise<Received> {
  const hash = createHash("sha256");
  await using file = await openFile(part, "w", OWNER_ONLY.file);
  const beforePart = async () => begun && (await tellBegun(begun));
  const bytes = await receiveBlocks(downloads.pace, body, { file, hash, beforePart });
  const sha256 = await checkDigest(part, hash, announced.sha256);
  const checkedBy = announced.bytes === undefined ? "nothing" : "length";
  const checked = announced.sha256 === undefined ? checkedBy : "sha256";
  return { ...announced, bytes, sha256, checked };
}

/** Undefined where nothing is left to go on from, or the service does not give the rest of the same. */
async function receiveRest(
  downloads: Downloads,
  { part, source }: Pick<Download, "part" | "source">,
  begun: Begun,
): Promise<Received | undefined> {
  const hash = createHash("sha256");
  const from = await hashFile(part, hash);
  if (from === 0) return undefined;
  const toReceived = (bytes: number): Received => ({
    bytes,
    sha256: begun.sha256,
    contentType: begun.content_type,
    filename: begun.extension,
    checked: "sha256",
  });
  // The program died when all was there, and before it had said so.
  if (hash.copy().digest("hex") === begun.sha256) return toReceived(from);
  const body = await openRest(downloads, source, { from, begun });
  if (body === undefined) return undefined;
  await using file = await openFile(part, "a", OWNER_ONLY.file);
  const bytes = await receiveBlocks(downloads.pace, body, {
    file,
    hash,
    beforePart: async () => {},
  });
  await checkDigest(part, hash, begun.sha256);
  return toReceived(from + bytes);
}

async function openRest(
  { client, signal }: Downloads,
  { call_id, ref_id }: Source,
  { from, begun }: { readonly from: number; readonly begun: Begun },
): Promise<ReadableStream<Uint8Array> | undefined> {
  const header = { Range: `bytes=${from}-` };
  const query = { part: begun.part };
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
    if (isRestOf(response, from, begun)) return data;
    await data.cancel();
  } catch (error) {
    // 416, or whatever a service says that knows no ranges: then the whole is asked for.
    if (!isCallMediaError(error, "InvalidRequestError")) throw error;
  }
  return undefined;
}

/** The digest of the whole recording stands at each part of it (RFC 9530, 3). */
function isRestOf({ status, headers }: Response, from: number, { sha256 }: Begun): boolean {
  const digest = Buffer.from(sha256, "hex").toString("base64");
  const isSame = headers.get("Repr-Digest")?.includes(`sha-256=:${digest}:`) ?? false;
  return (
    status === 206 && isSame && headers.get("Content-Range")?.startsWith(`bytes ${from}-`) === true
  );
}

/** How many bytes there are; 0 where there is no such file. */
async function hashFile(path: string, hash: Hash): Promise<number> {
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return bytes;
}

async function checkDigest(
  part: string,
  hash: Hash,
  announced: string | undefined,
): Promise<string> {
  const sha256 = hash.digest("hex");
  if ((announced ?? sha256) === sha256) return sha256;
  await rm(part, { force: true });
  throw new DamagedRecording(`its SHA-256 is ${sha256}, and ${announced} was announced`);
}
