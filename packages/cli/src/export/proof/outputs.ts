// Writes metadata and manifest from the journals, in the order of the search.
import { createHash } from "node:crypto";
import {
  type Days,
  listItems,
  listMasked,
  MANIFEST,
  type ManifestEntry,
  METADATA,
  NO_FILE,
  type Outcome,
  toManifestEntry,
  toManifestLine,
  toMetadataEntry,
  type WindowSummary,
  type Written,
} from "@call-media/handover";
import { RECORD_FORMATS } from "../../search/formats/formats.ts";
import type { FormatOptions, RecordFormat } from "../../search/formats/record-format.ts";
import { findRowsWithFiles } from "../file-names.ts";
import type { ExportFolder } from "../folder/export-folder.ts";
import { openDurably } from "../folder/write.ts";
import {
  listJournals,
  type Outcomes,
  readJournal,
  readRows,
  type Row,
  toRecord,
} from "../journal/journal.ts";
import type { Plan } from "../plan/plan.ts";

export interface Outputs {
  readonly metadata: Written;
  readonly manifest: Written;
  readonly windows: readonly WindowSummary[];
  /** A sentence about values that the format had to shorten; undefined without any. */
  readonly warning: string | undefined;
}

const ZERO_COUNTS = { complete: 0, none: 0, missing: 0, refused: 0, damaged: 0, failed: 0 };

/** Reads journals with files twice, which saves memory. `onEntry` is called with each line of the manifest. */
export async function writeOutputs(
  folder: ExportFolder,
  plan: Plan,
  onEntry: (entry: ManifestEntry) => void,
): Promise<Outputs> {
  await using metadata = await openOutput(folder, METADATA[plan.format]);
  await using manifest = await openOutput(folder, MANIFEST);
  const format = createFormat(plan);
  const rowsByDay = createDayOrder<Row>(plan, (rows) => metadata.write(format.add(rows)));
  const entriesByDay = createDayOrder<ManifestEntry>(plan, (entries) =>
    manifest.write(entries.map(toManifestLine).join("")),
  );
  const windows: WindowSummary[] = [];
  await metadata.write(format.begin());
  for (const journal of await listJournals(folder.journals, plan.isOldestFirst)) {
    let withFiles = 0;
    const { listed, outcomes } = await readJournal(journal.path, async (rows) => {
      withFiles += findRowsWithFiles(plan, rows).length;
      for (const [day, some] of Map.groupBy(rows, (row) => row.day))
        await rowsByDay.add(journal, day, some);
    });
    const summary = { ...listed, files: { ...ZERO_COUNTS }, untoldChats: 0 };
    windows.push(summary);
    if (withFiles === 0) continue;
    for await (const rows of readRows(journal.path))
      for (const { day, entry } of toEntries(plan, rows, outcomes)) {
        summary.files[entry.status]++;
        if (entry.kind === "transcript" && entry.verified === "nothing") summary.untoldChats++;
        if (entry.status === "none") continue;
        onEntry(entry);
        await entriesByDay.add(journal, day, [entry]);
      }
  }
  await rowsByDay.end();
  await entriesByDay.end();
  await metadata.write(format.end());
  const written = await metadata.finish();
  await manifest.write(toManifestLine(toMetadataEntry(written, plan.format, listMasked(plan))));
  const warning = format.toWarning?.();
  return { metadata: written, manifest: await manifest.finish(), windows, warning };
}

/** An entry, and the day of its record. */
interface DayEntry {
  readonly day: string;
  readonly entry: ManifestEntry;
}

/** The entries of records. Entries of status `none` are not in the manifest. */
export function* toEntries(
  plan: Plan,
  rows: readonly Row[],
  outcomes: Outcomes,
): Generator<DayEntry> {
  const masked = listMasked(plan);
  for (const row of findRowsWithFiles(plan, rows))
    for (const item of listItems(plan.files, row)) {
      const outcome = outcomes.get(item) ?? NOT_TRIED;
      yield {
        day: row.day,
        entry: toManifestEntry(toRecord(row), { ...item, ...outcome }, masked),
      };
    }
}

const NOT_TRIED: Outcome = {
  ...NO_FILE,
  status: "failed",
  attempts: 0,
  error: "it was not tried",
};

interface DayOrder<Line> {
  readonly add: (window: Days, day: string, lines: readonly Line[]) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** Sorts the lines of a window by day. It holds windows of several days, which have few records. */
function createDayOrder<Line>(
  { isOldestFirst }: Pick<Plan, "isOldestFirst">,
  write: (lines: readonly Line[]) => Promise<void>,
): DayOrder<Line> {
  let [from, held] = ["", new Map<string, Line[]>()];
  async function end(): Promise<void> {
    const days = [...held].toSorted(([one], [other]) => (one < other ? -1 : 1));
    held = new Map();
    for (const [, lines] of isOldestFirst ? days : days.toReversed()) await write(lines);
  }
  return {
    async add(window, day, lines) {
      if (window.from !== from) await end();
      from = window.from;
      if (window.from === window.to) return await write(lines);
      const there = held.get(day);
      if (there === undefined) held.set(day, [...lines]);
      else for (const line of lines) there.push(line);
    },
    end,
  };
}

function createFormat({ format, timeZone, archiveTimeZone }: Plan) {
  const options: FormatOptions = {
    columns: undefined,
    showDatetime: (text) => text,
    width: Infinity,
    timeZone: timeZone ?? undefined,
    archiveTimeZone: archiveTimeZone ?? undefined,
  };
  const made: RecordFormat = RECORD_FORMATS[format](options);
  const toLines = (rows: readonly Row[]) => rows.map(({ json }) => `${json}\n`).join("");
  const toCells = (rows: readonly Row[]) => made.add(rows.map(toRecord));
  return { ...made, add: format === "jsonl" ? toLines : toCells };
}

async function openOutput(folder: ExportFolder, file: string) {
  const hash = createHash("sha256");
  const output = await openDurably(folder.toPath(file), (content) => void hash.update(content));
  return {
    write: output.write,
    async finish(): Promise<Written> {
      return { file, bytes: await output.finish(), sha256: hash.digest("hex") };
    },
    [Symbol.asyncDispose]: () => output[Symbol.asyncDispose](),
  };
}
