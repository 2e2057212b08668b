// The files of one day: what its journal does not say is there is fetched, and the day sealed when all was tried.
import { basename, join } from "node:path";
import { type ExportFolder, isMissing, RECORDINGS, syncFolder, TRANSCRIPTS } from "./files.ts";
import { isDone, type ItemWork, settleItem } from "./item.ts";
import {
  type DayState,
  type Item,
  openJournal,
  readRows,
  readState,
  type Row,
  type Seal,
  toItemKey,
} from "./journal.ts";
import type { ListedDay } from "./listing.ts";
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

/** What all days of a run have in common. */
export interface DayWork extends Pick<
  ItemWork,
  "client" | "pace" | "signal" | "folder" | "redaction"
> {
  readonly plan: Plan;
  readonly tally: Tally;
  /** Ends the run; the first who says so is heard. */
  readonly stop: (error: unknown) => void;
}

/** `journals`: those of the day, by round; the last is worked on. `listed`: what it has, where it was just written. */
export async function fetchDay(
  work: DayWork,
  journals: readonly string[],
  listed?: ListedDay,
): Promise<void> {
  const path = journals.at(-1) ?? "";
  const placing = createPlacing(work.plan);
  const earlier = await readEarlier(journals.slice(0, -1), placing);
  const { state, rows } = await readDay(path, placing, listed);
  const journal = await openJournal(path, state);
  const prefix = basename(path, ".jsonl");
  const toPartPath = ({ row, kind, part }: Item) =>
    join(work.folder.parts, `${prefix}.${row}.${kind}.${part}`);
  try {
    const items: ItemWork = { ...work, state, journal, earlier, toPartPath };
    await fetchRows(work, items, { rows, placing });
    if (work.signal.aborted) return;
    await syncFolders(work.folder, work.plan, state);
    await journal.seal(toSeal(state));
  } finally {
    await journal.close();
  }
}

interface Day {
  readonly state: DayState;
  readonly rows: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/** What the journal says, and its records for a second reading. */
async function readDay(path: string, placing: Placing, listed?: ListedDay): Promise<Day> {
  if (listed?.rows === undefined)
    return { state: await readState(path, placing.count), rows: readRows(path) };
  placing.count(listed.rows);
  return { state: listed.state, rows: [listed.rows] };
}

/** Takes the names that earlier rounds gave on this day, and learns which recordings they have. */
async function readEarlier(
  journals: readonly string[],
  placing: Placing,
): Promise<EarlierRecordings> {
  const earlier: EarlierRecordings = new Map();
  for (const path of journals) {
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

interface PlacedDay extends Pick<Day, "rows"> {
  readonly placing: Placing;
}

/** A row begins when there is room for it, and they end in any order. */
async function fetchRows(work: DayWork, items: ItemWork, day: PlacedDay): Promise<void> {
  const { pace, tally, signal } = work;
  const underWay: Promise<void>[] = [];
  for await (const placed of placeRows(day)) {
    const open = await findOpen(items, work.plan, placed);
    if (open.length === 0) tally.endRow();
    else {
      await pace.enter();
      underWay.push(settleRow(work, items, { placed, open }).finally(pace.leave));
    }
    if (signal.aborted) break;
  }
  await Promise.all(underWay);
}

async function* placeRows({ rows, placing }: PlacedDay): AsyncGenerator<Placed> {
  for await (const some of rows) for (const row of some) yield placing.place(row);
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
  { signal, stop, tally }: DayWork,
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

function toSeal({ listed, outcomes }: DayState): Seal {
  const all = [...outcomes.values()];
  const complete = all.filter(({ status }) => status === "complete");
  const bytes = complete.reduce((total, one) => total + (one.bytes ?? 0), 0);
  const failures = all.filter(({ status }) => status !== "complete" && status !== "none").length;
  return { rows: listed.rows, files: complete.length, bytes, failures };
}

const FOLDERS = { recordings: RECORDINGS, transcripts: TRANSCRIPTS } as const;

/** The names that files got on this day are on the disk before the journal is closed over them. */
async function syncFolders(folder: ExportFolder, { files }: Plan, { listed }: DayState) {
  for (const kind of files)
    await syncFolder(folder.toPath(`${FOLDERS[kind]}/${listed.from}`)).catch((error: unknown) => {
      if (!isMissing(error)) throw error; // no file on this day
    });
}
