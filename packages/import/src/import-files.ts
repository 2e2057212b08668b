// Runs an import: rows from files into the store, batch by batch, and a report that counts every row.
import { stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { CallStore, ImportSession, Outcome } from "@call-media/store";
import { createMemoryStore } from "@call-media/store/memory";
import { isTimeZone } from "@call-media/store/values";
import {
  type ReportBuilder,
  checkRejectFile,
  createReportBuilder,
  toSummary,
} from "./report-builder.ts";
import { chooseReaders, toExtensions, toTurns } from "./choose-readers.ts";
import { openFormats } from "./formats/formats.ts";
import { ImportError } from "./import-error.ts";
import type { ImportOptions, ImportReport, Notice } from "./import-options.ts";
import { createDoubts } from "./doubts/doubts.ts";
import { toOrphanDoubts } from "./doubts/orphans.ts";
import { eachInOrder, type Work } from "./each-in-order.ts";
import { createLateRows, type LateGroup, type LateRows } from "./late-rows.ts";
import {
  createRowPreparer,
  type LateRow,
  type Prepare,
  type PreparedRow,
  type RowPreparer,
} from "./prepare-row.ts";
import { type ReadRow, readJudged } from "./rehearse.ts";
import type { SourceFile } from "./source-row.ts";
import { findSourceFiles, isSameFile, type SourceFiles, toSystemFault } from "./source-files.ts";

// Rows are written in batches of this size, in some hundredths of a second. With ten times as many rows in memory, V8
// would copy most of them to its old generation.
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 1024 * 1024;

const OWNER_ONLY = 0o600;

/**
 * Imports files into the archive that `store` has open. A row is written whole or not at all, and records that the
 * archive already has stay unchanged, so an import can be run again. Throws `ImportError` when it cannot begin (nothing
 * is written then) or cannot go on (whole batches are written then, and running it again completes them).
 */
export async function importFiles(options: ImportOptions): Promise<ImportReport> {
  checkTimeZone(options);
  const formats = await openFormats(options.mapsDirectory);
  using sources = await findSourceFiles(options.paths, toExtensions({ ...options, formats }));
  await checkPlaces(options, sources);
  const openArchive = once(() => openOrCreate(options.store));
  const { timeZone = options.store.timeZone ?? "UTC" } = options;
  const reading = { ...options, formats, timeZone, openArchive: () => readArchive() };
  const { files, skipped, leftOut } = await chooseReaders(sources.files, reading);
  const doubts = createDoubts({
    readers: files.map(({ read }) => read),
    allow: options.allow ?? [],
    mediaDirectory: options.mediaDirectory,
    notSound: options.notSound,
    zone: (options.timeZone ?? options.store.timeZone) === undefined ? "unsaid" : "known",
    timeZone,
    openArchive: "create" in options.store ? undefined : openArchive,
  });
  await using report = createReportBuilder(options.rejectFile);
  await using writing = createWriting(openArchive, options);
  // A question of a reader must not create an archive that stays empty.
  const isNew = () => "create" in options.store && !writing.isBegun();
  // Recordings of rows that were rejected after the recordings had been stored.
  const spare = new Set<string>();
  const readArchive = async () => (isNew() ? createMemoryStore({ timeZone }) : openArchive());
  using late = createLateRows();
  const createPreparer = once(async () =>
    createRowPreparer(await openArchive(), await writing.begin(), reading),
  );
  const writeRows = async (rows: AsyncIterable<PreparedRow>) => {
    for await (const batch of toBatches(rows)) {
      const session = await writing.begin();
      const restored = batch.flatMap(({ content }) => ("items" in content ? content.restored : []));
      if (restored.length > 0) await options.onRestoring?.(restored);
      for (const sha256 of await writeBatch(session, report, batch)) spare.add(sha256);
      const { bytesTotal } = sources;
      options.onProgress?.({ bytesRead: sources.bytesRead(), bytesTotal, read: report.read });
    }
    await (await writing.begin()).write([]);
  };

  try {
    for (const some of toTurns(files))
      await writeRows(prepareRows({ createPreparer, reading, late }, readJudged(some, doubts)));
    if (!late.isEmpty())
      await writeRows(prepareLate({ createPreparer, begin: writing.begin }, late));
  } catch (error) {
    // Before the first row there was nothing to become of.
    throw writing.isBegun() ? toBrokenOff(error, report.build()) : error;
  }
  const notices: Notice[] = [];
  if (spare.size > 0) {
    await writing.end();
    notices.push(...(await discardSpare(await openArchive(), spare)));
  }
  const orphans = doubts.listOrphans();
  const unlisted = await writeOrphans(options.orphanFile, orphans);
  notices.push(...unlisted);
  const listed = unlisted.length === 0 ? options.orphanFile : undefined;
  const inDoubt = [...doubts.list(), ...toOrphanDoubts(orphans, listed)];
  const built = report.build();
  notices.unshift(...(built.notices ?? []));
  return {
    ...built,
    ...(notices.length > 0 && { notices }),
    ...(skipped.length > 0 && { skipped }),
    ...(leftOut.length > 0 && { leftOut }),
    ...(inDoubt.length > 0 && { doubts: inDoubt }),
  };
}

/** All rows are written by then: that recordings which no record names could not be removed is no reason to fail. */
async function discardSpare(
  store: CallStore,
  spare: ReadonlySet<string>,
): Promise<readonly Notice[]> {
  try {
    await store.maintenance.discard(spare);
    return [];
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    const text = `recordings of rejected rows stay in the archive, which did not remove them: ${fault}`;
    return [{ text, rows: spare.size }];
  }
}

/** Gives why it was not written, if so. All rows were by then: that is no reason to fail. */
async function writeOrphans(
  file: string | undefined,
  orphans: readonly string[],
): Promise<readonly Notice[]> {
  if (file === undefined || orphans.length === 0) return [];
  const lines = orphans.map((path) => `${path}\n`).join("");
  return await writeFile(file, lines, { flag: "wx", mode: OWNER_ONLY }).then(
    () => [],
    (error: unknown) => {
      const text = `the recordings that no row names are not listed: ${file} ${toSystemFault(error)}`;
      return [{ text, rows: orphans.length }];
    },
  );
}

// The rows in the report are written when the session ends. The rows of an unfinished batch are not.
function toBrokenOff(error: unknown, report: ImportReport) {
  if (!(error instanceof ImportError)) return error;
  const rows = report.read === 0 ? "no row was imported" : `until then: ${toSummary(report)}`;
  return new ImportError(`${error.message}; ${rows}`, { cause: error, report });
}

async function openOrCreate(given: ImportOptions["store"]): Promise<CallStore> {
  if (!("create" in given)) return given;
  const store = await given.create();
  if (given.timeZone === undefined || store.timeZone === given.timeZone) return store;
  throw new ImportError(
    `somebody else has made the archive meanwhile, with the time zone ${store.timeZone}: import again`,
  );
}

interface Writing extends AsyncDisposable {
  /** The session, which keeps purges away: to be called before a recording is taken into the archive. */
  readonly begin: () => Promise<ImportSession>;
  readonly isBegun: () => boolean;
  /** Closes the session. */
  readonly end: () => Promise<void>;
}

function createWriting(
  openArchive: () => Promise<CallStore>,
  {
    restoresErased,
    writer,
    countsRows,
  }: Pick<ImportOptions, "restoresErased" | "writer" | "countsRows">,
): Writing {
  let session: ImportSession | undefined;
  const begin = once(
    async () =>
      (session = await (await openArchive()).openImport({ restoresErased, writer, countsRows })),
  );
  const end = once(async () => session?.[Symbol.asyncDispose]());
  return { begin, isBegun: () => session !== undefined, end, [Symbol.asyncDispose]: end };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

interface Preparing {
  readonly createPreparer: () => Promise<RowPreparer>;
  readonly reading: Pick<ImportOptions, "mediaDirectory">;
  readonly late: LateRows;
}

/** The rows, without those that are late. */
async function* prepareRows(
  { createPreparer, reading, late }: Preparing,
  rows: AsyncIterable<ReadRow>,
): AsyncGenerator<PreparedRow> {
  async function* toWork(): AsyncGenerator<Work<PreparedRow | LateRow>, void> {
    let of: SourceFile | undefined;
    let prepare: Prepare | undefined;
    for await (const { file, row } of rows) {
      if (prepare === undefined || of !== file) {
        const directory = reading.mediaDirectory ?? dirname(file.path);
        [of, prepare] = [file, (await createPreparer()).ofFile(file.name, directory)];
      }
      const carryOut = prepare;
      yield { characters: row.raw.length, carryOut: () => carryOut(row) };
    }
  }
  for await (const row of eachInOrder(toWork()))
    if ("late" in row) late.put(row.late);
    else if ("parsed" in row.content && late.isWaitedFor(row.content.parsed))
      late.put({ ...row.content.parsed, taken: row.taken });
    else yield row;
}

/** The rows that are late, each judged with all others of its calls. */
function prepareLate(
  { createPreparer, begin }: Pick<Preparing, "createPreparer"> & Pick<Writing, "begin">,
  late: LateRows,
): AsyncIterable<PreparedRow> {
  const judge = async ({ rows, others }: LateGroup) =>
    await (
      await begin()
    ).leaveOutErased(
      [...rows, ...others].flatMap(({ entries }) => entries.map(({ item }) => item)),
    );
  async function* toWork(): AsyncGenerator<Work<PreparedRow>, void> {
    for (const group of late.listGroups()) {
      const left = once(() => judge(group));
      for (const row of group.rows)
        yield {
          characters: row.raw.length,
          carryOut: async () => (await createPreparer()).settle(row, await left()),
        };
    }
  }
  return eachInOrder(toWork());
}

async function* toBatches(
  rows: AsyncIterable<PreparedRow>,
): AsyncGenerator<readonly PreparedRow[]> {
  let batch: PreparedRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    batch.push(row);
    characters += row.raw.length;
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Gives the digests of recordings of rows that were not taken. */
async function writeBatch(
  session: ImportSession,
  report: ReportBuilder,
  batch: readonly PreparedRow[],
): Promise<readonly string[]> {
  const rows = batch.flatMap(({ content }) => ("items" in content ? [content.items] : []));
  const written = await session.write(rows, batch.length - rows.length, true);
  let next = 0;
  const toOutcome = ({ content }: PreparedRow): Outcome => {
    if ("rejected" in content) return content;
    return written[next++] ?? { rejected: "the store gave no answer for this row" };
  };
  const settled = batch.map((row) => ({ row, outcome: toOutcome(row) }));
  await report.add(
    settled.map(({ row, outcome }) => {
      const { content, taken: _taken, ...source } = row;
      const items = "items" in content ? content.items : [];
      return { ...source, items, outcome };
    }),
  );
  return settled.flatMap(({ row, outcome }) =>
    typeof outcome === "object" || outcome === "due" ? row.taken : [],
  );
}

function checkTimeZone({ timeZone }: ImportOptions): void {
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new ImportError(
      `"${timeZone}" is not a time zone: give an IANA name such as Europe/London`,
    );
  }
}

async function checkPlaces(
  { mediaDirectory, rejectFile }: ImportOptions,
  { files }: SourceFiles,
): Promise<void> {
  if (mediaDirectory !== undefined) await checkFolder(mediaDirectory, "the media folder");
  if (rejectFile === undefined) return;
  await checkFolder(dirname(rejectFile), "the folder of the reject file");
  for (const { path } of files) {
    if (await isSameFile(path, rejectFile))
      throw new ImportError(`the reject file would overwrite what is imported: ${path}`);
  }
  await checkRejectFile(rejectFile);
}

async function checkFolder(path: string, what: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new ImportError(`${what}, ${path}, is not a directory`);
}
