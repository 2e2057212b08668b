// What a run has done so far: counted for whoever watches, and to end a run that only fails.
import type { Outcome } from "@call-media/handover";
import { CommandFailure } from "../../failures/command-failure.ts";
import type { Seal } from "../journal/entries.ts";

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
  /** Until now. */
  readonly count: Count;
  /** How many files came, or were said not to be there or not to be had: the service works, then. */
  readonly answers: number;
  /** How many files failed, or came with other bytes than announced: another time they may come. */
  readonly failed: number;
}

/** Whether the file may come another time, though nothing changes in the archive. */
const isWorthRetry = (status: Outcome["status"]) => status === "failed" || status === "damaged";

/** Each has been tried several times by then. */
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
    endItem({ status, bytes, error }) {
      if (status === "complete") {
        count.files++;
        count.bytes += bytes ?? 0;
      } else if (status !== "none") count.failures++;
      failedInARow = status === "failed" ? failedInARow + 1 : 0;
      if (status !== "failed") answers++;
      if (isWorthRetry(status)) failed++;
      if (failedInARow >= maxFailedInARow)
        throw new CommandFailure(`${failedInARow} files in a row did not come: ${error}`);
    },
    endDays(days) {
      count.days += days;
    },
  };
}
