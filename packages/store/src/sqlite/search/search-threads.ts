// Searches in threads: the queue, the time limit, and the result of a search whose thread ends.
import { type CallPage, type CallSearch, StoreFault } from "../../port/index.ts";
import { toDayRange } from "../../values/instant.ts";
import type { RecordForm } from "../call-row.ts";
import type { FoundPage, RangeSearch } from "./call-search.ts";
import { createJobThread, type JobThread, ThreadEnded, toModule } from "../job-thread.ts";
import { PAGE_SIZE } from "../../values/page-size.ts";
import { BeginningTooBroad } from "../../values/beginnings.ts";
import { notWritten } from "../../values/damaged-records.ts";
import { createTurns } from "../../values/turns.ts";
import { createAccessFilters } from "../../values/visibility.ts";

export interface SearchedArchive {
  readonly directory: string;
  readonly timeZone: string;
  readonly form: RecordForm;
}

export interface SearchThreads {
  /** Throws `StoreFault`, and SQLite's errors. */
  readonly search: (search: CallSearch) => Promise<CallPage>;
  /** Resolves when the threads have ended. Running searches complete first; waiting ones are rejected. */
  close(): Promise<void>;
}

// With two threads, a slow search leaves the other to the fast ones. Turning their pages into responses occupies one core.
const THREADS = 2;

/** Beyond this number one search is rejected. At some milliseconds a search, the others take about a second. */
export const MAX_WAITING_SEARCHES = 200;

/**
 * The limit from request to result, waiting time included. With five million calls, filters that match every
 * call take at most some tenths of a second. It may be exceeded by rights that list tens of thousands of
 * values in several fields, the first time, and on a failing disk.
 */
export const SEARCH_LIMIT_MS = 10_000;

type SearchThread = JobThread<RangeSearch, FoundPage>;

interface Turn extends PromiseWithResolvers<FoundPage> {
  readonly by: string | undefined;
  readonly search: RangeSearch;
  /** The thread while the search runs. */
  thread?: SearchThread | undefined;
  /** True if it is to restart later. */
  isTakenBack?: boolean;
}

const THREAD = toModule("search-thread", import.meta.url);

export function createSearchThreads(
  { directory, timeZone, form }: SearchedArchive,
  limitMs = SEARCH_LIMIT_MS,
): SearchThreads {
  const threads = Array.from({ length: THREADS }, () =>
    createJobThread<RangeSearch, FoundPage>(THREAD, directory),
  );
  const toFilter = createAccessFilters();
  let isClosed = false;

  const serve = async (turn: Turn): Promise<void> => {
    const thread = idle.pop();
    if (thread === undefined) throw new Error("there are as many turns as threads");
    turn.thread = thread;
    let isTakenBack = false;
    try {
      turn.resolve(await thread.run(turn.search));
    } catch (error) {
      isTakenBack = turn.isTakenBack === true && error instanceof ThreadEnded && !isClosed;
      if (!isTakenBack) turn.reject(toSearchError(error));
    }
    turn.thread = undefined;
    turn.isTakenBack = false;
    idle.push(thread);
    turns.end(turn, isTakenBack);
  };
  // A thread is stopped between two statements, none of which reads more than a block of the index or a page of rows.
  // So it ends immediately, unless the disk hangs, and the next search starts another.
  const stop = (turn: Turn, isTakenBack: boolean) => {
    turn.isTakenBack = isTakenBack;
    void turn.thread?.stop();
  };
  const idle = [...threads];
  const turns = createTurns<Turn>({
    places: THREADS,
    start: (turn) => void serve(turn),
    takeBack: (turn) => stop(turn, true),
  });
  const refuse = (turn: Turn | undefined, refusal: StoreFault) => {
    if (turn !== undefined && turns.remove(turn)) turn.reject(refusal);
  };
  const giveUp = (turn: Turn) => {
    refuse(turn, tooMany());
    turn.reject(toTooSlow(limitMs, turn.search));
    stop(turn, false);
  };
  const ask = async (search: RangeSearch, by: string | undefined): Promise<FoundPage> => {
    if (isClosed) throw closed();
    const turn: Turn = { by, search, ...Promise.withResolvers<FoundPage>() };
    const timer = setTimeout(giveUp, limitMs, turn);
    turns.add(turn);
    if (turns.countWaiting() > MAX_WAITING_SEARCHES) refuse(turns.newestOfMost(by), tooMany());
    try {
      return await turn.promise;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    search: async ({ startDate, endDate, by, ...search }) => {
      const found = await ask({ ...search, ...toDayRange(startDate, endDate, timeZone) }, by);
      const { rows, ...page } = found;
      const records = form.toRecords(rows);
      // Segments from an earlier program have no sums, so the right to see a record is checked on the record itself.
      if (!records.every(toFilter(search.visibility))) throw notWritten("the search index");
      return { ...page, records, pageSize: PAGE_SIZE };
    },
    close: async () => {
      isClosed = true;
      while (turns.countWaiting() > 0) refuse(turns.newestOfMost(undefined), closed());
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** Missing rows of a damaged index are `IndexDamaged`; changed bytes lead to impossible arrays. */
const OF_DAMAGE: ReadonlySet<string> = new Set(["IndexDamaged", "RangeError"]);

function toSearchError(error: unknown): unknown {
  if (error instanceof ThreadEnded) return toCut(error);
  // An error from a thread has lost its class.
  if (error instanceof Error && error.name === "BeginningTooBroad")
    return new BeginningTooBroad(error.message);
  // Thrown for a damaged record.
  if (error instanceof Error && error.name === "StoreFault")
    return new StoreFault("damaged", error.message, { cause: error });
  const isOfDamage = error instanceof Error && OF_DAMAGE.has(error.name);
  return isOfDamage
    ? new StoreFault("damaged", "the search index is damaged", { cause: error })
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
