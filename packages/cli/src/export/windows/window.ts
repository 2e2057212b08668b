// The files of one window: what its journal does not say is there is fetched, and the journal sealed when all was tried.
import { basename, dirname, join } from "node:path";
import { type Item, listItems } from "@call-media/handover";
import { type ExportFolder, syncFolder } from "../folder/files.ts";
import { isDone, type ItemWork, settleItem } from "../item/item.ts";
import type { Tally } from "../item/tally.ts";
import type { Row, Sealed } from "../journal/entries.ts";
import type { JournalState } from "../journal/journal-state.ts";
import { openJournal } from "../journal/journal.ts";
import { createPlacing, findWanting, type Placed, type Placing } from "../journal/placing.ts";
import type { Plan } from "../plan/plan.ts";
import type { ListedWindow } from "./listing.ts";
import {
  hasOthers,
  type Journals,
  readOthers,
  readWindow,
  type WindowRows,
} from "./window-rows.ts";

/** What all windows of a run have in common. */
export interface WindowWork extends Pick<
  ItemWork,
  "client" | "pace" | "signal" | "folder" | "redaction" | "isLastTry"
> {
  readonly plan: Plan;
  readonly tally: Tally;
  /** Ends the run; the first who says so is heard. */
  readonly stop: (error: unknown) => void;
}

/** `listed`: what the current journal has, where it was just written. */
export async function fetchWindow(
  work: WindowWork,
  journals: Journals,
  listed?: ListedWindow,
): Promise<void> {
  const { path } = journals.current;
  const placing = createPlacing(work.plan, await hasOthers(journals, listed));
  const { recordings: earlier, files } = await readOthers(work.plan, journals, placing);
  const { state, rows } = await readWindow(path, placing, listed);
  const own = files.size === 0 ? files : new Set(state.outcomes.files());
  placing.reserve([...files].filter((file) => !own.has(file)));
  const journal = await openJournal(path, state);
  const prefix = basename(path, ".jsonl");
  const toPartPath = ({ row, kind, part }: Item) =>
    join(work.folder.parts, `${prefix}.${row}.${kind}.${part}`);
  try {
    const items: ItemWork = { ...work, state, journal, earlier, toPartPath };
    await fetchRows(work, items, { rows, placing });
    if (work.signal.aborted) return;
    await syncFolders(work.folder, state);
    await journal.seal(toSealed(state));
  } finally {
    await journal.close();
  }
}

interface PlacedWindow extends Pick<WindowRows, "rows"> {
  readonly placing: Placing;
}

/**
 * A row begins when there is room for it, and they end in any order. Whatever ends it, none is under way when it resolves:
 * who had something to tell after that would find the journal closed.
 */
async function fetchRows(work: WindowWork, items: ItemWork, window: PlacedWindow): Promise<void> {
  const { pace, tally, signal, stop } = work;
  const underWay = new Set<Promise<void>>();
  let passed = 0;
  try {
    for await (const rows of window.rows)
      for (const row of findWanting(work.plan, rows)) {
        if (signal.aborted) break;
        tally.endRows(row.index - passed);
        passed = row.index + 1;
        const placed = window.placing.place(row);
        const open = await findOpen(items, work.plan, row);
        if (open.length === 0) tally.endRows(1);
        else {
          await pace.enter();
          const settling: Promise<void> = settleRow(work, items, { placed, open }).finally(() => {
            underWay.delete(settling);
            pace.leave();
          });
          underWay.add(settling);
        }
      }
  } catch (error) {
    stop(error);
  }
  await Promise.all(underWay);
  if (!signal.aborted) tally.endRows(items.state.listed.rows - passed);
}

async function findOpen(items: ItemWork, plan: Plan, row: Row): Promise<readonly Item[]> {
  const open: Item[] = [];
  for (const item of listItems(plan.files, row)) if (!(await isDone(items, item))) open.push(item);
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
    tally.endRows(1);
  } catch (error) {
    stop(error);
  }
}

function toSealed({ listed, outcomes }: JournalState): Sealed {
  const { rows, came, verdict } = listed;
  return { rows, ...outcomes.count, came, verdict };
}

/** The names that files got are on the disk before the journal is closed over them. */
async function syncFolders(folder: ExportFolder, state: JournalState): Promise<void> {
  const folders = new Set<string>();
  for (const file of state.outcomes.files()) folders.add(dirname(folder.toPath(file)));
  await Promise.all([...folders].map(syncFolder));
}
