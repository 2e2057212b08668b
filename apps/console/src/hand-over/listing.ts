// Lists the records of a hand-over by a new search, so that its report proves none is missing, and asks which recordings are there.
import {
  type CallMediaClient,
  type CallRecord,
  type SearchReport,
  toRecordingNames,
} from "@call-media/client";
import {
  type AskedIds,
  type CallSelector,
  createCallTally,
  createRedaction,
  type FetchFailure,
  findRecording,
  type Listed,
  toFetchFailure,
  toSelector,
  type Unrecorded,
} from "@call-media/handover";
import { createFilter } from "../search/checking.ts";
import { listKept } from "../search/command.ts";
import { noteZone, openSearch, type Query } from "../search/query.ts";

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
  /** The calls that were left out by hand, and their legs that the search found. */
  readonly leftOut: { readonly calls: readonly string[]; readonly legs: number };
  readonly calls: number;
  /** Calls without a recording, by the reason. */
  readonly unrecorded: Unrecorded;
  /** Recordings of all records. */
  readonly recordings: number;
}

/** The facts about the recordings that the archive gives before they are read. */
export interface Weighed {
  /** The number of recordings that exist. */
  readonly count: number;
  /** The sum over the recordings that announce their length. */
  readonly bytes: number;
  readonly lacking: readonly Lacking[];
}

/** A recording that will not come. */
export interface Lacking extends FetchFailure {
  readonly record: CallRecord;
}

/** A search, or calls picked from one, without those that were left out by hand. */
export interface Selection {
  readonly query: Query;
  readonly picked: readonly CallSelector[];
  readonly without: readonly CallSelector[];
}

// If the archive changes during reading, the listing is read again.
const MOST_READINGS = 3;
const AT_ONCE = 6;

/** The calls, with the identifiers as people know them. */
const toIdentifiers = (calls: readonly CallSelector[]): Map<string, string> =>
  new Map(calls.map((one) => [toKey(one), one.call_id ?? one.ref_id]));

const toKey = (selector: CallSelector | undefined): string => JSON.stringify(selector) ?? "";

const toIdentifier = (record: CallRecord): string => toKey(toSelector(record));

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
  const { query, picked, without } = selection;
  const { range } = query;
  const { filter } = createFilter(client, query.conditions, signal);
  const [picks, out] = [toIdentifiers(picked), toIdentifiers(without)];
  const kept = toIdentifiers(listKept(selection));
  const missing = new Map(kept);
  const isPicked = (record: CallRecord) => picks.size === 0 || picks.has(toIdentifier(record));
  const search = await openSearch(client, query, signal);
  const records: ListedRecord[] = [];
  const tally = createCallTally();
  let [excluded, outLegs, recordings] = [0, 0, 0];
  for await (const page of search.pages()) {
    noteZone(page.response);
    const matching = await filter(page.records.filter(isPicked));
    const found = matching.filter((record) => !out.has(toIdentifier(record)));
    outLegs += matching.length - found.length;
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
  const listed = toListed(search.report, range, { excluded, rows: records.length });
  const ids =
    picked.length === 0 ? undefined : { asked: kept.size, missing: [...missing.values()] };
  const leftOut = { calls: [...out.values()], legs: outLegs };
  const unrecorded = tally.unrecorded() ?? { written: 0, unanswered: 0, others: 0 };
  return {
    records,
    listed,
    ids,
    leftOut,
    calls: tally.calls() ?? tally.legs(),
    unrecorded,
    recordings,
  };
}

function toListed(
  { rows: came, duplicates, verdict, windows }: SearchReport,
  { startDate: from, endDate: to }: Query["range"],
  counted: Pick<Listed, "excluded" | "rows">,
): Listed {
  return {
    from,
    to,
    round: 0,
    announced: windows[0]?.announced ?? null,
    came,
    duplicates,
    known: 0,
    gone: 0,
    superseded: 0,
    ...counted,
    verdict: verdict === "unfinished" ? "drifted" : verdict,
    asOf: new Date().toISOString(),
  };
}

/**
 * Asks for each recording as the hand-over will, but by HEAD requests, which the access log does not count as listening.
 *
 * @throws errors that concern more than one recording: an expired sign-in, an abort.
 */
export async function weigh(
  client: CallMediaClient,
  { records }: Listing,
  { signal, onProgress }: ListingOptions,
): Promise<Weighed> {
  const redaction = createRedaction([]);
  const wanted = records.flatMap(({ raw, parts }) =>
    Array.from({ length: parts }, (_, index) => ({ record: raw, number: index + 1 })),
  );
  const lacking: Lacking[] = [];
  let [next, done, count, bytes] = [0, 0, 0, 0];
  const ask = async (one: (typeof wanted)[number]) => {
    try {
      const own = await findRecording({ client, signal, redaction }, one);
      bytes += (await client.recordings.describe({ ...own, signal })).bytes ?? 0;
      count++;
    } catch (error) {
      const failure = toFetchFailure(error, redaction);
      // The rest of a name is not a recording.
      if (failure.status !== "none") lacking.push({ record: one.record, ...failure });
    }
  };
  const work = async () => {
    for (let one; (one = wanted[next++]) !== undefined; onProgress(++done, wanted.length)) {
      signal.throwIfAborted();
      await ask(one);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  signal.throwIfAborted();
  return { count, bytes, lacking };
}
