// The rows of an access log about one call: those that name no other, and those that name it among others.
import { setImmediate as nextTurn } from "node:timers/promises";
import { ArchiveError, StoreFault } from "../port/faults.ts";
import type { FoundLists, FoundRow, ListsQuery } from "../port/access-log.ts";
import { type FollowingRow, toLogRow } from "./access-chain.ts";

/** Rows that follow one another, and those of them that name the call as text. */
export interface LogWindow {
  /** The number of the first of them. */
  readonly firstSeq: number;
  /** The time of the first of them; NaN if it cannot be read. */
  readonly firstMs: number;
  /** False if all of them are older than what is looked for. */
  readonly isSince: boolean;
  /** Newest first. */
  readonly rows: readonly FollowingRow[];
}

/** The number of rows in a window. */
export const WINDOW_ROWS = 1_000;

/** The newest rows of a log come before this one. */
export const NEWEST = Number.MAX_SAFE_INTEGER;

/** An adapter's match by text or by a part of the name is checked here. */
export const toRowsOfCall = (rows: readonly FollowingRow[], callId: string): readonly FoundRow[] =>
  rows
    .map(toFoundRow)
    .filter((row) => row.isAltered || (row.callIds.length === 1 && row.callIds[0] === callId));

const MOST_ROWS = 1_000_000;

/** `readWindow` returns the last rows before that number; undefined without any. Other work goes on between two windows. */
export async function collectLists(
  readWindow: (beforeSeq: number) => Promise<LogWindow | undefined>,
  { callId, limit, sinceMs, isGone }: ListsQuery,
  mostRows = MOST_ROWS,
): Promise<FoundLists> {
  const rows: FoundRow[] = [];
  let count = 0;
  let firstMs = sinceMs;
  let before = NEWEST;
  for (let read = 0; read < mostRows; read += WINDOW_ROWS) {
    if (isGone?.() === true) throw new StoreFault("unavailable", "nobody waits for the lists");
    const window = await readWindow(before);
    if (window?.isSince !== true) return { count, rows, sinceMs };
    firstMs = window.firstMs;
    const found = window.rows
      .map(toFoundRow)
      .filter(
        (row) =>
          row.isAltered || (row.callIds.length > 1 && row.callIds.some((one) => one === callId)),
      );
    count += found.length;
    rows.push(...found.slice(0, limit - rows.length));
    before = window.firstSeq;
    await nextTurn();
  }
  return { count, rows, sinceMs: Math.max(sinceMs, firstMs || sinceMs) };
}

function toFoundRow(row: FollowingRow): FoundRow {
  try {
    return toLogRow(row);
  } catch (error) {
    if (error instanceof ArchiveError) return { seq: row.seq, isAltered: true };
    throw error;
  }
}
