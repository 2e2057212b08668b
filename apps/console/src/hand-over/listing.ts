// Lists the records of a hand-over by a new search, so that its report proves none is missing, and estimates their size.
import {
  addDays,
  type CallMediaClient,
  type CallRecord,
  toRecordingNames,
} from "@call-media/client";
import { type AskedIds, createCallTally, type Listed, toSelector } from "@call-media/handover";
import type { DayRange } from "../days.ts";
import { openSearch, type Query } from "../search/query.ts";
import { createFilter } from "../search/checking.ts";

/** A record as the service returned it. */
export interface ListedRecord {
  readonly raw: CallRecord;
  /** The number of recordings that it names. */
  readonly parts: number;
}

export interface Listing {
  readonly records: readonly ListedRecord[];
  readonly listed: Listed;
  /** The number of picked calls, and those that the new search did not find; undefined for a complete search. */
  readonly ids: AskedIds | undefined;
  readonly calls: number;
  /** Recordings of all records. */
  readonly recordings: number;
  /** The bytes of those recordings that announce their length. */
  readonly bytes: number;
}

/** A search, or calls picked from one. */
export interface Selection {
  readonly query: Query;
  readonly picked: readonly CallRecord[];
}

// If the archive changes during reading, the listing is read again.
const MOST_READINGS = 3;
const AT_ONCE = 6;

/** The days of the picked calls and one more on each side: the service may count a call to the day before or after (D03). */
export function toRange({ query: { range }, picked }: Selection): DayRange {
  const days = picked.map(({ datetime }) => (datetime ?? "").slice(0, 10)).toSorted();
  const [first = "", last = ""] = [days[0], days.at(-1)];
  if (!/^\d{4}-\d\d-\d\d$/.test(first) || !/^\d{4}-\d\d-\d\d$/.test(last)) return range;
  const [from, to] = [addDays(first, -1), addDays(last, 1)];
  return {
    startDate: from > range.startDate ? from : range.startDate,
    endDate: to < range.endDate ? to : range.endDate,
  };
}

/** Picked records become calls with all legs, found by identifier. The values are the identifiers as people know them. */
function toIdentifiers(picked: readonly CallRecord[]): Map<string, string> {
  return new Map(
    picked.map((record) => [toIdentifier(record), record.call_id || record.ref_id || ""]),
  );
}

const toIdentifier = (record: CallRecord): string => JSON.stringify(toSelector(record)) ?? "";

interface ListingOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number | undefined) => void;
}

/** @throws CallMediaError */
export async function listRecords(
  client: CallMediaClient,
  selection: Selection,
  options: ListingOptions,
): Promise<Listing> {
  for (let reading = 1; ; reading++) {
    const listing = await readOnce(client, selection, options);
    if (listing.listed.verdict !== "drifted" || reading === MOST_READINGS) return listing;
  }
}

async function readOnce(
  client: CallMediaClient,
  selection: Selection,
  { signal, onProgress }: ListingOptions,
): Promise<Listing> {
  const { query, picked } = selection;
  const range = toRange(selection);
  const { filter } = createFilter(client, query.conditions, signal);
  const identifiers = toIdentifiers(picked);
  const missing = new Map(identifiers);
  const isWanted = (record: CallRecord) =>
    identifiers.size === 0 || identifiers.has(toIdentifier(record));
  const search = await openSearch(client, { ...query, range }, signal);
  const records: ListedRecord[] = [];
  const tally = createCallTally();
  let [excluded, recordings] = [0, 0];
  for await (const page of search.pages()) {
    const found = await filter(page.records.filter(isWanted));
    excluded += page.records.length - found.length;
    for (const raw of found) {
      const parts = toRecordingNames(raw.recordings).length;
      records.push({ raw, parts });
      tally.add(raw);
      recordings += parts;
      missing.delete(toIdentifier(raw));
    }
    onProgress(search.report.rows, search.report.windows[0]?.announced);
  }
  const { rows: came, duplicates, verdict, windows } = search.report;
  const listed: Listed = {
    from: range.startDate,
    to: range.endDate,
    round: 0,
    announced: windows[0]?.announced ?? null,
    came,
    duplicates,
    known: 0,
    gone: 0,
    superseded: 0,
    excluded,
    rows: records.length,
    verdict: verdict === "unfinished" ? "drifted" : verdict,
    asOf: new Date().toISOString(),
  };
  const ids =
    picked.length === 0 ? undefined : { asked: identifiers.size, missing: [...missing.values()] };
  return { records, listed, ids, calls: tally.calls() ?? tally.legs(), recordings, bytes: 0 };
}

/** Sums the bytes of the recordings by HEAD requests, which the access log does not count as listening. */
export async function weigh(
  client: CallMediaClient,
  { records }: Listing,
  { signal, onProgress }: ListingOptions,
): Promise<number> {
  const heard = records.filter(({ parts }) => parts > 0);
  let [next, done, bytes] = [0, 0, 0];
  const work = async () => {
    for (let one; (one = heard[next++]) !== undefined; onProgress(++done, heard.length)) {
      signal.throwIfAborted();
      // Missing files are detected and reported when they are read.
      const own = await client.recordings.of(one.raw, { signal }).catch(() => []);
      for (const recording of own) bytes += recording.bytes ?? 0;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  signal.throwIfAborted();
  return bytes;
}
