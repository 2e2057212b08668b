// A continuous import: each file that arrives in a folder is imported once, when it is complete. A state file has the outcomes.
import { createHash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { mkdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, resolve, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { toExtensions } from "./choose-readers.ts";
import { openFormats } from "./formats/formats.ts";
import { ImportError } from "./import-error.ts";
import type { ImportOptions, SoundCounts } from "./import-options.ts";
import { listMappingFiles } from "./maps.ts";
import { listFolder, toSystemFault } from "./source-files.ts";
import { type FileRecord, type FileState, type LogMark, openImportState } from "./import-state.ts";

export interface NewFilesOptions extends Pick<ImportOptions, "format" | "mapsDirectory"> {
  /** Files and folders. A folder may be empty; names that begin with a dot or end like `.part` are files of others. */
  readonly paths: readonly string[];
  /** A JSON line for each file that was read; made at the first run. */
  readonly stateFile: string;
  /** How long a file must not have changed, in ms. */
  readonly settleMs: number;
  /** A digest of what decides how files are read: one that stopped or was rejected in part is imported again when it changes. */
  readonly by: string;
  /** Imports one file. If it throws, the run ends, and the next one reads the file again. */
  readonly importFile: (path: string) => Promise<FileOutcome>;
  /** True if the archive has this row of its access log. Without it, as in one that was restored, its files are imported again. */
  readonly hasRow: (log: LogMark) => Promise<boolean>;
}

export interface FileOutcome {
  readonly state: Exclude<FileState, "repeated">;
  /** The newest row of the access log of the archive that has its rows. */
  readonly log?: LogMark | undefined;
  /** Rows by outcome. */
  readonly rows?: Readonly<Record<string, number>> | undefined;
  /** Recordings by the faults of their sound. */
  readonly sound?: SoundCounts | undefined;
  /** Why it stopped or failed: a sentence without its end. */
  readonly reason?: string | undefined;
}

export interface NewFilesReport {
  /** False if another run of the same state file was going on: nothing was done. */
  readonly isAlone: boolean;
  /** Files that this run read. */
  readonly taken: readonly FileRecord[];
  /** Files that may still grow. */
  readonly waiting: readonly WaitingFile[];
  /** Files that were there when the run began, and are not any more. */
  readonly gone: readonly string[];
  /** The latest of each file that is there. */
  readonly present: readonly FileRecord[];
  /** The latest of each file that was ever read. */
  readonly all: readonly FileRecord[];
}

export interface WaitingFile {
  readonly file: string;
  /** When it was made, in ms since 1970. */
  readonly sinceMs: number;
}

/**
 * Imports the files that are new or have changed, one after the other, by the date in their names or else of their last change.
 * Throws `ImportError` for a path that cannot be read, and for a state file that is none.
 */
export async function importNewFiles(options: NewFilesOptions): Promise<NewFilesReport> {
  const { paths, stateFile, by, settleMs, importFile, hasRow } = options;
  const nowMs = Date.now();
  checkApart(stateFile, paths);
  await mkdir(dirname(stateFile), { recursive: true });
  using lock = takeLock(stateFile);
  if (!lock.isTaken)
    return { isAlone: false, taken: [], waiting: [], gone: [], present: [], all: [] };
  await using state = await openImportState(stateFile);
  const taken: FileRecord[] = [];
  const waiting: WaitingFile[] = [];
  const gone: string[] = [];
  // The archive has nothing of a file that stopped or failed.
  const isInArchive = async (record: FileRecord) =>
    record.state === "stopped" || record.state === "failed" || taken.includes(record)
      ? true
      : record.log !== undefined && (await hasRow(record.log));
  const formats = await openFormats(options.mapsDirectory);
  const candidates = await listCandidates(paths, toExtensions({ ...options, formats }));
  for (const { file, found } of candidates) {
    const known = state.get(file);
    const isOther = known !== undefined && mayDiffer(known, by);
    if (known !== undefined && !isOther && isUnchanged(known, found) && (await isInArchive(known)))
      continue;
    // A copied file may have the time of its source, set by another clock.
    if (nowMs - Math.floor(found.ctimeMs) < settleMs) {
      waiting.push({ file, sinceMs: found.birthtimeMs });
      continue;
    }
    if ((await findStats(file)) === undefined) {
      gone.push(file);
      continue;
    }
    const sha256 = await digest(file);
    const alike = isOther ? undefined : state.findContent(sha256);
    const same = alike && (await isInArchive(alike)) ? alike : undefined;
    const outcome = same === undefined ? await importFile(file) : toRepeated(file, same);
    const now = await findStats(file);
    if (now === undefined) {
      gone.push(file);
      continue;
    }
    // The file was written to during the import.
    if (!isUnchanged(toTimes(found), now)) {
      waiting.push({ file, sinceMs: found.birthtimeMs });
      continue;
    }
    const record = {
      file,
      ...toTimes(found),
      sha256,
      by,
      at: new Date().toISOString(),
      ...outcome,
    };
    await state.add(record);
    if (same === undefined) taken.push(record);
  }
  const present = candidates.flatMap(({ file }) => state.get(file) ?? []);
  return { isAlone: true, taken, waiting, gone, present, all: state.list() };
}

/** A file of which only the times changed keeps its outcome. */
const toRepeated = (
  file: string,
  { file: other, state, log, rows, sound, reason }: FileRecord,
): Pick<FileRecord, "state" | "log" | "rows" | "sound" | "reason"> =>
  other === file
    ? { state, log, rows, sound, reason }
    : { state: "repeated", log, reason: `it has the content of ${other}` };

/** A file that failed may be readable by now; a mapping that was corrected reads others. */
const mayDiffer = ({ state, by: before }: FileRecord, by: string) =>
  state === "failed" || (MENDABLE.has(state) && before !== by);

const MENDABLE: ReadonlySet<FileState> = new Set(["stopped", "rejected", "doubtful"]);

const findStats = (file: string) => stat(file).catch(() => undefined);

type Times = Pick<FileRecord, "bytes" | "modifiedMs" | "changedMs">;

const toTimes = ({ size, mtimeMs, ctimeMs }: Stats): Times => ({
  bytes: size,
  modifiedMs: mtimeMs,
  changedMs: ctimeMs,
});

const isUnchanged = (known: Times, found: Stats) =>
  known.bytes === found.size &&
  known.modifiedMs === found.mtimeMs &&
  known.changedMs === found.ctimeMs;

function checkApart(stateFile: string, paths: readonly string[]): void {
  const file = resolve(stateFile);
  const folder = paths.find(
    (path) => file === resolve(path) || file.startsWith(resolve(path) + sep),
  );
  if (folder !== undefined)
    throw new ImportError(
      `the state file ${stateFile} lies in ${folder}, which is imported: keep it elsewhere`,
    );
}

// Others write them, and rename them when they are complete.
const UNFINISHED = /^\.|\.(?:part|partial|tmp|filepart|crdownload)$/i;

interface Candidate {
  readonly file: string;
  readonly found: Stats;
}

async function listCandidates(
  paths: readonly string[],
  extensions: readonly string[],
): Promise<readonly Candidate[]> {
  const listed = await Promise.all(paths.map((path) => listFolder(path, extensions)));
  const files = [...new Set(listed.flat())].filter((file) => !UNFINISHED.test(basename(file)));
  const candidates: Candidate[] = [];
  for (const file of files) {
    const found = await findStats(file);
    if (found?.isFile() === true) candidates.push({ file, found });
  }
  const toOrder = ({ file, found }: Candidate) => `${toDay(file) ?? toIso(found)} ${file}`;
  return candidates.toSorted((one, other) => (toOrder(one) < toOrder(other) ? -1 : 1));
}

const toIso = ({ mtimeMs }: Stats) => new Date(mtimeMs).toISOString();

/** The date in its name, with the time that may follow. */
function toDay(file: string): string | undefined {
  const [, year, month, day, rest = ""] =
    /(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(.*)$/.exec(basename(file)) ?? [];
  const time = /^[T_-]?\d{2,6}(?!\d)/.exec(rest)?.[0].replace(/\D/g, "") ?? "";
  return year === undefined ? undefined : `${year}-${month}-${day}T${time}`;
}

async function digest(file: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  } catch (error) {
    return `unreadable: ${toSystemFault(error)}`; // its import says so
  }
  return hash.digest("hex");
}

const BUSY = 5; // SQLITE_BUSY

/** A lock of SQLite goes with its process, however that ends. */
function takeLock(stateFile: string): Disposable & { readonly isTaken: boolean } {
  const database = new DatabaseSync(`${stateFile}.lock`);
  const close = () => database.close();
  try {
    database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    return { isTaken: true, [Symbol.dispose]: close };
  } catch (error) {
    if (!(error instanceof Error && "errcode" in error && error.errcode === BUSY)) throw error;
    return { isTaken: false, [Symbol.dispose]: close };
  }
}

/** The digest of mapping files and of other settings, see `by`. Throws `ImportError` for a file that cannot be read. */
export async function digestSettings(
  mappings: readonly string[],
  settings: object,
): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(settings));
  for (const path of mappings)
    for (const file of await listMappingFiles(path)) hash.update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}
