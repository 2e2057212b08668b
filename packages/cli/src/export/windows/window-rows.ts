// What a window has before its files are fetched: its records, what its journal says of them, what earlier rounds have.
import { type Row, toItemKey, toRecord } from "../journal/entries.ts";
import { type JournalState, readRows, readState } from "../journal/journal-state.ts";
import type { JournalFile } from "../journal/journals.ts";
import {
  type EarlierRecordings,
  findWanting,
  listItems,
  type Placing,
  toDigestKey,
  toRecordingKey,
} from "../journal/placing.ts";
import type { Plan } from "../plan/plan.ts";
import type { ListedWindow } from "./listing.ts";

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

/** Takes the names that earlier rounds gave on these days, and learns which recordings they have. */
export async function readEarlier(
  plan: Plan,
  journals: readonly JournalFile[],
  placing: Placing,
): Promise<EarlierRecordings> {
  const earlier: EarlierRecordings = new Map();
  for (const { path } of journals) {
    const { outcomes } = await readState(path);
    for await (const rows of readRows(path))
      for (const row of findWanting(plan, rows)) {
        placing.takeNames(row);
        for (const item of listItems(plan, row)) {
          const outcome = outcomes.get(toItemKey(item));
          if (item.kind !== "recording" || outcome?.status !== "complete") continue;
          const record = toRecord(row);
          earlier.set(toRecordingKey(record, item.part), outcome);
          earlier.set(toDigestKey(record, outcome.sha256 ?? ""), outcome);
        }
      }
  }
  return earlier;
}
