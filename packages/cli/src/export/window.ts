// The files of one window: what its journal does not say is there is fetched, and the journal sealed when all was tried.
import { basename, dirname, join } from "node:path";
import { type Item, type Row, type Seal, toItemKey } from "./entries.ts";
import { type ExportFolder, syncFolder } from "./files.ts";
import { isDone, type ItemWork, settleItem } from "./item.ts";
import { openJournal } from "./journal.ts";
import { type JournalState, readRows, readState } from "./journal-state.ts";
import type { JournalFile } from "./journals.ts";
import type { ListedWindow } from "./listing.ts";
import {
  createPlacing,
  type EarlierRecordings,
  listItems,
  type Placed,
  type Placing,
  toRecordingKey,
} from "./placed.ts";
import type { Plan } from "./plan.ts";
import type { Tally } from "./tally.ts";

/** What all windows of a run have in common. */
export interface WindowWork extends Pick<
  ItemWork,
  "client" | "pace" | "signal" | "folder" | "redaction"
> {
  readonly plan: Plan;
  readonly tally: Tally;
  /** Ends the run; the first who says so is heard. */
  readonly stop: (error: unknown) => void;
}

/** A journal that is worked on, and what earlier rounds have of the same days. */
export interface Journals {
  readonly current: JournalFile;
  readonly earlier: readonly JournalFile[];
}

/** `listed`: what the current journal has, where it was just written. */
export async function fetchWindow(
  work: WindowWork,
  journals: Journals,
  listed?: ListedWindow,
): Promise<void> {
  const { path } = journals.current;
  const placing = createPlacing(work.plan, journals.current);
  const earlier = await readEarlier(journals.earlier, placing);
  const { state, rows } = await readWindow(path, placing, listed);
  const journal = await openJournal(path, state);
  const prefix = basename(path, ".jsonl");
  const toPartPath = ({ row, kind, part }: Item) =>
    join(work.folder.parts, `${prefix}.${row}.${kind}.${part}`);
  try {
    const items: ItemWork = { ...work, state, journal, earlier, toPartPath };
    await fetchRows(work, items, { rows, placing });
    if (work.signal.aborted) return;
    await syncFolders(work.folder, state);
    await journal.seal(toSeal(state));
  } finally {
    await journal.close();
  }
}

interface Window {
  readonly state: JournalState;
  readonly rows: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/** What the journal says, and its records for a second reading. */
async function readWindow(path: string, placing: Placing, listed?: ListedWindow): Promise<Window> {
  if (listed?.rows === undefined)
    return { state: await readState(path, placing.count), rows: readRows(path) };
  placing.count(listed.rows);
  return { state: listed.state, rows: [listed.rows] };
}

/** Takes the names that earlier rounds gave on these days, and learns which recordings they have. */
async function readEarlier(
  journals: Journals["earlier"],
  placing: Placing,
): Promise<EarlierRecordings> {
  const earlier: EarlierRecordings = new Map();
  for (const { path } of journals) {
    const { outcomes } = await readState(path);
    let row = 0;
    for await (const rows of readRows(path))
      for (const one of rows) {
        placing.takeNames(one);
        for (let part = 1; part <= one.parts; part++) {
          const outcome = outcomes.get(toItemKey({ row, kind: "recording", part }));
          if (outcome?.status === "complete")
            earlier.set(toRecordingKey(one.record, part), outcome);
        }
        row++;
      }
  }
  return earlier;
}

interface PlacedWindow extends Pick<Window, "rows"> {
  readonly placing: Placing;
}

/** A row begins when there is room for it, and they end in any order. */
async function fetchRows(work: WindowWork, items: ItemWork, window: PlacedWindow): Promise<void> {
  const { pace, tally, signal } = work;
  const underWay: Promise<void>[] = [];
  for await (const rows of window.rows)
    for (const row of rows) {
      if (signal.aborted) break;
      const placed = window.placing.place(row);
      const open = await findOpen(items, work.plan, placed);
      if (open.length === 0) tally.endRow();
      else {
        await pace.enter();
        underWay.push(settleRow(work, items, { placed, open }).finally(pace.leave));
      }
    }
  await Promise.all(underWay);
}

async function findOpen(
  items: ItemWork,
  plan: Plan,
  { row, index }: Placed,
): Promise<readonly Item[]> {
  const open: Item[] = [];
  for (const item of listItems(plan, row, index)) if (!(await isDone(items, item))) open.push(item);
  return open;
}

interface OpenRow {
  readonly placed: Placed;
  readonly open: readonly Item[];
}

/** One file after the other: to tell whether a recording came again, those before it have to be there. */
async function settleRow(
  { signal, stop, tally }: WindowWork,
  items: ItemWork,
  { placed, open }: OpenRow,
): Promise<void> {
  try {
    for (const item of open) {
      if (signal.aborted) return;
      tally.endItem(await settleItem(items, placed, item));
    }
    tally.endRow();
  } catch (error) {
    stop(error);
  }
}

function toSeal({ listed, outcomes }: JournalState): Seal {
  const all = [...outcomes.values()];
  const complete = all.filter(({ status }) => status === "complete");
  const bytes = complete.reduce((total, one) => total + (one.bytes ?? 0), 0);
  const failures = all.filter(({ status }) => status !== "complete" && status !== "none").length;
  return { rows: listed.rows, files: complete.length, bytes, failures };
}

/** The names that files got are on the disk before the journal is closed over them. */
async function syncFolders(folder: ExportFolder, { outcomes }: JournalState): Promise<void> {
  const files = [...outcomes.values()].flatMap(({ file }) => file ?? []);
  const folders = new Set(files.map((file) => dirname(folder.toPath(file))));
  await Promise.all([...folders].map(syncFolder));
}
