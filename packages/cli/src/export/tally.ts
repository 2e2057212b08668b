// What a run has done so far: counted for whoever watches, and to end a run that only fails.
import { CommandFailure } from "../failures/command-failure.ts";
import type { Outcome, Seal } from "./entries.ts";

export interface Count extends Seal {
  /** Of the days that were asked for. */
  readonly days: number;
}

export interface Tally {
  /** What an earlier run of the folder did. */
  readonly add: (seal: Seal) => void;
  readonly endRows: (count: number) => void;
  /** @throws CommandFailure where one file after the other fails for reasons that pass. */
  readonly endItem: (outcome: Outcome) => void;
  readonly endDays: (count: number) => void;
  /** By all threads until now. */
  readonly readCount: () => Count;
  /** How many files came, or were said not to be there or not to be had: the service works, then. */
  readonly answers: number;
}

const COUNTED = ["rows", "files", "bytes", "failures", "days", "answers"] as const;
type Counted = (typeof COUNTED)[number];

/** What one thread has counted: only that thread writes to it, and all may read. */
export type Counters = Float64Array<SharedArrayBuffer>;

export const createCounters = (): Counters =>
  new Float64Array(new SharedArrayBuffer(COUNTED.length * Float64Array.BYTES_PER_ELEMENT));

/** Each has been tried several times by then. */
const MAX_FAILED_IN_A_ROW = 20;

/** `own`: of the thread that counts. `others`: of the other threads of the run. */
export function createTally(own = createCounters(), ...others: readonly Counters[]): Tally {
  let failedInARow = 0;
  const read = (what: Counted) => {
    const place = COUNTED.indexOf(what);
    return [own, ...others].reduce((total, counters) => total + (counters[place] ?? 0), 0);
  };
  const add = (what: Counted, more: number) => {
    const place = COUNTED.indexOf(what);
    own[place] = (own[place] ?? 0) + more;
  };
  return {
    readCount: () => ({
      rows: read("rows"),
      files: read("files"),
      bytes: read("bytes"),
      failures: read("failures"),
      days: read("days"),
    }),
    get answers() {
      return read("answers");
    },
    add({ rows, files, bytes, failures }) {
      add("rows", rows);
      add("files", files);
      add("bytes", bytes);
      add("failures", failures);
    },
    endRows: (count) => add("rows", count),
    endItem({ status, bytes, error }) {
      if (status === "complete") {
        add("files", 1);
        add("bytes", bytes ?? 0);
      } else if (status !== "none") add("failures", 1);
      failedInARow = status === "failed" ? failedInARow + 1 : 0;
      if (status !== "failed") add("answers", 1);
      if (failedInARow >= MAX_FAILED_IN_A_ROW)
        throw new CommandFailure(`${failedInARow} files in a row did not come: ${error}`);
    },
    endDays: (days) => add("days", days),
  };
}
