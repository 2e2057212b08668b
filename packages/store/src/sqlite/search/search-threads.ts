// Searches in threads: the queue, the time limit, and the end of a search whose thread dies.
import { type CallPage, type CallSearch, StoreFault } from "../../port/index.ts";
import { toDayRange } from "../../values/instant.ts";
import type { RecordForm } from "../call-row.ts";
import type { FoundPage, RangeSearch } from "./call-search.ts";
import { createJobThread, type JobThread, ThreadEnded, toModule } from "../job-thread.ts";
import { PAGE_SIZE } from "../../values/page-size.ts";

export interface SearchedArchive {
  readonly directory: string;
  readonly timeZone: string;
  readonly form: RecordForm;
}

export interface SearchThreads {
  /** Throws `StoreFault`, and SQLite's errors. */
  readonly search: (search: CallSearch) => Promise<CallPage>;
  /** Resolves when the threads have ended. Searches under way are done before, those that wait are refused. */
  close(): Promise<void>;
}

// A slow search then leaves the other thread for the quick ones. Turning their pages into responses fills one core.
const THREADS = 2;

/** Further ones are refused: at some milliseconds a search, those before them take about a second. */
export const MAX_WAITING_SEARCHES = 200;

/**
 * From when a search is asked for to its answer, its wait included. With five million calls, filters that match every
 * call take some tenths of a second at most. Longer than the limit may take rights that list tens of thousands of
 * values in several fields, the first time, and a disk that fails.
 */
export const SEARCH_LIMIT_MS = 10_000;

type SearchThread = JobThread<RangeSearch, FoundPage>;

interface Turn extends PromiseWithResolvers<FoundPage> {
  readonly search: RangeSearch;
  /** Once it is this search's turn. */
  thread?: SearchThread;
}

const THREAD = toModule("search-thread", import.meta.url);

export function createSearchThreads(
  { directory, timeZone, form }: SearchedArchive,
  limitMs = SEARCH_LIMIT_MS,
): SearchThreads {
  const threads = Array.from({ length: THREADS }, () =>
    createJobThread<RangeSearch, FoundPage>(THREAD, directory),
  );
  const turns = createTurns(threads);
  let isClosed = false;

  // A thread is stopped between two statements, none of which reads more than a block of the index or a page of rows.
  // So it ends immediately, unless the disk hangs, and the next search starts another.
  const giveUp = (turn: Turn) => {
    turn.reject(turns.remove(turn) ? tooMany() : toTooSlow(limitMs, turn.search));
    void turn.thread?.stop();
  };
  const ask = async (search: RangeSearch): Promise<FoundPage> => {
    if (isClosed) throw closed();
    if (turns.countWaiting() >= MAX_WAITING_SEARCHES) throw tooMany();
    const turn: Turn = { search, ...Promise.withResolvers<FoundPage>() };
    const timer = setTimeout(giveUp, limitMs, turn);
    turns.add(turn);
    try {
      return await turn.promise;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    search: async ({ startDate, endDate, ...search }) => {
      const found = await ask({ ...search, ...toDayRange(startDate, endDate, timeZone) });
      const { rows, ...page } = found;
      return { ...page, records: form.toRecords(rows), pageSize: PAGE_SIZE };
    },
    close: async () => {
      isClosed = true;
      turns.refuse(closed);
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** Gives each search a thread, the first that came first. */
function createTurns(threads: readonly SearchThread[]) {
  const idle = [...threads];
  const waiting: Turn[] = [];
  const serveNext = () => {
    if (idle.length === 0) return;
    const turn = waiting.shift();
    const thread = turn && idle.pop();
    if (turn && thread) void serve(thread, turn);
  };
  const serve = async (thread: SearchThread, turn: Turn): Promise<void> => {
    turn.thread = thread;
    try {
      turn.resolve(await thread.run(turn.search));
    } catch (error) {
      turn.reject(toSearchError(error));
    }
    idle.push(thread);
    serveNext();
  };

  return {
    add: (turn: Turn): void => {
      waiting.push(turn);
      serveNext();
    },
    /** True if it was still waiting. */
    remove: (turn: Turn): boolean => {
      const place = waiting.indexOf(turn);
      if (place !== -1) waiting.splice(place, 1);
      return place !== -1;
    },
    countWaiting: () => waiting.length,
    /** Searches that wait. */
    refuse: (toRefusal: () => StoreFault): void => {
      for (const turn of waiting.splice(0)) turn.reject(toRefusal());
    },
  };
}

/** Missing rows of a damaged index are `IndexDamaged`; changed bytes make impossible arrays. A search by words reads records. */
const OF_DAMAGE: ReadonlySet<string> = new Set(["IndexDamaged", "RangeError", "StoreFault"]);

function toSearchError(error: unknown): unknown {
  if (error instanceof ThreadEnded) return toCut(error);
  const isOfDamage = error instanceof Error && OF_DAMAGE.has(error.name);
  return isOfDamage
    ? new StoreFault("damaged", "the search index or a record is damaged", { cause: error })
    : error;
}

const closed = () => new StoreFault("busy", "The archive is closed");
const tooMany = () => new StoreFault("busy", "Too many searches are waiting; try again later");
const toCut = (cause: Error) =>
  new StoreFault("busy", "The search was cut short; try again", { cause });
const toTooSlow = (limitMs: number, { words }: RangeSearch) =>
  new StoreFault(
    "busy",
    `The search took longer than ${limitMs / 1_000} seconds; narrow its days${words ? ", its words" : ""} or its filter`,
  );
