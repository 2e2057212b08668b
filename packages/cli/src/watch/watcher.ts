// Looks for calls that were not there before, in as few requests as that can be known by.
import type { CallRecord, CallSearch, SearchReport } from "@call-media/client";
import { toDayOf } from "../search/day.ts";
import type { Cursor } from "./cursor-file.ts";
import { createKnown, type Telling } from "./known.ts";
import { createMemory, type Memory } from "./memory.ts";

/** A call may be entered so many days after it was. Friday's are, on Monday. */
const OVERLAP_DAYS = 3;

/** It is tomorrow somewhere (UTC+14), and a service may leave out the last day of a range (D06). */
const DAYS_AHEAD = 2;

/** Records that are put in order before they are printed. */
const BATCH = 1000;

/** How long it may be until all are read again, lest a late one be missed. A service that says how many there are tells. */
const WHOLE_EVERY_MS = { complete: Infinity, unproved: 3_600_000, drifted: 60_000, unfinished: 0 };

const DAY_MS = 86_400_000;

export interface WatchPlan extends Telling {
  readonly open: (days: { readonly startDate: string; readonly endDate: string }) => CallSearch;
  readonly onPage: (report: SearchReport) => void;
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

interface Reading {
  readonly search: CallSearch;
  readonly met: Memory;
  /** New, unless it is one of an earlier page that was changed and moved meanwhile. */
  readonly again: CallRecord[];
}

export function createWatcher(watched: WatchPlan): Watcher {
  const { open, onPage, isNewestFirst, cursor } = watched;
  const known = createKnown(watched, cursor ?? toDayFromNow(-OVERLAP_DAYS));
  const whole = createWholeReading();

  async function look(): Promise<void> {
    const overlap = toDayFromNow(-OVERLAP_DAYS);
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
      // Whatever broke off, what was printed was printed.
      await known.keep();
    }
  }

  /** @returns whether all was read, or only as much as tells that the rest is known. */
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
    // Also where a call was changed and came twice: then there is one more than were announced.
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

/** When all was read last, and what that proved. */
function createWholeReading() {
  let verdict: SearchReport["verdict"] = "unfinished";
  let atMs = 0;
  return {
    isSettled: () => verdict === "complete" || verdict === "unproved",
    /** Whether the service said how many there are, and so many came. */
    isCounted: () => verdict === "complete",
    isDue: () => Date.now() - atMs >= WHOLE_EVERY_MS[verdict],
    end({ report }: CallSearch) {
      // Without an announcement records that came twice say only that others came meanwhile.
      verdict = report.windows[0]?.announced === undefined ? "unproved" : report.verdict;
      atMs = Date.now();
      return verdict;
    },
    breakOff() {
      // Without a count a page that is known would pass for the end of what is new.
      if (verdict !== "complete") verdict = "unfinished";
    },
  };
}

/** The last day that is looked at, now. */
export const toLastDay = () => toDayFromNow(DAYS_AHEAD);

/** In UTC. */
function toDayFromNow(days: number): string {
  return toDayOf(Date.now() + days * DAY_MS);
}
