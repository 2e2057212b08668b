// The days of an export, and how the service takes a range of them.
import { type CallMediaClient, isCallMediaError } from "@call-media/client";
import { openSearch, type Wanted } from "../../search/wanted.ts";

import { addDays, type Days } from "@call-media/handover";

/** No day after it can be asked for (D06). */
const LAST_DAY = "9999-12-31";

/** From the first day of all of them to the last. */
export function toSpan(ranges: readonly Days[]): Days {
  const [from = ""] = ranges.map((range) => range.from).toSorted();
  const [to = ""] = ranges
    .map((range) => range.to)
    .toSorted()
    .toReversed();
  return { from, to };
}

/** A range in pieces of so many days, the first one perhaps shorter; the earliest first. */
export function splitDays({ from, to }: Days, count: number): readonly Days[] {
  const pieces: Days[] = [];
  for (let last = to; last >= from; last = addDays(last, -count)) {
    const first = addDays(last, 1 - count);
    pieces.push({ from: first < from ? from : first, to: last });
  }
  return pieces.toReversed();
}

/** What is asked of the service besides the days. */
export interface Asked {
  readonly client: CallMediaClient;
  readonly wanted: Pick<Wanted, "by" | "filter">;
  readonly signal: AbortSignal;
}

/** How many records the days have: as the service announces it, else undefined, unless they are few. */
export async function countRecords(asked: Asked, { from, to }: Days): Promise<number | undefined> {
  const search = openDays(asked, { from, to });
  let pages = 0;
  for await (const _ of search.pages())
    if (search.report.windows[0]?.announced !== undefined || ++pages === FEW_PAGES) break;
  const { windows, verdict, rows } = search.report;
  return windows[0]?.announced ?? (verdict === "unproved" ? rows : undefined);
}

/** So many are read to see whether they are all. */
const FEW_PAGES = 2;

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
  const sample = await findSample(asked, { from, to: to === LAST_DAY ? to : addDays(to, 1) });
  if (sample === undefined) return undefined;
  for (const distance of [0, -1, 1]) {
    const day = addDays(sample, distance);
    if ((await findSample(asked, { from: day, to: day })) !== undefined) return "included";
  }
  return "excluded";
}

/** The headers of a search of those days, of its first page. */
export async function readSearchHeaders(asked: Asked, days: Days): Promise<Headers | undefined> {
  for await (const { response } of openDays(asked, days).pages()) return response.headers;
  return undefined;
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
