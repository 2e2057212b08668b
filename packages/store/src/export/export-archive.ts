// Writing an archive out in a form that an import reads back: records as lines of files, recordings beside them.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { openArchiveToKeep } from "../keeping/open-archive.ts";
import type { OnProgress } from "../port/maintenance.ts";
import { readDuration } from "../media/duration.ts";
import { recordAct } from "../sqlite/access/operator-row.ts";
import { ArchiveError, isBackup } from "../sqlite/files/database.ts";
import { createExportRows, type ExportedSpan, type StoredCall } from "../sqlite/export-rows.ts";
import { keepFromPurging } from "../sqlite/files/purge-lock.ts";
import { readSetting } from "../sqlite/settings.ts";
import { findDayFault, toDayRange } from "../values/instant.ts";
import { createFileCopier, type MissingFile } from "./files.ts";
import { createExportFolder } from "./folder.ts";
import type { ExportedArchive, ExportedRecording, ExportFormat } from "./format.ts";

export interface ExportOptions {
  /** The folder of an archive or of a backup. */
  readonly directory: string;
  /** How records are written: one of `EXPORT_FORMATS` of @call-media/import. */
  readonly format: ExportFormat;
  /** A folder that is empty or missing; or what takes lines, which then come without the files of the recordings. */
  readonly to: string | ((line: string) => Promise<void>);
  /** Days in the archive's time zone, YYYY-MM-DD, both inclusive; calls without a datetime are in none. */
  readonly fromDay?: string | undefined;
  readonly toDay?: string | undefined;
  readonly onProgress?: OnProgress | undefined;
  /**
   * The name of whoever runs it: the access log gets a row before anything is written, but that of a backup, which must stay as
   * it is; without it gets none.
   */
  readonly operator?: string | undefined;
}

export interface ExportReport {
  readonly timeZone: string;
  readonly users: number;
  readonly flags: number;
  readonly calls: number;
  readonly chats: number;
  readonly mediaFiles: number;
  readonly mediaBytes: number;
  /** Recordings whose file is missing or damaged: their calls are exported without them. */
  readonly missing: readonly MissingFile[];
}

/**
 * Exports calls, their chats and, whatever the days, all users and flags; credentials and the access log never. The
 * service and imports may run meanwhile: the records are those of one moment. Memory does not grow with the archive.
 * Throws `ArchiveError`; then nothing is left of the export.
 */
export async function exportArchive(options: ExportOptions): Promise<ExportReport> {
  const { directory, to } = options;
  checkDays(options);
  using archive = await openArchiveToKeep(directory);
  const lock = isBackup(directory) ? undefined : keepFromPurging(directory);
  try {
    archive.database.exec(SMALL_CACHE);
    const timeZone = readSetting(archive.database, "time_zone");
    const archiveId = readSetting(archive.database, "archive_id");
    const rows = createExportRows(archive.database, toSpan(options, timeZone));
    const source = { timeZone, archiveId, rows, createdAt: new Date().toISOString() };
    if (lock !== undefined) recordExport(archive.database, options);
    const begin = () => archive.database.exec("BEGIN");
    return typeof to === "string"
      ? await writeFolder(options, { source, to, begin })
      : await writeLines(options, { source, to, begin });
  } finally {
    if (archive.database.isTransaction) archive.database.exec("COMMIT");
    lock?.[Symbol.dispose]();
  }
}

function recordExport(archive: DatabaseSync, options: ExportOptions): void {
  const { directory, operator, format, to, fromDay = null, toDay = null } = options;
  if (operator === undefined) return;
  const out = typeof to === "string" ? to : null;
  const asked = { format: format.name, out, from: fromDay, to: toDay };
  recordAct(archive, directory, { operation: "export", operator, asked });
}

// Records are read once, in the order in which they lie: what was read need not be kept.
const SMALL_CACHE = "PRAGMA cache_size = -16384";

type Source = Omit<ExportedArchive, "recordingsOf" | "durationOf">;

interface Way<To> {
  readonly source: Source;
  readonly to: To;
  /** From here on the records are those of one moment. */
  readonly begin: () => void;
}

// Files first, without a transaction: while one is open, the archive's log grows with all that is imported.
async function writeFolder(
  { directory, format, onProgress = () => {}, fromDay, toDay }: ExportOptions,
  { source, to, begin }: Way<string>,
): Promise<ExportReport> {
  await using folder = await createExportFolder(to);
  const copier = createFileCopier(directory, folder.path);
  await copier.begin();
  const { files, bytes: bytesTotal } = source.rows.listFiles();
  let [mediaFiles, mediaBytes] = [0, 0];
  for (const file of files) {
    if ((await copier.take(file)) !== undefined) mediaFiles += 1;
    onProgress({ step: "recordings", bytesDone: (mediaBytes += file.bytes), bytesTotal });
  }
  const recordingsOf = async ({ record, recordings }: StoredCall) => {
    const taken: ExportedRecording[] = [];
    for (const recording of recordings) {
      const file = await copier.take(source.rows.fileOf(recording, record.call_id));
      const { filename, start_ms: startMs } = recording;
      if (file !== undefined) taken.push({ filename, startMs, file });
    }
    return taken;
  };
  const durationOf = ({ file }: ExportedRecording) => readDuration(join(folder.path, file.place));
  begin();
  const counts = await writeRecords(
    { format, onProgress },
    { ...source, recordingsOf, durationOf },
    (file, line) => folder.write(file, line),
  );
  // Where there is nothing an import finds no file, and takes the folder for a wrong one.
  if (Object.values(counts).every((count) => count === 0)) await folder.begin(format.mainFile);
  const { timeZone, createdAt } = source;
  const missing = [...copier.missing.values()];
  const report = { timeZone, ...counts, mediaFiles, mediaBytes, missing };
  const days = { fromDay: fromDay ?? null, toDay: toDay ?? null };
  await folder.publish({ format: format.name, createdAt, ...days, ...report });
  return report;
}

async function writeLines(
  { format, onProgress = () => {} }: ExportOptions,
  { source, to, begin }: Way<(line: string) => Promise<void>>,
): Promise<ExportReport> {
  begin();
  const counts = await writeRecords(
    { format, onProgress },
    { ...source, recordingsOf: async () => [], durationOf: async () => undefined },
    async (file, line) => void (file === format.mainFile && (await to(line))),
  );
  return { timeZone: source.timeZone, ...counts, mediaFiles: 0, mediaBytes: 0, missing: [] };
}

async function writeRecords(
  { format, onProgress }: { readonly format: ExportFormat; readonly onProgress: OnProgress },
  archive: ExportedArchive,
  write: (file: string, line: string) => Promise<void>,
) {
  const counts = { users: 0, flags: 0, calls: 0, chats: 0 };
  const bytesTotal = archive.rows.measure();
  let bytesDone = 0;
  for await (const { file, kind, chats = 0, value, bytes } of format.lines(archive)) {
    await write(file, JSON.stringify(value));
    counts[kind] += 1;
    counts.chats += chats;
    onProgress({ step: "records", bytesDone: (bytesDone += bytes), bytesTotal });
  }
  return counts;
}

function checkDays({ fromDay, toDay }: ExportOptions): void {
  for (const [name, day] of Object.entries({ from: fromDay, to: toDay })) {
    const fault = day === undefined ? undefined : findDayFault(day);
    if (fault !== undefined) throw new ArchiveError(`${name}: ${fault}`);
  }
  if (fromDay !== undefined && toDay !== undefined && fromDay > toDay)
    throw new ArchiveError(`from: ${fromDay} is after ${toDay}`);
}

function toSpan({ fromDay, toDay }: ExportOptions, timeZone: string): ExportedSpan {
  return {
    fromMs: fromDay === undefined ? undefined : toDayRange(fromDay, fromDay, timeZone).fromMs,
    untilMs: toDay === undefined ? undefined : toDayRange(toDay, toDay, timeZone).untilMs,
  };
}
