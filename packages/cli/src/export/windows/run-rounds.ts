// Runs an export to its end: interrupted windows first, then the remaining days, several windows in parallel.
import { countDays } from "@call-media/handover";
import type { Job } from "../job.ts";
import { type JournalFile, listJournals, readSeal, toJournalFile } from "../journal/journal.ts";
import { retry } from "../throttle/retry.ts";
import { fetchWindow } from "./fetch-window.ts";
import { eachInParallel } from "./in-parallel.ts";
import { listWindow, type Window } from "./list-window.ts";
import { listOpenWindows } from "./open-windows.ts";

/** A window waits for the disk at its start and end. Meanwhile the others send requests. */
const WINDOWS_IN_PARALLEL = 8;

/** Resolves when all is done, or `stop` was called. */
export async function runRounds(job: Job): Promise<void> {
  const { folder, plan, signal } = job;
  const options = { limit: WINDOWS_IN_PARALLEL, stop: job.stop };
  const existing = await listJournals(folder.journals, plan.isOldestFirst);
  await eachInParallel(
    existing,
    async (journal) => {
      if (!signal.aborted) await finishWindow(job, toWindow(journal, existing));
    },
    options,
  );
  for (const [index, { isDone }] of plan.rounds.entries()) {
    if (isDone) continue;
    const journals = await listJournals(folder.journals, plan.isOldestFirst);
    await eachInParallel(
      listOpenWindows(job, journals, index),
      async (days) => {
        if (signal.aborted) return;
        const journal = toJournalFile(folder.journals, days, index);
        await startWindow(job, toWindow(journal, journals));
        job.tally.endDays(countDays(days));
      },
      options,
    );
  }
}

/** Other rounds with the same days, including later ones if the journal was lost and is written again. */
const toWindow = (journal: JournalFile, journals: readonly JournalFile[]): Window => ({
  ...journal,
  others: journals.filter(
    ({ from, to, round }) => from === journal.from && to === journal.to && round !== journal.round,
  ),
});

/** Fetches files that an interrupted run left, and failed ones. A repair checks every file. */
async function finishWindow(job: Job, window: Window): Promise<void> {
  const seal = job.isRepair && !job.isLastTry ? undefined : await readSeal(window.path);
  if (seal?.failures === 0) job.tally.add(seal);
  else await fetchWindow(job, window);
}

async function startWindow(job: Job, window: Window): Promise<void> {
  await job.throttle.enter();
  await retry(() => listWindow(job, window)).finally(job.throttle.leave);
  const seal = await readSeal(window.path);
  if (seal === undefined) await fetchWindow(job, window);
  else job.tally.add(seal);
}
