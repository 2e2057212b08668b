// Which days are searched for at once, and have one journal: several where calls are few, one where they are many.
import { countDays, type Days, toGaps } from "@call-media/handover";
import { splitDays } from "../plan/days.ts";

/** Both included: what an earlier search of the folder had is searched for as it was, so that the two can be compared. */
export interface Chunk extends Days {
  readonly isWindow: boolean;
}

/** As many as are asked for together, to pass over them in one request where they are empty. */
const CHUNK_DAYS = 31;

/** And so many chunks, where these are more, and so many times as many. */
const CHUNKS_TOGETHER = 12;

/** Records that a window of several days is to have: so many are kept until their files are there. */
const WINDOW_RECORDS = 200;

/**
 * A range in chunks, in the order in which an export reads them. `before`: windows in which other rounds found
 * records; one that begins before the range, or ends after it, is taken whole.
 */
export function toChunks(
  range: Days,
  before: readonly Days[],
  isOldestFirst: boolean,
): readonly Chunk[] {
  const windows = before.filter(({ from, to }) => from <= range.to && to >= range.from);
  const chunks = [
    ...windows.map(({ from, to }) => ({ from, to, isWindow: true })),
    ...toGaps(range, windows).flatMap((gap) =>
      splitDays(gap, CHUNK_DAYS).map((days) => ({ ...days, isWindow: days.from === days.to })),
    ),
  ].toSorted(byFirstDay);
  return isOldestFirst ? chunks : chunks.toReversed();
}

/**
 * Chunks that follow each other in at most twelve groups of 1, 12, 144 and so on: whatever is left of them in another run, the
 * groups are the same.
 */
export function toGroups(chunks: readonly Chunk[]): readonly (readonly Chunk[])[] {
  let size = 1;
  while (size * CHUNKS_TOGETHER < chunks.length) size *= CHUNKS_TOGETHER;
  const count = Math.ceil(chunks.length / size);
  return Array.from({ length: count }, (_, at) => chunks.slice(at * size, (at + 1) * size));
}

const byFirstDay = (one: Days, other: Days) => (one.from < other.from ? -1 : 1);

/** What is searched for at once of a chunk that has so many records; undefined where that is not known. */
export function toWindows(
  chunk: Chunk,
  records: number | undefined,
  isOldestFirst: boolean,
): readonly Days[] {
  if (chunk.isWindow) return [chunk];
  const windows = records === undefined ? Infinity : Math.ceil(records / WINDOW_RECORDS);
  const days = splitDays(chunk, Math.max(1, Math.floor(countDays(chunk) / windows)));
  return isOldestFirst ? days : days.toReversed();
}
