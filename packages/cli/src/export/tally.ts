// Counts what a run has done so far, for the progress bar and to end a run in which everything fails.
import type { Outcome } from "@call-media/handover";
import { CommandFailure } from "../failures/command-failure.ts";
import type { Seal } from "./journal/journal.ts";

export interface Count extends Pick<Seal, "rows" | "files" | "bytes" | "failures"> {
  /** Days of the search that are done. */
  readonly days: number;
}

export interface Tally {
  /** Adds the counts of an earlier run. */
  readonly add: (seal: Seal) => void;
  readonly endRows: (count: number) => void;
  /** @throws CommandFailure if too many files in a row fail for transient reasons. */
  readonly endFile: (outcome: Outcome) => void;
  readonly endDays: (count: number) => void;
  readonly count: Count;
  /** Files that arrived, are missing or were denied. They prove that the service works. */
  readonly answers: number;
  /** Files that failed or were damaged, and are worth another try. */
  readonly failed: number;
}

/** Each of these files was tried several times. */
const MAX_FAILED_IN_A_ROW = 20;

export function createTally({ maxFailedInARow = MAX_FAILED_IN_A_ROW } = {}): Tally {
  const count = { rows: 0, files: 0, bytes: 0, failures: 0, days: 0 };
  let [failedInARow, answers, failed] = [0, 0, 0];
  return {
    count,
    get answers() {
      return answers;
    },
    get failed() {
      return failed;
    },
    add({ rows, files, bytes, failures }) {
      count.rows += rows;
      count.files += files;
      count.bytes += bytes;
      count.failures += failures;
    },
    endRows(rows) {
      count.rows += rows;
    },
    endFile({ status, bytes, error }) {
      if (status === "complete") {
        count.files++;
        count.bytes += bytes ?? 0;
      } else if (status !== "none") count.failures++;
      if (status === "failed" || status === "damaged") failed++;
      failedInARow = status === "failed" ? failedInARow + 1 : 0;
      if (status !== "failed") answers++;
      if (failedInARow >= maxFailedInARow)
        throw new CommandFailure(`${failedInARow} files in a row failed: ${error}`);
    },
    endDays(days) {
      count.days += days;
    },
  };
}
