// Splits the open days of a round into windows: several days if there are few calls, one day if there are many. Counting the records of
// longer ranges first needs few requests.
import { countDays, type Days, toGaps } from "@call-media/handover";
import type { Job } from "../job.ts";
import { type JournalFile, readSeal, toJournalFile } from "../journal/journal.ts";
import type { Plan } from "../plan/plan.ts";
import { countRecords, splitDays, toSpan } from "../plan/search-days.ts";
import { retry } from "../throttle/retry.ts";
import { writeEmpty } from "./list-window.ts";

/** Days whose records are counted together, or that are searched as one window. */
interface Chunk extends Days {
  readonly isWindow: boolean;
}

const CHUNK_DAYS = 31;

/** Chunks are first counted in this many groups, because years may be empty. */
const GROUPS = 12;

/** Maximum number of records in a window of several days: an interrupted search loses them. */
const WINDOW_RECORDS = 200;

interface OpenRound {
  readonly index: number;
  readonly asOf: string;
  readonly journals: readonly JournalFile[];
}

/** Yields windows without a journal of this round. Empty ones get their journal immediately, and are not yielded. */
export async function* listOpenWindows(
  job: Job,
  journals: readonly JournalFile[],
  index: number,
): AsyncGenerator<Days> {
  const round = job.plan.rounds[index];
  if (round === undefined) return;
  const before = await findNonEmpty(journals.filter((one) => one.round !== index));
  const own = journals.filter((one) => one.round === index);
  const chunks = toChunks(round, before, job.plan);
  for (const group of toGroups(chunks))
    yield* listGroup(job, { index, asOf: round.asOf, journals: own }, group);
}

/** Windows in which a search found records, even if it wrote none. An empty window cannot have lost any. */
async function findNonEmpty(journals: readonly JournalFile[]): Promise<readonly JournalFile[]> {
  const windows = new Map<string, JournalFile>();
  for (const journal of journals) {
    const seal = await readSeal(journal.path);
    if (seal?.came !== 0 || seal.verdict === "drifted") windows.set(journal.from, journal);
  }
  return [...windows.values()];
}

/**
 * A range in chunks, in the order of the search. The windows of other rounds stay unchanged, so that two searches of the
 * same days can be compared. Windows that overlap the range are included completely.
 */
function toChunks(
  range: Days,
  before: readonly Days[],
  { isOldestFirst }: Pick<Plan, "isOldestFirst">,
): readonly Chunk[] {
  const windows = before.filter(({ from, to }) => from <= range.to && to >= range.from);
  const chunks = [
    ...windows.map(({ from, to }) => ({ from, to, isWindow: true })),
    ...toGaps(range, windows).flatMap((gap) =>
      splitDays(gap, CHUNK_DAYS).map((days) => ({ ...days, isWindow: days.from === days.to })),
    ),
  ].toSorted((one, other) => (one.from < other.from ? -1 : 1));
  return isOldestFirst ? chunks : chunks.toReversed();
}

/** Depends on all chunks of the round, so that every run has the same groups. */
function toGroups(chunks: readonly Chunk[]): readonly (readonly Chunk[])[] {
  const size = Math.ceil(chunks.length / GROUPS);
  const groups = Math.ceil(chunks.length / Math.max(1, size));
  return Array.from({ length: groups }, (_, at) => chunks.slice(at * size, (at + 1) * size));
}

async function* listGroup(
  job: Job,
  round: OpenRound,
  group: readonly Chunk[],
): AsyncGenerator<Days> {
  const days = toSpan(group);
  const open = toGaps(days, round.journals);
  // Days in another round are always searched, because their records may have been deleted.
  const isNew = countAll(open) === countDays(days) && group.every(({ isWindow }) => !isWindow);
  const [chunk] = group;
  if (group.length === 1 && chunk !== undefined) yield* listChunk(job, round, chunk);
  else if (open.length === 0) job.tally.endDays(countDays(days));
  else if (isNew && (await countInTurn(job, days)) === 0) await passOver(job, round, [days]);
  else for (const part of toGroups(group)) yield* listGroup(job, round, part);
}

async function* listChunk(job: Job, round: OpenRound, chunk: Chunk): AsyncGenerator<Days> {
  const open = toGaps(chunk, round.journals);
  job.tally.endDays(countDays(chunk) - countAll(open));
  const records = chunk.isWindow || open.length === 0 ? undefined : await countInTurn(job, chunk);
  // Unfinished days may get many more records, and would remain one window.
  const isOver = chunk.to < round.asOf;
  if (records === 0) await passOver(job, round, open);
  else
    for (const window of toWindows(chunk, isOver ? records : undefined, job.plan))
      yield* toGaps(window, round.journals);
}

/** `records`: their number in the chunk; undefined if it is unknown. */
function toWindows(
  chunk: Chunk,
  records: number | undefined,
  { isOldestFirst }: Pick<Plan, "isOldestFirst">,
): readonly Days[] {
  if (chunk.isWindow) return [chunk];
  const windows = records === undefined ? Infinity : Math.ceil(records / WINDOW_RECORDS);
  const days = splitDays(chunk, Math.max(1, Math.floor(countDays(chunk) / windows)));
  return isOldestFirst ? days : days.toReversed();
}

async function passOver(
  { folder, tally }: Job,
  { index }: OpenRound,
  empty: readonly Days[],
): Promise<void> {
  for (const days of empty) {
    await writeEmpty(toJournalFile(folder.journals, days, index));
    tally.endDays(countDays(days));
  }
}

const countAll = (ranges: readonly Days[]) =>
  ranges.reduce((total, days) => total + countDays(days), 0);

async function countInTurn({ search, throttle }: Job, days: Days): Promise<number | undefined> {
  await throttle.enter();
  return await retry(() => countRecords(search, days)).finally(throttle.leave);
}
