// One file of an export: fetched, written, told in the journal, and only then given its name.
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import {
  type FetchFailure,
  type Item,
  NO_FILE,
  type Outcome,
  readTranscript,
  RECORDINGS,
  type Redaction,
  toExtension,
  toFetchFailure,
  toRecordingName,
  TRANSCRIPTS,
} from "@call-media/handover";
import { ifMissing } from "../../failures/system-error.ts";
import { toPrintable } from "../../terminal/paint.ts";
import { countRequests } from "../asking/attempts.ts";
import { createPatience, tryAgain } from "../asking/passing.ts";
import { type ExportFolder } from "../folder/files.ts";
import { moveFile, openFile } from "../folder/open-file.ts";
import { toItemKey } from "../journal/entries.ts";
import type { JournalState } from "../journal/journal-state.ts";
import type { Journal } from "../journal/journal.ts";
import type { Placed } from "../journal/placing.ts";
import type { DownloadWork } from "./download.ts";
import { findFile, findOutcome, type Known } from "./known.ts";
import { fetchRecording } from "./recordings.ts";

/** What the files of a window have in common. */
export interface ItemWork extends DownloadWork {
  readonly folder: ExportFolder;
  readonly redaction: Redaction;
  readonly state: JournalState;
  readonly journal: Journal;
  readonly earlier: Known["earlier"];
  /** What a file is called until it is whole. */
  readonly toPartPath: (item: Item) => string;
}

/**
 * The one place that decides what is done: the journal says so, and the file is there, or has all but its name. What was
 * missing, refused, damaged or failed is tried again.
 */
export async function isDone(work: ItemWork, item: Item): Promise<boolean> {
  const { status, file, bytes } = work.state.outcomes.get(item) ?? {};
  if (status === "none") return true;
  if (work.isLastTry && (status === "missing" || status === "refused")) return true;
  if (status !== "complete" || typeof file !== "string") return false;
  const path = work.folder.toPath(file);
  if ((await readSize(path)) === bytes) return true;
  if ((await readSize(work.toPartPath(item))) !== bytes) return false;
  giveItsName(work, item, file);
  return true;
}

function giveItsName({ folder, toPartPath }: ItemWork, item: Item, file: string): void {
  moveFile(toPartPath(item), folder.toPath(file));
}

async function readSize(path: string): Promise<number | undefined> {
  return (await stat(path).catch(ifMissing(undefined)))?.size;
}

/** @throws what concerns more than this file: sign-in, disk, Ctrl-C. */
export async function settleItem(work: ItemWork, placed: Placed, item: Item): Promise<Outcome> {
  const known = findOutcome(work, placed.record, item);
  if (known !== undefined) {
    const outcome = { ...known, attempts: 0 };
    await work.journal.tell(item, outcome);
    return outcome;
  }
  const settle = item.kind === "recording" ? settleRecording : settleTranscript;
  const outcome = await countRequests(async (readCount) => {
    const settled = await settle(work, placed, item);
    // What an earlier run had received whole, and had not told, took one request as well.
    const isReceived = item.kind === "recording" && settled.status === "complete";
    return { ...settled, attempts: Math.max(isReceived ? 1 : 0, readCount()) };
  });
  await work.journal.tell(item, outcome);
  if (outcome.status === "complete" && outcome.file !== null) giveItsName(work, item, outcome.file);
  return outcome;
}

/** An outcome of which the requests are not counted yet. */
type Settled = Omit<Outcome, "attempts">;

const toSettled = ({ status, error }: FetchFailure): Settled => ({
  ...NO_FILE,
  status,
  error: error === null ? null : toPrintable(error),
});

async function settleRecording(work: ItemWork, placed: Placed, item: Item): Promise<Settled> {
  const { record, stems, offset } = placed;
  const { part } = item;
  const received = await fetchRecording(work, {
    record,
    part,
    offset,
    earlier: findDigests(work, item),
    partFile: work.toPartPath(item),
    begun: work.state.begun.get(toItemKey(item)),
    tellBegun: (begun) => work.journal.tellBegun(item, begun),
  });
  if (!("sha256" in received)) return toSettled(received);
  const { bytes, sha256, contentType, filename, verified } = received;
  const extension = toExtension([toRecordingName(record, part), filename], contentType);
  const path = [RECORDINGS, placed.day, `${stems.recording[part - 1]}${extension}`];
  const file = findFile(work, record, sha256) ?? path.join("/");
  const facts = { bytes, sha256, content_type: contentType, verified };
  return { status: "complete", file, ...facts, error: null };
}

/** SHA-256 of the recordings that precede this one in its record. */
function findDigests({ state }: ItemWork, { row, part }: Item): ReadonlySet<string> {
  const before = Array.from({ length: part - 1 }, (_, index) =>
    state.outcomes.get({ row, kind: "recording", part: index + 1 }),
  );
  return new Set(before.flatMap((outcome) => outcome?.sha256 ?? []));
}

async function settleTranscript(work: ItemWork, placed: Placed, item: Item): Promise<Settled> {
  try {
    const mayHelp = createPatience(() => work.tally.answers, work.isLastTry);
    const read = () => readTranscript(work, placed.record, placed.isFirst);
    const { text, isUntold } = await tryAgain(read, mayHelp);
    const verified = isUntold ? "nothing" : null;
    if (text === undefined) return { ...NO_FILE, status: "none", verified, error: null };
    return {
      ...(await writeTranscript(work, item, text)),
      file: toTranscriptFile(placed),
      verified,
    };
  } catch (error) {
    return toSettled(toFetchFailure(error, work.redaction));
  }
}

const toTranscriptFile = ({ day, stems }: Placed) =>
  `${TRANSCRIPTS}/${day}/${stems.transcript[0]}.json`;

async function writeTranscript(work: ItemWork, item: Item, text: string) {
  const content = Buffer.from(text);
  await writeSynced(work, work.toPartPath(item), content);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const facts = { bytes: content.length, sha256, content_type: "application/json" };
  return { status: "complete", ...facts, error: null } as const;
}

async function writeSynced({ pace }: ItemWork, path: string, content: Buffer): Promise<void> {
  using file = openFile(path, "w");
  file.write([content]);
  await pace.lend(file.sync);
}
