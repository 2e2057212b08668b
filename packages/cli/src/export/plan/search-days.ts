// Searches for days, and how a service interprets their last day.
import { addDays, isCallMediaError } from "@call-media/client";
import type { Days } from "@call-media/handover";
import type { Connection } from "../../access/connect.ts";
import { openSearch, type Wanted } from "../../search/wanted.ts";

/** No search can end after it (D06). */
const LAST_DAY = "9999-12-31";

/** The range from the first day of all ranges to the last. */
export function toSpan(ranges: readonly Days[]): Days {
  const [from = ""] = ranges.map((range) => range.from).toSorted();
  const to =
    ranges
      .map((range) => range.to)
      .toSorted()
      .at(-1) ?? "";
  return { from, to };
}

/** Ranges of `count` days, the earliest first. The first may be shorter. */
export function splitDays({ from, to }: Days, count: number): readonly Days[] {
  const ranges: Days[] = [];
  for (let last = to; last >= from; last = addDays(last, -count)) {
    const first = addDays(last, 1 - count);
    ranges.push({ from: first < from ? from : first, to: last });
  }
  return ranges.toReversed();
}

/** The search without its days. */
export interface SearchContext extends Pick<Connection, "client" | "archiveZone"> {
  readonly wanted: Pick<Wanted, "by" | "filter" | "words" | "condition">;
  readonly signal: AbortSignal;
}

export const openDays = ({ client, wanted, signal }: SearchContext, { from, to }: Days) =>
  openSearch(client, { ...wanted, startDate: from, endDate: to }, signal);

/** Maximum number of pages to read to count records that the service does not announce. */
const FEW_PAGES = 2;

/** The number of records that the service announces. If it announces none, a count of the records if they are few, or else undefined. */
export async function countRecords(
  context: SearchContext,
  days: Days,
): Promise<number | undefined> {
  const search = openDays(context, days);
  let pages = 0;
  for await (const _ of search.pages())
    if (search.report.windows[0]?.announced !== undefined || ++pages === FEW_PAGES) break;
  const { windows, verdict, rows } = search.report;
  return windows[0]?.announced ?? (verdict === "unproved" ? rows : undefined);
}

/** The archive's zone, from the first page of a search. */
export async function findArchiveZone(
  context: SearchContext,
  days: Days,
): Promise<string | undefined> {
  for await (const _ of openDays(context, days).pages()) break;
  return context.archiveZone();
}

/**
 * Determines whether the service includes `endDate` (D06 does), by searching for the single day of a record. The record may have another
 * time zone than the archive, so the days before and after are searched too. Undefined without any record.
 */
export async function findEndDate(
  context: SearchContext,
  { from, to }: Days,
): Promise<"included" | "excluded" | undefined> {
  const sample = await findSample(context, { from, to: to === LAST_DAY ? to : addDays(to, 1) });
  if (sample === undefined) return undefined;
  for (const distance of [0, -1, 1]) {
    const day = addDays(sample, distance);
    if ((await findSample(context, { from: day, to: day })) !== undefined) return "included";
  }
  return "excluded";
}

/** The day of a record, as written in its datetime. */
async function findSample(context: SearchContext, days: Days): Promise<string | undefined> {
  try {
    for await (const { records } of openDays(context, days).pages())
      for (const { datetime } of records) {
        const [day] = /^\d{4}-\d\d-\d\d/.exec(datetime ?? "") ?? [];
        if (day !== undefined && !Number.isNaN(Date.parse(day))) return day;
      }
    return undefined;
  } catch (error) {
    // A service that excludes `endDate` may reject a range of one day.
    const isRejected = isCallMediaError(error, "InvalidRequestError");
    if (isRejected && days.from === days.to) return undefined;
    throw error;
  }
}
