// The calls that a watch knows, the printing of those that it does not, and the keeping of that.
import type { CallRecord } from "@call-media/client";
import type { Cursor } from "./cursor-file.ts";
import { createMemory, type Memory, toKey } from "./memory.ts";

/** To keep is to write all digests. */
const KEEP_EVERY_MS = 1000;

/** What becomes of new calls. */
export interface Telling {
  /** New calls, the oldest first. */
  readonly print: (records: readonly CallRecord[]) => Promise<void>;
  /** Is told what was printed once it was. */
  readonly keep: (cursor: Cursor) => Promise<void>;
  /** Whether a search gives the newest call first (D09). */
  readonly isNewestFirst: boolean;
}

/** All that was read. */
interface Settled {
  readonly met: Memory;
  /** The first day that was looked at. */
  readonly startDate: string;
}

/** `begun`: where to go on, or the first day; then nothing is printed until all was read. */
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
    /** Tells which records of a page are not known, and adds all to `met`: `again` are those like one of a page before. */
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
    /** After all was read: what is gone is forgotten, and the window moves on, unless the archive changed meanwhile. */
    settle(settled: Settled | undefined): void {
      if (settled !== undefined) [memory, from] = [settled.met, settled.startDate];
      [isSilent, isKept] = [false, false];
    },
  };
}
