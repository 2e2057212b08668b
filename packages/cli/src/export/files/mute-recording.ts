// Mutes a recording of an export: which spans are its own, the muted copy, and what the manifest says of it.
import { rename, rm } from "node:fs/promises";
import { type Announced, type CallRecord, isCallMediaError } from "@call-media/client";
import {
  type CallSpan,
  type FetchFailure,
  type MutedFile,
  toRecordingName,
} from "@call-media/handover";
import { CannotMute } from "@call-media/sound/mute";
import { type MutedCopy, writeMuted } from "../../files/muted-file.ts";
import type { FileTask } from "../file-names.ts";
import type { Job } from "../job.ts";
import type { Received } from "./download.ts";

/** Ends of the names of originals, which are nowhere but in the folder of incomplete files. */
export const ORIGINAL = ".original";

/** A recording as it is exported: the original, or its muted copy. */
export type Exported = Pick<Received, "bytes" | "sha256" | "contentType"> & {
  readonly muted?: MutedFile;
};

export const hasSpans = ({ muting }: Pick<Job, "muting">, { call_id }: CallRecord): boolean =>
  muting.spansOf(call_id).length > 0;

/** The original is at `partPath` with `ORIGINAL`. Afterwards `partPath` has what is exported, and the original is gone. */
export async function muteRecording(
  job: Job,
  received: Received,
  { record, item, partPath }: Pick<FileTask, "record" | "item" | "partPath">,
): Promise<Exported | FetchFailure> {
  const original = partPath + ORIGINAL;
  const { bytes, sha256, contentType, filename } = received;
  try {
    const spans = await findSpans(job, received, record);
    if (spans.length === 0) {
      await rename(original, partPath);
      return { bytes, sha256, contentType };
    }
    const name = toRecordingName(record, item.part) ?? filename;
    const copy = await job.throttle.lend(() =>
      writeMuted({ from: original, to: partPath, filename: name, contentType }, spans),
    );
    await rm(original);
    return toExported(copy, { original: { bytes, sha256 }, spans: spans.map(toSpan), by: job.by });
  } catch (error) {
    if (!(error instanceof CannotMute)) throw error;
    await rm(original, { force: true });
    return { status: "refused", error: error.message };
  }
}

const toExported = ({ bytes, sha256, contentType }: MutedCopy, muted: MutedFile): Exported => ({
  bytes,
  sha256,
  contentType,
  muted,
});

const toSpan = ({ part, from, to, channel, reason }: CallSpan) => ({
  part,
  from,
  to,
  ...(channel !== undefined && { channel }),
  ...(reason !== undefined && { reason }),
});

/**
 * Spans count the recordings of the call. The one that was received may have been asked for by its reference, or be listed twice: then
 * its digest tells which it is.
 *
 * @throws CannotMute if nothing does.
 */
async function findSpans(
  job: Job,
  { wanted, sha256 }: Received,
  record: CallRecord,
): Promise<readonly CallSpan[]> {
  const spans = job.muting.spansOf(record.call_id);
  const own = wanted.call_id === undefined ? undefined : (wanted.part ?? 1);
  const parts = new Set<number>();
  for (const part of new Set(spans.map((span) => span.part))) {
    const announced = part === own ? undefined : await describe(job, record, part);
    if (own === undefined && announced !== undefined && announced.sha256 === undefined)
      throw new CannotMute(
        "which recording of the call it is, is not known, since the service announces no SHA-256: it cannot be muted",
      );
    if (part === own || announced?.sha256 === sha256) parts.add(part);
  }
  return spans.filter(({ part }) => parts.has(part));
}

/** Undefined if the call has no such recording, or it may not be heard. */
async function describe(
  { client, signal }: Job,
  { call_id }: CallRecord,
  part: number,
): Promise<Announced | undefined> {
  const wanted = { call_id: call_id ?? "", ...(part > 1 && { part }), signal };
  try {
    return await client.recordings.describe(wanted);
  } catch (error) {
    const isOfOne =
      isCallMediaError(error, "NotFoundError") || isCallMediaError(error, "PermissionError");
    if (isOfOne) return undefined;
    throw error;
  }
}
