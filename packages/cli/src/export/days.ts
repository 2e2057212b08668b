// The days of an export: how the service takes a range of them, and which are asked for at once.
import { type CallMediaClient, isCallMediaError } from "@call-media/client";
import { openSearch, type Wanted } from "../search/filters.ts";

/** Both included, in the time zone of the archive. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;

/** As many as are asked for together, to pass over them in one request where they are empty. */
const CHUNK_DAYS = 31;

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** A range in pieces of a month or so, in the order in which an export reads them. */
export function toChunks(days: Days, isOldestFirst: boolean): readonly Days[] {
  return split(days, CHUNK_DAYS, isOldestFirst);
}

export function toSingleDays(days: Days, isOldestFirst: boolean): readonly Days[] {
  return split(days, 1, isOldestFirst);
}

function split({ from, to }: Days, count: number, isOldestFirst: boolean): readonly Days[] {
  const pieces: Days[] = [];
  for (let last = to; last >= from; last = addDays(last, -count)) {
    const first = addDays(last, 1 - count);
    pieces.push({ from: first < from ? from : first, to: last });
  }
  return isOldestFirst ? pieces.toReversed() : pieces;
}

/** What is asked of the service besides the days. */
export interface Asked {
  readonly client: CallMediaClient;
  readonly wanted: Pick<Wanted, "by" | "filter">;
  readonly signal: AbortSignal;
}

/** How many records the service announces for the days; undefined where it does not. */
export async function countRecords(asked: Asked, { from, to }: Days): Promise<number | undefined> {
  const search = openDays(asked, { from, to });
  for await (const _ of search.pages()) break;
  const [window] = search.report.windows;
  if (window?.announced !== undefined) return window.announced;
  return search.report.verdict === "unproved" ? search.report.rows : undefined;
}

export function openDays({ client, wanted, signal }: Asked, { from, to }: Days) {
  return openSearch(client, { ...wanted, startDate: from, endDate: to }, signal);
}

/**
 * Whether the service counts `endDate` in (D06 does), by a record that is there: of its own day alone it is found, or not.
 * As its datetime may be told in another time zone than the archive's, the days around it are asked as well. Undefined
 * where there is no record to tell by, and so none to lose.
 */
export async function findEndDate(
  asked: Asked,
  { from, to }: Days,
): Promise<"included" | "excluded" | undefined> {
  const sample = await findSample(asked, { from, to: addDays(to, 1) });
  if (sample === undefined) return undefined;
  for (const distance of [0, -1, 1]) {
    const day = addDays(sample, distance);
    if ((await findSample(asked, { from: day, to: day })) !== undefined) return "included";
  }
  return "excluded";
}

/** The day of some record of those days, as it is written. */
async function findSample(asked: Asked, days: Days): Promise<string | undefined> {
  try {
    for await (const { records } of openDays(asked, days).pages())
      for (const { datetime } of records) {
        const [day] = /^\d{4}-\d\d-\d\d/.exec(datetime ?? "") ?? [];
        if (day !== undefined && !Number.isNaN(Date.parse(day))) return day;
      }
    return undefined;
  } catch (error) {
    // To such a service a range of one day may be none.
    const isRefusal = isCallMediaError(error, "InvalidRequestError");
    if (isRefusal && days.from === days.to) return undefined;
    throw error;
  }
}
