// Fetches the missing files of a window, and seals its journal after all were tried.
import { dirname, join, parse } from "node:path";
import { createPlaces, listItems, type Places } from "@call-media/handover";
import { type FileTask, findRowsWithFiles, toLeg, toTasks } from "../file-names.ts";
import { exportFile, isDone } from "../files/export-file.ts";
import {
  type EarlierRecordings,
  type FileContext,
  toDigestKey,
  toRecordingKey,
} from "../files/file-context.ts";
import { syncFolder } from "../folder/write.ts";
import type { Job } from "../job.ts";
import { type Journal, readJournal, readRows, type Row, toRecord } from "../journal/journal.ts";
import { openJournal } from "../journal/open-journal.ts";
import type { Plan } from "../plan/plan.ts";
import { eachInParallel } from "./in-parallel.ts";
import type { Window } from "./list-window.ts";

/** Maximum number of parallel rows. The throttle allows fewer. */
const MAX_ROWS = 256;

export async function fetchWindow(job: Job, window: Window): Promise<void> {
  const { folder, plan, signal } = job;
  const places = createPlaces(plan);
  const { recordings: earlier, files } = await readOthers(plan, window, places);
  const read = await readJournal(window.path);
  const own = new Set(files.size === 0 ? [] : read.outcomes.files());
  for (const file of files) if (!own.has(file)) places.reserve(file);
  await using journal = await openJournal(window.path, read);
  if (plan.names === "by time")
    for await (const all of readRows(window.path)) all.map(toLeg).forEach(places.foresee);
  const place = places.open();
  const context = { ...job, journal, earlier };
  const partPrefix = join(folder.parts, parse(window.path).name);
  const rows = openRows(context, window.path, (row) => toTasks(place, row, partPrefix));
  await eachInParallel(rows, (tasks) => exportFiles(context, tasks), {
    limit: MAX_ROWS,
    stop: job.stop,
  });
  if (signal.aborted) return;
  // The seal guarantees that the names survive a power failure.
  const folders = [...journal.outcomes.files()].map((file) => dirname(folder.toPath(file)));
  await Promise.all([...new Set(folders)].map(syncFolder));
  await journal.seal();
}

interface OtherRounds {
  /** Only from earlier rounds: a later round has its recordings from this one. */
  readonly recordings: EarlierRecordings;
  /** Paths of all files, as the manifest has them. */
  readonly files: ReadonlySet<string>;
}

/** Also reserves the names that earlier rounds used on these days. */
async function readOthers(plan: Plan, window: Window, places: Places): Promise<OtherRounds> {
  const recordings: EarlierRecordings = new Map();
  const files = new Set<string>();
  for (const { path, round } of window.others) {
    const journal = await readJournal(path);
    for (const file of journal.outcomes.files()) files.add(file);
    if (round > window.round) continue;
    for await (const rows of readRows(path))
      for (const row of findRowsWithFiles(plan, rows)) {
        places.take(toLeg(row));
        addRecordings(recordings, journal, { plan, row });
      }
  }
  return { recordings, files };
}

function addRecordings(
  recordings: EarlierRecordings,
  { outcomes }: Journal,
  { plan, row }: { readonly plan: Plan; readonly row: Row },
): void {
  for (const item of listItems(plan.files, row)) {
    const outcome = outcomes.get(item);
    if (item.kind !== "recording" || outcome?.status !== "complete") continue;
    const record = toRecord(row);
    recordings.set(toRecordingKey(record, item.part), outcome);
    recordings.set(toDigestKey(record, outcome.sha256 ?? ""), outcome);
    const { original } = outcome.muted ?? {};
    if (original !== undefined) recordings.set(toDigestKey(record, original.sha256), outcome);
  }
}

/** The files of each record that are still missing. Each record comes with a slot of the throttle. */
async function* openRows(
  context: FileContext,
  path: string,
  toTasksOf: (row: Row) => readonly FileTask[],
): AsyncGenerator<readonly FileTask[]> {
  const { plan, tally, throttle, signal } = context;
  for await (const rows of readRows(path)) {
    const withFiles = findRowsWithFiles(plan, rows);
    tally.endRows(rows.length - withFiles.length);
    for (const row of withFiles) {
      if (signal.aborted) return;
      const open: FileTask[] = [];
      for (const task of toTasksOf(row)) if (!(await isDone(context, task))) open.push(task);
      if (open.length === 0) tally.endRows(1);
      else {
        await throttle.enter();
        yield open;
      }
    }
  }
}

/** Sequential, because a repeated recording is recognised by the earlier ones. */
async function exportFiles(context: FileContext, tasks: readonly FileTask[]): Promise<void> {
  const { tally, throttle, signal } = context;
  try {
    for (const task of tasks) {
      if (signal.aborted) return;
      tally.endFile(await exportFile(context, task));
    }
    tally.endRows(1);
  } finally {
    throttle.leave();
  }
}
