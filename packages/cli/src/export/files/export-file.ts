// Exports one file: it is fetched under a temporary name, recorded in the journal, and then renamed.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import {
  type FetchFailure,
  isUnaskable,
  keepFindings,
  measureSound,
  NO_FILE,
  type Outcome,
  readTranscript,
  toExtension,
  toFetchFailure,
  toRecordingName,
  UNASKABLE,
} from "@call-media/handover";
import { openAnew } from "../../files/written-files.ts";
import { toPrintable } from "@call-media/terminal";
import type { FileTask } from "../file-names.ts";
import { readSize } from "../folder/read.ts";
import { renameIntoPlace } from "../folder/write.ts";
import { toItemKey } from "../journal/journal.ts";
import { countRequests, createRetryPolicy, retry } from "../throttle/retry.ts";
import { downloadRecording } from "./download.ts";
import { type FileContext, toDigestKey, toRecordingKey } from "./file-context.ts";
import { hasSpans, muteRecording, ORIGINAL } from "./mute-recording.ts";

/** True if nothing is left to do. Renames a file that a killed run recorded but did not rename. */
export async function isDone(context: FileContext, { item, partPath }: FileTask): Promise<boolean> {
  const { folder, journal, isLastTry } = context;
  const { status, file, bytes } = journal.outcomes.get(item) ?? {};
  if (status === "none") return true;
  if (isLastTry && (status === "missing" || status === "refused")) return true;
  if (status !== "complete" || typeof file !== "string") return false;
  const path = folder.toPath(file);
  if ((await readSize(path)) === bytes) return true;
  if ((await readSize(partPath)) !== bytes) return false;
  await renameIntoPlace(partPath, path);
  return true;
}

/** @throws errors that concern more than this file: sign-in, disk, Ctrl-C. */
export async function exportFile(context: FileContext, task: FileTask): Promise<Outcome> {
  const { folder, journal } = context;
  const known = findKnownOutcome(context, task);
  const outcome = known === undefined ? await fetchFile(context, task) : { ...known, attempts: 0 };
  await journal.record(task.item, outcome);
  if (known === undefined && outcome.status === "complete" && outcome.file !== null)
    await renameIntoPlace(task.partPath, folder.toPath(outcome.file));
  return outcome;
}

/** The outcome of a file that needs no request. */
function findKnownOutcome(
  { earlier, redaction }: FileContext,
  { record, item }: FileTask,
): Omit<Outcome, "attempts"> | undefined {
  const { call_id, ref_id } = record;
  const isRecording = item.kind === "recording";
  if (isUnaskable(isRecording ? call_id || ref_id : call_id, redaction)) return UNASKABLE;
  // Masked names of recordings are all equal, so they identify nothing.
  const isNamed = isRecording && redaction.fields.length === 0;
  return isNamed ? earlier.get(toRecordingKey(record, item.part)) : undefined;
}

/** An outcome before its requests are counted. */
type Fetched = Omit<Outcome, "attempts">;

const fetchFile = async (context: FileContext, task: FileTask): Promise<Outcome> =>
  await countRequests(async (readCount) => {
    if (task.item.kind === "transcript")
      return { ...(await fetchTranscript(context, task)), attempts: readCount() };
    const fetched = await fetchRecording(context, task);
    // A file that an earlier run received but did not record took a request too.
    const least = fetched.status === "complete" ? 1 : 0;
    return { ...fetched, attempts: Math.max(least, readCount()) };
  });

const toFailed = ({ status, error }: FetchFailure): Fetched => ({
  ...NO_FILE,
  status,
  error: error === null ? null : toPrintable(error),
});

async function fetchRecording(context: FileContext, task: FileTask): Promise<Fetched> {
  const { journal, earlier } = context;
  const { item, record } = task;
  const isMuted = hasSpans(context, record);
  const received = await downloadRecording(context, {
    record,
    number: item.part,
    // The original of a muted recording never gets the name of an exported file.
    partPath: isMuted ? task.partPath + ORIGINAL : task.partPath,
    partial: journal.partials.get(toItemKey(item)),
    recordPartial: (partial) => journal.recordPartial(item, partial),
  });
  if (!("sha256" in received)) return toFailed(received);
  const measure = (path: string, filename: string | undefined, contentType: string) =>
    context.throttle.lend(() => measureSound(createReadStream(path), { filename, contentType }));
  const recorded = toRecordingName(record, item.part) ?? received.filename;
  const original =
    isMuted && (await measure(task.partPath + ORIGINAL, recorded, received.contentType));
  const exported = isMuted ? await muteRecording(context, received, task) : received;
  if (!("sha256" in exported)) return toFailed(exported);
  const { filename, verified } = received;
  const { bytes, sha256, contentType, muted } = { muted: undefined, ...exported };
  const names = muted === undefined ? [toRecordingName(record, item.part), filename] : [];
  const extension = toExtension(names, contentType);
  // The same bytes are stored once, whichever version of the record they came with.
  const file = earlier.get(toDigestKey(record, sha256))?.file ?? `${task.stem}${extension}`;
  const written = await measure(task.partPath, names.find(Boolean), contentType);
  const sound = original && muted ? keepFindings(written, original) : written;
  const facts = { bytes, sha256, content_type: contentType, verified, sound };
  return { status: "complete", file, ...facts, error: null, ...(muted && { muted }) };
}

async function fetchTranscript(context: FileContext, task: FileTask): Promise<Fetched> {
  try {
    const policy = createRetryPolicy(() => context.tally.answers, context.isLastTry);
    const read = () => readTranscript(context, task.record, task.isFirst);
    const { text, isChatUnknown } = await retry(read, policy);
    const verified = isChatUnknown ? "nothing" : null;
    if (text === undefined) return { ...NO_FILE, status: "none", verified, error: null };
    const content = Buffer.from(text);
    await using file = await openAnew(task.partPath);
    await file.appendFile(content);
    await context.throttle.lend(() => file.datasync());
    const sha256 = createHash("sha256").update(content).digest("hex");
    const facts = { bytes: content.length, sha256, content_type: "application/json" };
    return { status: "complete", file: `${task.stem}.json`, ...facts, verified, error: null };
  } catch (error) {
    return toFailed(toFetchFailure(error, context.redaction));
  }
}
