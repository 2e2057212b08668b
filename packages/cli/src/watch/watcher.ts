// Finds new calls with as few requests as possible.
import { type CallRecord, type CallSearch, daysAgo, type SearchReport } from "@call-media/client";
import type { Cursor } from "./cursor-file.ts";
import { createKnown, type Telling } from "./known.ts";
import { createMemory, type Memory } from "./memory.ts";

/** Calls may be entered three days late: those of Friday on Monday. */
const OVERLAP_DAYS = 3;

/** One day for UTC+14, and one for services that leave out the last day of a range (D06). */
const DAYS_AHEAD = 2;

/** Number of records that are sorted and printed together. */
const BATCH = 1000;

/** Interval of complete searches, which find late calls. A service that announces the number of records needs none. */
const WHOLE_EVERY_MS = { complete: Infinity, unproved: 3_600_000, drifted: 60_000, unfinished: 0 };

export interface WatchPlan extends Telling {
  readonly open: (days: { readonly startDate: string; readonly endDate: string }) => CallSearch;
  readonly onPage: (report: SearchReport) => void;
  /** The state to continue from. Without it, calls that exist at the start are not new. */
  readonly cursor: Cursor | undefined;
}

export interface Watcher {
  /** @throws the errors of the client. Printed calls are not printed again. */
  readonly look: () => Promise<void>;
  /** Number of calls seen in the days of the search. */
  readonly size: number;
  /** The first day of the search. */
  readonly from: string;
}

interface Reading {
  readonly search: CallSearch;
  readonly met: Memory;
  /** New calls, or calls of an earlier page that changed and moved meanwhile. */
  readonly again: CallRecord[];
}

export function createWatcher(watched: WatchPlan): Watcher {
  const { open, onPage, isNewestFirst, cursor } = watched;
  const known = createKnown(watched, cursor ?? daysAgo(OVERLAP_DAYS, "UTC"));
  const whole = createWholeReading();

  async function look(): Promise<void> {
    const overlap = daysAgo(OVERLAP_DAYS, "UTC");
    const startDate = whole.isSettled() && overlap > known.from ? overlap : known.from;
    const mustReadAll = whole.isDue() || startDate !== known.from;
    const search = open({ startDate, endDate: toLastDay() });
    const reading = { search, met: createMemory(), again: [] };
    try {
      if (await read(reading, mustReadAll)) await end(reading, startDate);
    } catch (error) {
      whole.breakOff();
      throw error;
    } finally {
      // After an error too, because some calls may be printed already.
      await known.keep();
    }
  }

  /** Returns true if all pages were read, false if the rest was known. */
  async function read({ search, met, again }: Reading, mustReadAll: boolean): Promise<boolean> {
    let waiting: CallRecord[] = [];
    for await (const { records } of search.pages()) {
      onPage(search.report);
      const page = known.compare(records, met);
      waiting.push(...page.fresh);
      again.push(...page.again);
      const isKnown = whole.isCounted()
        ? search.report.windows[0]?.announced === known.size + waiting.length
        : isNewestFirst && page.fresh.length + page.again.length === 0;
      const isEnd = isKnown && !mustReadAll;
      if (isEnd || waiting.length >= BATCH) {
        await known.give(waiting);
        waiting = [];
      }
      if (isEnd) return false;
    }
    await known.give(waiting);
    return true;
  }

  async function end({ search, met, again }: Reading, startDate: string): Promise<void> {
    // A call that changed meanwhile may arrive twice. In this case, one more arrives than was announced.
    if (whole.end(search) === "drifted") return known.settle(undefined);
    await known.give(again);
    known.settle({ met, startDate });
  }

  return {
    look,
    get size() {
      return known.size;
    },
    get from() {
      return known.from;
    },
  };
}

/** Time and verdict of the latest complete search. */
function createWholeReading() {
  let verdict: SearchReport["verdict"] = "unfinished";
  let atMs = 0;
  return {
    isSettled: () => verdict === "complete" || verdict === "unproved",
    /** True if the announced number of records arrived. */
    isCounted: () => verdict === "complete",
    isDue: () => Date.now() - atMs >= WHOLE_EVERY_MS[verdict],
    end({ report }: CallSearch) {
      // Without an announced number, duplicates only mean that new records arrived meanwhile.
      verdict = report.windows[0]?.announced === undefined ? "unproved" : report.verdict;
      atMs = Date.now();
      return verdict;
    },
    breakOff() {
      // Without a count, a known page would look like the end of the new calls.
      if (verdict !== "complete") verdict = "unfinished";
    },
  };
}

/** The last day of a search that begins now. */
export const toLastDay = () => daysAgo(-DAYS_AHEAD, "UTC");
