// An export from where it stands to its end: what was begun is finished, then the days that are left are listed and
// fetched, several at once, in the order of the search.
import { basename } from "node:path";
import type { Predicate } from "../search/where/comparison.ts";
import { type DayWork, fetchDay } from "./day.ts";
import { type Asked, countRecords, type Days, toChunks, toSingleDays } from "./days.ts";
import { makeFolder } from "./files.ts";
import { hasJournal, listJournals, readSeal, readState, toJournalPath } from "./journal.ts";
import { listDays, writeEmpty } from "./listing.ts";
import { tryAgain } from "./passing.ts";
import type { Round } from "./plan.ts";

export interface RunWork extends DayWork {
  readonly asked: Asked;
  readonly where: Predicate;
}

/** Each waits for the disk at its beginning and its end, and meanwhile the others have requests to send. */
const DAYS_AT_ONCE = 8;

/** Resolves when all is done, or `stop` was called. */
export async function runRounds(work: RunWork): Promise<void> {
  await makeFolder(work.folder.journals);
  await makeFolder(work.folder.parts);
  await finishBegun(work);
  for (const [index, round] of work.plan.rounds.entries())
    if (!round.isDone)
      await eachAtOnce(work, listOpenDays(work, round, index), (days) =>
        workDay(work, days, index),
      );
}

/**
 * What died under way, and what could not be had the last time. Where nothing else is left to do, every file is looked for,
 * so that one that was lost comes again.
 */
async function finishBegun(work: RunWork): Promise<void> {
  const { folder, plan, tally } = work;
  const isRepair = plan.rounds.every(({ isDone }) => isDone);
  const journals = await listJournals(folder.journals, plan.isOldestFirst);
  await eachAtOnce(work, journals, async (path) => {
    const seal = isRepair ? undefined : await readSeal(path);
    if (seal !== undefined && seal.failures === 0) return tally.add(seal);
    const ofDay = journals.filter((other) => toDay(other) === toDay(path));
    await fetchDay(work, ofDay.slice(0, ofDay.indexOf(path) + 1));
  });
}

const toDay = (journal: string) => basename(journal).split(".")[0];

/** Days without a journal of this round. Where a whole month is empty, it gets one journal, and no day of it comes. */
async function* listOpenDays(work: RunWork, round: Round, index: number): AsyncGenerator<Days> {
  const { folder, plan, tally } = work;
  const toPath = ({ from }: Days) => toJournalPath(folder.journals, from, index);
  for (const chunk of toChunks(round, plan.isOldestFirst)) {
    const days = toSingleDays(chunk, plan.isOldestFirst);
    const isListed = await Promise.all(days.map(toPath).map(hasJournal));
    const isBegun = isListed.includes(true);
    if (isBegun ? await isOfAll(toPath(chunk), chunk) : await isEmpty(work, chunk)) {
      if (!isBegun) await writeEmpty(chunk, index, toPath(chunk));
      tally.endDays(days.length);
    } else
      for (const [at, day] of days.entries())
        if (isListed[at]) tally.endDays(1);
        else yield day;
  }
}

async function isOfAll(journal: string, { from, to }: Days): Promise<boolean> {
  if (from === to || !(await hasJournal(journal))) return false;
  return (await readState(journal)).listed.to === to;
}

async function isEmpty({ asked, pace }: RunWork, days: Days): Promise<boolean> {
  if (days.from === days.to) return false; // asking for the day itself tells as much
  await pace.enter();
  try {
    return (await tryAgain(() => countRecords(asked, days))) === 0;
  } finally {
    pace.leave();
  }
}

async function workDay(work: RunWork, days: Days, round: number): Promise<void> {
  const { folder, pace, tally } = work;
  const rounds = Array.from({ length: round + 1 }, (_, index) =>
    toJournalPath(folder.journals, days.from, index),
  );
  const path = rounds.pop() ?? "";
  const isThere = await Promise.all(rounds.map(hasJournal));
  const earlier = rounds.filter((_, index) => isThere[index]);
  await pace.enter();
  const listing = { ...work, ...work.asked, round, earlier };
  const listed = await tryAgain(() => listDays(listing, days, path)).finally(pace.leave);
  if (listed.seal === undefined) await fetchDay(work, [...earlier, path], listed);
  else tally.add(listed.seal);
  tally.endDays(1);
}

/** A few at once, begun in order. The first that fails ends the run. */
async function eachAtOnce<Item>(
  { signal, stop }: RunWork,
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
      if (underWay.size >= DAYS_AT_ONCE) await Promise.race(underWay);
    }
  } catch (error) {
    stop(error);
  }
  await Promise.all(underWay);
}
