// Which days of a round are still to be listed, in the windows in which they are: found out in few requests.
import { countDays, type Days, toGaps } from "@call-media/handover";
import { tryAgain } from "../asking/passing.ts";
import { readSeal } from "../journal/journal-state.ts";
import { type JournalFile, toJournalFile } from "../journal/journals.ts";
import { countRecords, toSpan } from "../plan/days.ts";
import { writeEmpty } from "./listing.ts";
import { type Chunk, toChunks, toGroups, toWindows } from "./windows.ts";
import type { Work } from "./work.ts";

/** A round that is listed, and its journals. */
interface OpenRound {
  readonly index: number;
  readonly asOf: string;
  readonly there: readonly JournalFile[];
}

/** Days without a journal of this round. Those that are empty get one at once, and do not come. */
export async function* listOpenWindows(
  work: Work,
  journals: readonly JournalFile[],
  index: number,
): AsyncGenerator<Days> {
  const { isOldestFirst, rounds } = work.plan;
  const round = rounds[index];
  if (round === undefined) return;
  const before = await findFilled(journals.filter((one) => one.round !== index));
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
  // What another round has of them is asked for by itself: it may be gone.
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

/** Those whose search found records, also if none of them was taken. Of an empty month nothing can come again. */
async function findFilled(journals: readonly JournalFile[]): Promise<readonly JournalFile[]> {
  const filled = new Map<string, JournalFile>();
  for (const journal of journals) {
    const sealed = await readSeal(journal.path);
    if (sealed?.came !== 0 || sealed.verdict === "drifted") filled.set(journal.from, journal);
  }
  return [...filled.values()];
}

async function count({ asked, pace }: Work, days: Days): Promise<number | undefined> {
  await pace.enter();
  return await tryAgain(() => countRecords(asked, days)).finally(pace.leave);
}
