// An export from where it stands to its end: what was begun is finished, then the days that are left are listed and
// fetched, several windows at once, in the order of the search.
import { makeFolder } from "../files/owner-only.ts";
import { countDays, countRecords, type Days, toSpan } from "./days.ts";
import { readSeal } from "./journal-state.ts";
import { type JournalFile, listJournals, toJournalFile } from "./journals.ts";
import { writeEmpty } from "./listing.ts";
import { tryAgain } from "./passing.ts";
import { listOpenRounds } from "./plan.ts";
import type { WindowThreads } from "./window-threads.ts";
import { type Chunk, toChunks, toGaps, toGroups, toWindows } from "./windows.ts";
import type { Work } from "./work.ts";

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

/** A round that is listed, and its journals. */
interface OpenRound {
  readonly index: number;
  readonly asOf: string;
  readonly there: readonly JournalFile[];
}

/** Days without a journal of this round. Those that are empty get one at once, and do not come. */
async function* listOpenWindows(
  work: Work,
  journals: readonly JournalFile[],
  index: number,
): AsyncGenerator<Days> {
  const { isOldestFirst, rounds } = work.plan;
  const round = rounds[index];
  if (round === undefined) return;
  const before = await findFilled(journals.filter((one) => one.round < index));
  const there = journals.filter((one) => one.round === index);
  for (const group of toGroups(toChunks(round, before, isOldestFirst)))
    yield* listGroup(work, { index, asOf: round.asOf, there }, group);
}

/** Of many months, which may be empty together. */
async function* listGroup(
  work: Work,
  round: OpenRound,
  group: readonly Chunk[],
): AsyncGenerator<Days> {
  const days = toSpan(group);
  const open = toGaps(days, round.there);
  // What an earlier round has of them is asked for by itself: it may be gone.
  const isNew =
    sum(open.map(countDays)) === countDays(days) && group.every(({ isWindow }) => !isWindow);
  const [chunk] = group;
  if (group.length === 1 && chunk !== undefined) yield* listChunk(work, round, chunk);
  else if (open.length === 0) work.tally.endDays(countDays(days));
  else if (isNew && (await count(work, days)) === 0) await passOver(work, round, [days]);
  else for (const part of toGroups(group)) yield* listGroup(work, round, part);
}

async function* listChunk(work: Work, round: OpenRound, chunk: Chunk): AsyncGenerator<Days> {
  const { plan, tally } = work;
  const open = toGaps(chunk, round.there);
  tally.endDays(countDays(chunk) - sum(open.map(countDays)));
  const records = chunk.isWindow || open.length === 0 ? undefined : await count(work, chunk);
  // Days that are not over may get many more records, and are searched for as one from then on.
  const isOver = chunk.to < round.asOf;
  if (records === 0) await passOver(work, round, open);
  else
    for (const window of toWindows(chunk, isOver ? records : undefined, plan.isOldestFirst))
      yield* toGaps(window, round.there);
}

async function passOver(
  { folder, tally }: Work,
  { index }: OpenRound,
  empty: readonly Days[],
): Promise<void> {
  for (const days of empty) {
    await writeEmpty(toJournalFile(folder.journals, { ...days, round: index }));
    tally.endDays(countDays(days));
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** Those that have records. Of an empty month of an earlier round nothing can come again. */
async function findFilled(journals: readonly JournalFile[]): Promise<readonly JournalFile[]> {
  const filled = new Map<string, JournalFile>();
  for (const journal of journals)
    if ((await readSeal(journal.path))?.rows !== 0) filled.set(journal.from, journal);
  return [...filled.values()];
}

async function count({ asked, pace }: Work, days: Days): Promise<number | undefined> {
  await pace.enter();
  return await tryAgain(() => countRecords(asked, days)).finally(pace.leave);
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
