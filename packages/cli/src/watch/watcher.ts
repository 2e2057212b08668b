// Looks for calls that were not there before, in as few requests as that can be known by.
import type { CallRecord, CallSearch, SearchReport } from "@call-media/client";
import type { Cursor } from "./cursor-file.ts";
import { createMemory, type Memory, toKey } from "./memory.ts";

/** A call may be entered so many days after it was. Friday's are, on Monday. */
const OVERLAP_DAYS = 3;

/** It is tomorrow somewhere (UTC+14), and a service may leave out the last day of a range (D06). */
const DAYS_AHEAD = 2;

/** Records that are put in order before they are printed. */
const BATCH = 1000;

/** How long it may be until all are read again, lest a late one be missed. A service that says how many there are tells. */
const WHOLE_EVERY_MS = { complete: Infinity, unproved: 3_600_000, drifted: 60_000, unfinished: 0 };

/** To keep is to write all digests. */
const KEEP_EVERY_MS = 1000;

const DAY_MS = 86_400_000;

export interface WatchPlan {
  readonly open: (days: { readonly startDate: string; readonly endDate: string }) => CallSearch;
  /** New calls, the oldest first. */
  readonly print: (records: readonly CallRecord[]) => Promise<void>;
  /** Is told what was printed once it was. */
  readonly keep: (cursor: Cursor) => Promise<void>;
  readonly onPage: (report: SearchReport) => void;
  /** Whether a search gives the newest call first (D09). */
  readonly isNewestFirst: boolean;
  /** Where to go on; without it what is there at the first look is not new. */
  readonly cursor: Cursor | undefined;
}

export interface Watcher {
  /** @throws the errors of the client; what was printed by then is not printed again. */
  readonly look: () => Promise<void>;
  /** How many calls of the days that are looked at were met. */
  readonly size: number;
  /** The first day that is looked at. */
  readonly from: string;
}

export function createWatcher(watched: WatchPlan): Watcher {
  const { open, print, keep, onPage, isNewestFirst, cursor } = watched;
  let from = cursor?.from ?? toDayFromNow(-OVERLAP_DAYS);
  let memory = createMemory(cursor?.calls);
  let isSilent = cursor === undefined;
  /** What became of reading all. */
  let verdict: SearchReport["verdict"] = "unfinished";
  let wholeAtMs = 0;
  let [isKept, keptAtMs] = [true, 0];

  async function look(): Promise<void> {
    const overlap = toDayFromNow(-OVERLAP_DAYS);
    const isSettled = verdict === "complete" || verdict === "unproved";
    const startDate = isSettled && overlap > from ? overlap : from;
    const isDue = Date.now() - wholeAtMs >= WHOLE_EVERY_MS[verdict];
    const search = open({ startDate, endDate: toDayFromNow(DAYS_AHEAD) });
    const met = createMemory();
    try {
      if (await read(search, met, isDue || startDate !== from)) settle(search, met, startDate);
    } catch (error) {
      // Without a count a page that is known would pass for the end of what is new.
      if (verdict !== "complete") verdict = "unfinished";
      throw error;
    } finally {
      // Whatever broke off, what was printed was printed.
      if (!isKept) await keepNow();
    }
  }

  /** After all was read: what is gone is forgotten, and the window may move on. */
  function settle({ report }: CallSearch, met: Memory, startDate: string): void {
    ({ verdict } = report);
    // Without an announcement records that came twice say only that others came meanwhile.
    if (report.windows[0]?.announced === undefined) verdict = "unproved";
    if (verdict !== "drifted") [memory, from] = [met, startDate];
    [wholeAtMs, isSilent, isKept] = [Date.now(), false, false];
  }

  /** @returns whether all was read, or only as much as tells that the rest is known. */
  async function read(search: CallSearch, met: Memory, mustReadAll: boolean): Promise<boolean> {
    let waiting: CallRecord[] = [];
    for await (const { records } of search.pages()) {
      onPage(search.report);
      const fresh = records.filter((record) => isNew(record, met));
      waiting.push(...fresh);
      const isKnown =
        verdict === "complete"
          ? search.report.windows[0]?.announced === memory.size + waiting.length
          : isNewestFirst && fresh.length === 0;
      const isEnd = isKnown && !mustReadAll;
      if (isEnd || waiting.length >= BATCH) waiting = await give(waiting);
      if (isEnd) return false;
    }
    await give(waiting);
    return true;
  }

  function isNew(record: CallRecord, met: Memory): boolean {
    const key = toKey(record);
    met.add(key);
    return met.count(key) > memory.count(key);
  }

  async function give(records: readonly CallRecord[]): Promise<[]> {
    if (!isSilent && records.length > 0) {
      await print(isNewestFirst ? records.toReversed() : records);
      isKept = false;
    }
    for (const record of records) memory.add(toKey(record));
    if (!isKept && Date.now() - keptAtMs > KEEP_EVERY_MS) await keepNow();
    return [];
  }

  async function keepNow(): Promise<void> {
    await keep({ from, calls: memory.list() });
    [isKept, keptAtMs] = [true, Date.now()];
  }

  return {
    look,
    get size() {
      return memory.size;
    },
    get from() {
      return from;
    },
  };
}

/** In UTC. */
function toDayFromNow(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
