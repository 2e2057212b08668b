// Mutes a recording of an export: selects its spans, writes the muted copy, and describes it for the manifest.
import { rename, rm } from "node:fs/promises";
import {
  type Announced,
  type CallRecord,
  NotFoundError,
  PermissionError,
} from "@call-media/client";
import {
  type CallSpan,
  type FetchFailure,
  findOwnParts,
  type MutedFile,
  toFetchFailure,
  toMutedFile,
  toRecordingName,
} from "@call-media/handover";
import { CannotMute } from "@call-media/sound/mute";
import { type MutedCopy, writeMuted } from "../../files/muted-file.ts";
import type { FileTask } from "../file-names.ts";
import type { Job } from "../job.ts";
import { createRetryPolicy, retry } from "../throttle/retry.ts";
import type { Received } from "./download.ts";
import { type FileContext, toDigestKey } from "./file-context.ts";

/** Suffix of the names of originals, which exist only in the folder of incomplete files. */
export const ORIGINAL = ".original";

/** An exported recording: the original, or its muted copy. */
export type Exported = Pick<Received, "bytes" | "sha256" | "contentType"> & {
  readonly muted?: MutedFile;
};

export const hasSpans = ({ muting }: Pick<Job, "muting">, { call_id }: CallRecord): boolean =>
  muting.spansOf(call_id).length > 0;

/** The original is at `partPath` with the suffix `ORIGINAL`. Afterwards `partPath` has the file to export, and the original is removed. */
export async function muteRecording(
  context: FileContext,
  received: Received,
  { record, item, partPath }: Pick<FileTask, "record" | "item" | "partPath">,
): Promise<Exported | FetchFailure> {
  const original = partPath + ORIGINAL;
  const { bytes, sha256, contentType, filename } = received;
  try {
    const spans = await findSpans(context, received, { record, item });
    if (spans.length === 0) {
      await rename(original, partPath);
      return { bytes, sha256, contentType };
    }
    const name = toRecordingName(record, item.part) ?? filename;
    const copy = await context.throttle.lend(() =>
      writeMuted({ from: original, to: partPath, filename: name, contentType }, spans),
    );
    await rm(original);
    return toExported(copy, toMutedFile({ bytes, sha256 }, copy.spans, context.by));
  } catch (error) {
    await rm(original, { force: true });
    if (error instanceof CannotMute) return { status: "refused", error: error.message };
    return toFetchFailure(error, context.redaction);
  }
}

const toExported = ({ bytes, sha256, contentType }: MutedCopy, muted: MutedFile): Exported => ({
  bytes,
  sha256,
  contentType,
  muted,
});

/**
 * Spans refer to the recordings of a call by number. A muted recording stays muted, even if another recording of the call has since been
 * inserted before it.
 *
 * @throws CannotMute if the number of the recording cannot be determined.
 */
async function findSpans(
  context: FileContext,
  { wanted, ...received }: Received,
  { record, item }: Pick<FileTask, "record" | "item">,
): Promise<readonly CallSpan[]> {
  const spans = context.muting.spansOf(record.call_id);
  const own = wanted.call_id === undefined ? undefined : (wanted.part ?? 1);
  const describePart = (part: number) => describe(context, record, part);
  const parts = new Set(await findOwnParts(spans, { ...received, own }, describePart));
  for (const { part } of findEarlierSpans(context, received, { record, item })) parts.add(part);
  return spans.filter(({ part }) => parts.has(part));
}

function findEarlierSpans(
  { journal, earlier }: FileContext,
  { sha256 }: Pick<Received, "sha256">,
  { record, item }: Pick<FileTask, "record" | "item">,
): MutedFile["spans"] {
  const outcomes = [journal.outcomes.get(item), earlier.get(toDigestKey(record, sha256))];
  const same = outcomes.find((outcome) => outcome?.muted?.original.sha256 === sha256);
  return same?.muted?.spans ?? [];
}

/** Undefined if the call has no such recording, or the user has no access to it. It is then not the received one. */
async function describe(
  { client, signal, tally, isLastTry }: Job,
  { call_id }: CallRecord,
  part: number,
): Promise<Announced | undefined> {
  const wanted = { call_id: call_id ?? "", ...(part > 1 && { part }), signal };
  const policy = createRetryPolicy(() => tally.answers, isLastTry);
  try {
    return await retry(() => client.recordings.describe(wanted), policy);
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof PermissionError) return undefined;
    throw error;
  }
}
