// Writes an archive in a form that an import reads back: records as lines of files, recordings next to them.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type {
  Days,
  HistoryState,
  Maintenance,
  OnProgress,
  Scan,
  ScannedRow,
} from "@call-media/store";
import { readDuration } from "./duration.ts";
import { createFileCopier, type MissingFile } from "./files.ts";
import { createExportFolder, type ExportFolder } from "./folder.ts";
import { createHistoryWriter } from "./history.ts";
import { HISTORY } from "./names.ts";
import type { ExportedArchive, ExportedCall, ExportedRecording, ExportFormat } from "./format.ts";

export interface ExportOptions extends Days {
  readonly archive: Maintenance;
  /** How records are written: one of `EXPORT_FORMATS`. */
  readonly format: ExportFormat;
  /** An empty or missing folder; or a receiver of lines, which then come without the files of the recordings. */
  readonly to: string | ((line: string) => Promise<void>);
  /** For a folder: also writes the earlier states to `history.jsonl`, in this form. Imports do not read them. */
  readonly toHistoryLine?: ((state: HistoryState) => object) | undefined;
  /** True to write a folder without damaged records; otherwise damage prevents the export. */
  readonly skipsDamaged?: boolean | undefined;
  readonly onProgress?: OnProgress | undefined;
  /**
   * The operator's name, for a row of the access log before anything is written. Without it there is no row; a backup,
   * which must stay unchanged, gets none either.
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
  /** Earlier states; absent if they were not asked for. */
  readonly states?: number;
  /** Recordings whose file is missing or damaged: their calls are exported without them. */
  readonly missing: readonly MissingFile[];
  /** Records that are not what was imported, in the words of `ScannedRow`: they are not in the export, which would call them well. */
  readonly damaged: readonly string[];
  /** False if records are damaged, and the folder was not written for that. */
  readonly isWritten: boolean;
}

/**
 * Exports calls, their chats and, whatever the days, all users and flags; credentials and the access log never. The
 * service and imports may run meanwhile: the records are those of one moment. Memory does not grow with the archive.
 * Throws `ArchiveError`; then nothing is left of the export.
 */
export async function exportArchive(options: ExportOptions): Promise<ExportReport> {
  const { archive, to, fromDay, toDay } = options;
  await using scan = await archive.scan({ fromDay, toDay, act: toAct(options) });
  const watched = watchDamaged(scan);
  return typeof to === "string"
    ? await writeFolder(options, watched, to)
    : await writeLines(options, watched, to);
}

type WatchedScan = Pick<Scan, "archiveId" | "timeZone" | "bytes" | "rows"> & {
  /** The damaged rows. */
  readonly damaged: readonly string[];
};

function watchDamaged(scan: Scan): WatchedScan {
  const { archiveId, timeZone, bytes } = scan;
  const damaged: string[] = [];
  return {
    archiveId,
    timeZone,
    bytes,
    damaged,
    rows: async function* () {
      for await (const row of scan.rows()) {
        damaged.push(...(row.damaged ?? []));
        yield row;
      }
    },
  };
}

function toAct({ operator, format, to, fromDay, toDay }: ExportOptions) {
  if (operator === undefined) return undefined;
  const out = typeof to === "string" ? to : null;
  const asked = { format: format.name, out, from: fromDay ?? null, to: toDay ?? null };
  return { operation: "export", operator, asked } as const;
}

// Recordings first: once the first row is read, the records are those of one moment, which some stores pay for as long as it lasts.
async function writeFolder(
  options: ExportOptions,
  scan: WatchedScan,
  to: string,
): Promise<ExportReport> {
  const { archive, format, fromDay, toDay, skipsDamaged = false } = options;
  const createdAt = new Date().toISOString();
  await using folder = await createExportFolder(to);
  const copier = createFileCopier(archive.media, folder.path);
  await mkdir(join(folder.path, "media"), { mode: 0o700 });
  const copied = await copyRecordings(options, copier);
  const history = createHistory(options, folder);
  const counts = await writeRecords(
    options,
    {
      scan: history === undefined ? scan : watchRows(scan, history.take),
      createdAt,
      recordingsOf: (call) => takeRecordings(copier, call),
      durationOf: ({ file, filename }) =>
        readDuration(join(folder.path, file.place), { filename, contentType: file.type }),
    },
    (file, line) => folder.write(file, line),
  );
  // Where there is nothing an import finds no file, and takes the folder for a wrong one.
  if (Object.values(counts).every((count) => count === 0)) await folder.begin(format.mainFile);
  const missing = [...copier.missing.values()];
  const { timeZone } = scan;
  const past = await history?.end();
  const damaged = [...scan.damaged, ...(past?.damaged ?? [])];
  const states = past && { states: past.states };
  const facts = { timeZone, ...counts, ...copied, ...states, missing, damaged };
  const days = { fromDay: fromDay ?? null, toDay: toDay ?? null };
  const isWritten = damaged.length === 0 || skipsDamaged;
  if (isWritten) await folder.publish({ format: format.name, createdAt, ...days, ...facts });
  return { ...facts, isWritten };
}

function createHistory({ archive, toHistoryLine }: ExportOptions, folder: ExportFolder) {
  if (toHistoryLine === undefined) return undefined;
  const write = (line: string) => folder.write(HISTORY, line);
  return createHistoryWriter({ archive, toLine: toHistoryLine, write });
}

const watchRows = (scan: WatchedScan, take: (row: ScannedRow) => Promise<void>): WatchedScan => ({
  ...scan,
  rows: async function* () {
    for await (const row of scan.rows()) {
      await take(row);
      yield row;
    }
  },
});

type FileCopier = ReturnType<typeof createFileCopier>;

async function copyRecordings(
  { archive, fromDay, toDay, onProgress = () => {} }: ExportOptions,
  copier: FileCopier,
): Promise<{ mediaFiles: number; mediaBytes: number }> {
  await using referenced = await archive.referencedMedia({ fromDay, toDay, isCurrent: true });
  let [mediaFiles, mediaBytes] = [0, 0];
  for await (const { media, filename, callId } of referenced) {
    if ((await copier.take(media, { filename, callId })) !== undefined) mediaFiles += 1;
    mediaBytes += media.bytes;
    onProgress({ step: "recordings", bytesDone: mediaBytes, bytesTotal: referenced.bytes });
  }
  return { mediaFiles, mediaBytes };
}

/** Also those of calls that were imported since the others were copied. */
async function takeRecordings(
  copier: FileCopier,
  { record, recordings }: ExportedCall,
): Promise<ExportedRecording[]> {
  const taken: ExportedRecording[] = [];
  for (const { filename, startMs, media } of recordings) {
    const file = await copier.take(media, { filename, callId: record.call_id });
    if (file !== undefined) taken.push({ filename, startMs, file });
  }
  return taken;
}

async function writeLines(
  options: ExportOptions,
  scan: WatchedScan,
  to: (line: string) => Promise<void>,
): Promise<ExportReport> {
  const createdAt = new Date().toISOString();
  const { mainFile } = options.format;
  const counts = await writeRecords(
    options,
    { scan, createdAt, recordingsOf: async () => [], durationOf: async () => undefined },
    async (file, line) => void (file === mainFile && (await to(line))),
  );
  const { timeZone, damaged } = scan;
  const noMedia = { mediaFiles: 0, mediaBytes: 0, missing: [] };
  return { timeZone, ...counts, ...noMedia, damaged, isWritten: true };
}

async function writeRecords(
  { format, onProgress = () => {} }: ExportOptions,
  archive: ExportedArchive,
  write: (file: string, line: string) => Promise<void>,
) {
  const counts = { users: 0, flags: 0, calls: 0, chats: 0 };
  const bytesTotal = archive.scan.bytes;
  let bytesDone = 0;
  for await (const { file, kind, chats = 0, value, bytes } of format.lines(archive)) {
    await write(file, JSON.stringify(value));
    counts[kind] += 1;
    counts.chats += chats;
    onProgress({ step: "records", bytesDone: (bytesDone += bytes), bytesTotal });
  }
  return counts;
}
