// Compares calls with those that a watch has seen, prints new ones, and stores the state.
import type { CallRecord } from "@call-media/client";
import type { Cursor } from "./cursor-file.ts";
import { createMemory, type Memory, toKey } from "./memory.ts";

/** Each write contains all digests. */
const KEEP_EVERY_MS = 1000;

export interface Telling {
  /** New calls, the oldest first. */
  readonly print: (records: readonly CallRecord[]) => Promise<void>;
  /** Called with the state after records were printed. */
  readonly keep: (cursor: Cursor) => Promise<void>;
  /** True if searches return the newest call first (D09). */
  readonly isNewestFirst: boolean;
}

/** The result of a complete search. */
interface Settled {
  readonly met: Memory;
  /** The first day of the search. */
  readonly startDate: string;
}

/** `begun`: the state to continue from, or the first day. With a day, nothing is printed until a search is complete. */
export function createKnown({ print, keep, isNewestFirst }: Telling, begun: Cursor | string) {
  const isNewWatch = typeof begun === "string";
  let from = isNewWatch ? begun : begun.from;
  let memory = createMemory(isNewWatch ? [] : begun.calls);
  let isSilent = isNewWatch;
  let [isKept, keptAtMs] = [true, 0];

  async function keepNow(): Promise<void> {
    if (isKept) return;
    await keep({ from, calls: memory.list() });
    [isKept, keptAtMs] = [true, Date.now()];
  }

  return {
    get size() {
      return memory.size;
    },
    get from() {
      return from;
    },
    keep: keepNow,
    /** Returns the unknown records of a page, and adds all to `met`. `again`: those equal to one of an earlier page. */
    compare(records: readonly CallRecord[], met: Memory) {
      const [fresh, again]: [CallRecord[], CallRecord[]] = [[], []];
      const page = createMemory();
      for (const record of records) {
        const key = toKey(record);
        page.add(key);
        if (met.count(key) + page.count(key) <= memory.count(key)) continue;
        (met.count(key) === 0 ? fresh : again).push(record);
      }
      for (const key of page.list()) met.add(key);
      return { fresh, again };
    },
    async give(records: readonly CallRecord[]): Promise<void> {
      if (!isSilent && records.length > 0) {
        await print(isNewestFirst ? records.toReversed() : records);
        isKept = false;
      }
      for (const record of records) memory.add(toKey(record));
      if (Date.now() - keptAtMs > KEEP_EVERY_MS) await keepNow();
    },
    /** After a complete search: forgets removed calls and moves the window, unless the archive changed meanwhile. */
    settle(settled: Settled | undefined): void {
      if (settled !== undefined) [memory, from] = [settled.met, settled.startDate];
      [isSilent, isKept] = [false, false];
    },
  };
}
