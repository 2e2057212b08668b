// Writes metadata and manifest from the journals in the order of the search, and then the report, whose SHA-256 is the seal.
import { createShowDatetime } from "@call-media/conditions";
import { createHash, hash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import {
  type Days,
  isExporter,
  listItems,
  listMasked,
  MANIFEST,
  type ManifestEntry,
  METADATA,
  NO_FILE,
  type Outcome,
  type Report,
  REPORT,
  SUPERSEDED,
  toManifestEntry,
  toManifestLine,
  toMetadataEntry,
  toReportJson,
  toSupersededEntry,
  toWindow,
  type WindowSummary,
  type Written,
} from "@call-media/handover";
import { RECORD_FORMATS } from "../../search/formats/formats.ts";
import type { FormatOptions, RecordFormat } from "../../search/formats/record-format.ts";
import { findRowsWithFiles } from "../file-names.ts";
import type { ExportFolder } from "../folder/export-folder.ts";
import { parseJson } from "../folder/read.ts";
import { openDurably, writeDurably } from "../folder/write.ts";
import {
  type JournalFile,
  listJournals,
  readJournal,
  readRows,
  type Row,
  toRecord,
} from "../journal/journal.ts";
import { createSupersededFilter, type IsSuperseded } from "../journal/superseded.ts";
import type { Plan } from "../plan/plan.ts";

export interface Outputs {
  readonly metadata: Written;
  readonly manifest: Written;
  readonly windows: readonly WindowSummary[];
  /** A sentence about values that the format had to shorten; undefined without any. */
  readonly warning: string | undefined;
}

/** `onEntry` is called with each line of the manifest. */
export async function writeOutputs(
  folder: ExportFolder,
  plan: Plan,
  onEntry: (entry: ManifestEntry) => void,
): Promise<Outputs> {
  await using metadata = await openOutput(folder, METADATA[plan.format]);
  await using manifest = await openOutput(folder, MANIFEST);
  const format = createFormat(plan);
  const rows = createDayOrder<Row>(plan, (some) => metadata.write(format.add(some)));
  const entries = createDayOrder<ManifestEntry>(plan, (some) =>
    manifest.write(some.map(toManifestLine).join("")),
  );
  const windows: WindowSummary[] = [];
  const journals = await listJournals(folder.journals, plan.isOldestFirst);
  await using superseded = createSupersededOutput(folder, plan);
  const outputs = {
    rows,
    entries,
    onEntry,
    isSuperseded: await createSupersededFilter(plan, journals),
    addSuperseded: (some: readonly Row[]) => superseded.add(some),
  };
  await metadata.write(format.begin());
  for (const journal of journals) windows.push(await writeWindow(plan, journal, outputs));
  await rows.end();
  await entries.end();
  await metadata.write(format.end());
  const written = await metadata.finish();
  const masked = listMasked(plan);
  const earlier = await superseded.finish();
  if (earlier !== undefined)
    await manifest.write(toManifestLine(toSupersededEntry(earlier, masked)));
  await manifest.write(toManifestLine(toMetadataEntry(written, plan.format, masked)));
  const warning = format.toWarning?.();
  return { metadata: written, manifest: await manifest.finish(), windows, warning };
}

/** A file that is created only if it has rows. */
function createSupersededOutput(folder: ExportFolder, plan: Plan) {
  const lines = createFormat({ ...plan, format: "jsonl" });
  let output: Awaited<ReturnType<typeof openOutput>> | undefined;
  return {
    async add(rows: readonly Row[]): Promise<void> {
      if (rows.length === 0) return;
      output ??= await openOutput(folder, SUPERSEDED);
      await output.write(lines.add(rows));
    },
    async finish(): Promise<Written | undefined> {
      if (output === undefined) await rm(folder.toPath(SUPERSEDED), { force: true });
      return await output?.finish();
    },
    [Symbol.asyncDispose]: async () => await output?.[Symbol.asyncDispose](),
  };
}

const toJsonLines = (rows: readonly Row[]) => rows.map(({ json }) => `${json}\n`).join("");

interface WindowOutputs {
  readonly rows: DayOrder<Row>;
  readonly entries: DayOrder<ManifestEntry>;
  readonly onEntry: (entry: ManifestEntry) => void;
  readonly isSuperseded: IsSuperseded;
  readonly addSuperseded: (rows: readonly Row[]) => Promise<void>;
}

/** Reads a journal with files twice, to save memory. */
async function writeWindow(
  plan: Plan,
  journal: JournalFile,
  { rows, entries, onEntry, isSuperseded, addSuperseded }: WindowOutputs,
): Promise<WindowSummary> {
  let hasFiles = false;
  const { listed, outcomes } = await readJournal(journal.path, async (read) => {
    hasFiles ||= findRowsWithFiles(plan, read).length > 0;
    const earlier = new Set(read.filter((row) => isSuperseded(journal, row)));
    await addSuperseded([...earlier]);
    const current = read.filter((row) => !earlier.has(row));
    for (const [day, some] of Map.groupBy(current, (row) => row.day))
      await rows.add(journal, day, some);
  });
  const window = toWindow(listed);
  if (!hasFiles) return window.read();
  const masked = listMasked(plan);
  for await (const read of readRows(journal.path))
    for (const row of findRowsWithFiles(plan, read))
      for (const item of listItems(plan.files, row)) {
        const outcome = outcomes.get(item) ?? NOT_TRIED;
        window.add({ item, outcome });
        if (outcome.status === "none") continue;
        const entry = toManifestEntry(toRecord(row), { ...item, ...outcome }, masked);
        onEntry(entry);
        await entries.add(journal, row.day, [entry]);
      }
  return window.read();
}

export const NOT_TRIED: Outcome = {
  ...NO_FILE,
  status: "failed",
  attempts: 0,
  error: "it was not tried",
};

interface DayOrder<Line> {
  readonly add: (window: Days, day: string, lines: readonly Line[]) => Promise<void>;
  readonly end: () => Promise<void>;
}

/** Sorts the lines of a window by day. Only windows of several days are held in memory, and these have few records. */
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

function createFormat({ format, columns, timeZone, archiveTimeZone }: Plan) {
  const options: FormatOptions = {
    columns: columns ?? undefined,
    // Datetimes without an offset stay as the service wrote them, because their instant depends on the day.
    showDatetime: createShowDatetime(timeZone ?? undefined, undefined),
    width: Infinity,
    timeZone: timeZone ?? undefined,
    archiveTimeZone: archiveTimeZone ?? undefined,
  };
  const made: RecordFormat = RECORD_FORMATS[format].create(options);
  const toCells = (rows: readonly Row[]) => made.add(rows.map(toRecord));
  return { ...made, add: format === "jsonl" && columns === null ? toJsonLines : toCells };
}

async function openOutput(folder: ExportFolder, file: string) {
  const digest = createHash("sha256");
  const output = await openDurably(folder.toPath(file), digest);
  return {
    ...output,
    finish: async (): Promise<Written> => {
      const bytes = await output.finish();
      return { file, bytes, sha256: digest.digest("hex") };
    },
  };
}

export interface WrittenReport {
  readonly report: Report;
  /** SHA-256 of report.json, hexadecimal. */
  readonly seal: string;
}

/** Keeps the existing file if only its exporter and its times would change, so that its seal stays valid. */
export async function writeReport(folder: ExportFolder, report: Report): Promise<WrittenReport> {
  const path = folder.toPath(REPORT);
  const there = await readFile(path, "utf8").catch(() => ""); // an unreadable report is written again
  const written = Object(parseJson(there)) as Partial<Report>;
  const { beganAt = report.beganAt, finishedAt = report.finishedAt } = written;
  const exportedBy = isExporter(written.exportedBy) ? written.exportedBy : report.exportedBy;
  const again = { ...report, exportedBy, beganAt, finishedAt };
  const isThere = there === toReportJson(again);
  const text = isThere ? there : toReportJson(report);
  if (!isThere) await writeDurably(path, text);
  return { report: isThere ? again : report, seal: hash("sha256", text) };
}
