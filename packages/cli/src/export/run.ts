// An export from where it stands to its end: what was begun is finished, then the days that are left are listed and
// fetched, several windows at once, in the order of the search.
import { makeFolder } from "../files/owner-only.ts";
import type { Days } from "./days.ts";
import { readSeal } from "./journal-state.ts";
import { type JournalFile, listJournals, toJournalFile } from "./journals.ts";
import { listOpenWindows } from "./open-windows.ts";
import { listOpenRounds } from "./plan.ts";
import type { WindowThreads } from "./window-threads.ts";

/** Resolves when all is done, or `stop` was called. */
export async function runRounds(threads: WindowThreads): Promise<void> {
  const { work, doTask } = threads;
  const { folder, plan } = work;
  await makeFolder(folder.journals);
  await makeFolder(folder.parts);
  await finishBegun(threads, await listJournals(folder.journals, plan.isOldestFirst));
  for (const [index, { isDone }] of plan.rounds.entries())
    if (!isDone) {
      const journals = await listJournals(folder.journals, plan.isOldestFirst);
      await eachAtOnce(threads, listOpenWindows(work, journals, index), async (days) => {
        const current = toJournalFile(folder.journals, { ...days, round: index });
        await doTask({ current, earlier: findEarlier(journals, current), isListed: false });
      });
    }
}

const isOfSameDays = (one: Days, other: Days) => one.from === other.from && one.to === other.to;

/** What earlier rounds have of the days of a journal. */
const findEarlier = (journals: readonly JournalFile[], current: JournalFile) =>
  journals.filter((one) => isOfSameDays(one, current) && one.round < current.round);

/**
 * What died under way, and what could not be had the last time. Where nothing else is left to do, every file is looked for,
 * so that one that was lost comes again.
 */
async function finishBegun(
  threads: WindowThreads,
  journals: readonly JournalFile[],
): Promise<void> {
  const { work, doTask } = threads;
  const isRepair = listOpenRounds(work.plan).length === 0;
  await eachAtOnce(threads, journals, async (current) => {
    const seal = isRepair ? undefined : await readSeal(current.path);
    if (seal !== undefined && seal.failures === 0) return work.tally.add(seal);
    await doTask({ current, earlier: findEarlier(journals, current), isListed: true });
  });
}

/** A few at once, begun in order. The first that fails ends the run. */
async function eachAtOnce<Item>(
  { work: { signal, stop }, tasksAtOnce }: WindowThreads,
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  try {
    for await (const item of items) {
      if (signal.aborted) break;
      const one: Promise<void> = work(item)
        .catch(stop)
        .finally(() => underWay.delete(one));
      underWay.add(one);
      if (underWay.size >= tasksAtOnce) await Promise.race(underWay);
    }
  } catch (error) {
    stop(error);
  }
  await Promise.all(underWay);
}
