// The bytes of one recording into one file, however often the connection or the program dies on the way.
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { extname } from "node:path";
import type { Announced, CallMediaClient, RecordingStream } from "@call-media/client";
import { checkRecordingFile, toVerified, type Verified } from "@call-media/client/node";
import {
  DamagedRecording,
  NoSuchRecording,
  NOTHING_GIVEN,
  type Redaction,
  toTold,
} from "@call-media/handover";
import type { Which } from "../../call/which.ts";
import type { Pace } from "../asking/pace.ts";
import { createPatience } from "../asking/passing.ts";
import { checkDigest } from "../folder/digest.ts";
import { openFile } from "../folder/open-file.ts";
import type { Begun } from "../journal/entries.ts";
import { receiveBlocks } from "./blocks.ts";
import { receiveRest } from "./rest.ts";
import type { Tally } from "./tally.ts";

export interface DownloadWork {
  /** Whether only what failed is tried again, at the end of a run that has asked for all else. */
  readonly isLastTry: boolean;
  readonly client: CallMediaClient;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly tally: Pick<Tally, "answers">;
  readonly redaction: Redaction;
}

/** What is received, from where, and into which file. */
export interface Download {
  /** By which identifier it is asked for. */
  readonly which: Which;
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
  readonly verified: Verified;
}

/** Of a shorter recording a part is not worth a line in the journal. */
const LONG_BYTES = 262_144;

/** What was damaged once may have been so on its way. */
const MAX_DAMAGED = 2;

/**
 * Goes on from what an earlier run left, where the service can, else receives the whole.
 *
 * @throws DamagedRecording, the errors of a call, those of `node:fs`.
 */
export async function receiveRecording(
  work: DownloadWork,
  { begun: left, ...download }: Download,
): Promise<Received> {
  let begun = left;
  const mayPass = createPatience(() => work.tally.answers, work.isLastTry);
  for (let damaged = 0; ;)
    try {
      const rest = begun && (await receiveRest(work, download, begun));
      if (rest !== undefined) return rest;
      const { stream: opened, part } = await download.open();
      const stream = toTold(opened, work.redaction);
      begun = toBegun(stream, part);
      return await receiveAll(work, { ...download, begun }, stream);
    } catch (error) {
      const isDamaged = error instanceof DamagedRecording;
      if (isDamaged) begun = undefined;
      const mayHelp = isDamaged ? ++damaged < MAX_DAMAGED : mayPass(error);
      if (!mayHelp) throw error;
    }
}

/** @throws NoSuchRecording, and nothing is left of it. */
async function refuseEmpty(part: string): Promise<never> {
  await rm(part, { force: true });
  throw new NoSuchRecording(NOTHING_GIVEN);
}

/** Without a digest nobody could tell whether the rest is of the same recording. */
function toBegun(announced: Announced, part: number): Begun | undefined {
  const { bytes = 0, sha256, contentType, filename = "" } = announced;
  if (sha256 === undefined || bytes < LONG_BYTES) return undefined;
  return { part, sha256, content_type: contentType, extension: extname(filename) };
}

async function receiveAll(
  work: DownloadWork,
  { part, begun, tellBegun }: Omit<Download, "which" | "open">,
  { body, ...announced }: RecordingStream,
): Promise<Received> {
  const hash = createHash("sha256");
  using file = openFile(part, "w");
  const beforePart = async () => begun && (await tellBegun(begun));
  const bytes = await receiveBlocks(work.pace, body, { file, hash, beforePart });
  // Where it is said to be empty, it is; else it is a 204 by another name.
  if (bytes === 0 && announced.sha256 === undefined) await refuseEmpty(part);
  // Nobody makes a digest of a refusal; to look at each file would take longer.
  if (announced.sha256 === undefined) await checkRecordingFile(part, announced.source);
  const sha256 = await checkDigest(part, hash, announced.sha256);
  await work.pace.lend(file.sync);
  return { ...announced, bytes, sha256, verified: toVerified(announced) };
}
