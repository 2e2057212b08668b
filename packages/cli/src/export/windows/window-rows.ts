// What a window has before its files are fetched: its records, what its journal says of them, what other rounds have.
import { type Item, listItems } from "@call-media/handover";
import { type Row, toRecord } from "../journal/entries.ts";
import { type JournalState, readRows, readState } from "../journal/journal-state.ts";
import type { JournalFile } from "../journal/journals.ts";
import {
  type EarlierRecordings,
  findWanting,
  type Placing,
  toDigestKey,
  toRecordingKey,
} from "../journal/placing.ts";
import type { Plan } from "../plan/plan.ts";
import type { ListedWindow } from "./listing.ts";

/** A journal that is worked on, and those that other rounds have of the same days. */
export interface Journals {
  readonly current: JournalFile;
  readonly others: readonly JournalFile[];
}

export interface WindowRows {
  readonly state: JournalState;
  readonly rows: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/** What the journal says, and for a second reading its records, at least those that should have files. */
export async function readWindow(
  path: string,
  placing: Placing,
  listed?: ListedWindow,
): Promise<WindowRows> {
  if (listed?.wanting === undefined)
    return { state: await readState(path, placing.count), rows: readRows(path) };
  placing.count(listed.wanting);
  return { state: listed.state, rows: [listed.wanting] };
}

/** Whether other rounds have records of its days: a later round too, where the journal was lost and listed again. */
export async function hasOthers(
  { current, others }: Journals,
  listed: ListedWindow | undefined,
): Promise<boolean> {
  if (others.length === 0) return false;
  if (others.some(({ round }) => round < current.round)) return true;
  const { state } = listed ?? { state: await readState(current.path) };
  return state.listed.known > 0;
}

export interface OtherRounds {
  /** Of earlier rounds alone: a later one has its own from this one. */
  readonly recordings: EarlierRecordings;
  /** All that have a name. */
  readonly files: ReadonlySet<string>;
}

/** Takes the names that earlier rounds gave on these days, and learns what other rounds have. */
export async function readOthers(
  plan: Plan,
  { current, others }: Journals,
  placing: Placing,
): Promise<OtherRounds> {
  const recordings: EarlierRecordings = new Map();
  const files = new Set<string>();
  for (const { path, round } of others) {
    const state = await readState(path);
    for (const file of state.outcomes.files()) files.add(file);
    if (round > current.round) continue;
    for await (const rows of readRows(path))
      for (const row of findWanting(plan, rows)) {
        placing.takeNames(row);
        addRecordings(recordings, listItems(plan.files, row), { row, state });
      }
  }
  return { recordings, files };
}

interface RowState {
  readonly row: Row;
  readonly state: JournalState;
}

function addRecordings(
  recordings: EarlierRecordings,
  items: readonly Item[],
  { row, state }: RowState,
): void {
  for (const item of items) {
    const outcome = state.outcomes.get(item);
    if (item.kind !== "recording" || outcome?.status !== "complete") continue;
    const record = toRecord(row);
    recordings.set(toRecordingKey(record, item.part), outcome);
    recordings.set(toDigestKey(record, outcome.sha256 ?? ""), outcome);
  }
}
