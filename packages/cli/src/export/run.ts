// An export from where it stands to its end: what was begun is finished, then the days that are left are listed and
// fetched, several windows at once, in the order of the search.
import { countDays, type Days } from "@call-media/handover";
import { tryAgain } from "./asking/passing.ts";
import { readSeal } from "./journal/journal-state.ts";
import { type JournalFile, listJournals, toJournalFile } from "./journal/journals.ts";
import { listWindow } from "./windows/listing.ts";
import { listOpenWindows } from "./windows/open-windows.ts";
import type { Journals } from "./windows/window-rows.ts";
import { fetchWindow } from "./windows/window.ts";
import type { Work } from "./windows/work.ts";

/** Resolves when all is done, or `stop` was called. */
export async function runRounds(work: Work): Promise<void> {
  const { folder, plan } = work;
  await finishBegun(work, await listJournals(folder.journals, plan.isOldestFirst));
  for (const [index, { isDone }] of plan.rounds.entries())
    if (!isDone) {
      const journals = await listJournals(folder.journals, plan.isOldestFirst);
      await eachAtOnce(work, listOpenWindows(work, journals, index), async (days) => {
        const current = toJournalFile(folder.journals, { ...days, round: index });
        await workWindow(work, { current, others: findOthers(journals, current) });
      });
    }
}

/** A window from its search to its last file. */
async function workWindow(work: Work, journals: Journals): Promise<void> {
  const { pace, tally } = work;
  const { current, others } = journals;
  await pace.enter();
  const listing = { ...work, ...work.asked, others };
  const listed = await tryAgain(() => listWindow(listing, current)).finally(pace.leave);
  if (listed.seal === undefined) await fetchWindow(work, journals, listed);
  else tally.add(listed.seal);
  tally.endDays(countDays(current));
}

const isOfSameDays = (one: Days, other: Days) => one.from === other.from && one.to === other.to;

/** What other rounds have of the days of a journal: later ones too, where it was lost and is listed again. */
const findOthers = (journals: readonly JournalFile[], current: JournalFile) =>
  journals.filter((one) => isOfSameDays(one, current) && one.round !== current.round);

/**
 * What died under way, and what could not be had the last time. In a repair every file is looked for, so that one
 * that was lost comes again.
 */
async function finishBegun(work: Work, journals: readonly JournalFile[]): Promise<void> {
  await eachAtOnce(work, journals, async (current) => {
    const seal = work.isRepair && !work.isLastTry ? undefined : await readSeal(current.path);
    if (seal !== undefined && seal.failures === 0) return work.tally.add(seal);
    await fetchWindow(work, { current, others: findOthers(journals, current) });
  });
}

/** Each waits for the disk at its beginning and its end, and meanwhile the others have requests to send. */
const WINDOWS_AT_ONCE = 8;

/** A few at once, begun in order. The first that fails ends the run. */
async function eachAtOnce<Item>(
  { signal, stop }: Work,
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
      if (underWay.size >= WINDOWS_AT_ONCE) await Promise.race(underWay);
    }
  } catch (error) {
    stop(error);
  }
  await Promise.all(underWay);
}
