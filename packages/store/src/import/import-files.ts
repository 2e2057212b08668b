// Running an import: rows from files into the store, batch by batch, and an account of every one of them.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { ImportSession, Outcome } from "../call-store.ts";
import { isTimeZone } from "../values/instant.ts";
import { type Account, createAccount } from "./account.ts";
import { createCsvReader } from "./formats/csv/csv-reader.ts";
import {
  type Format,
  ImportError,
  type ImportOptions,
  type ImportReport,
} from "./import-options.ts";
import { createJsonlReader } from "./formats/jsonl/jsonl-reader.ts";
import { createRowPreparer, type PreparedRow } from "./prepare-row.ts";
import { findSourceFiles, isSameFile, type SourceFiles } from "./source-files.ts";
import type { Reader } from "./source-row.ts";
import { createVconReader } from "./formats/vcon/vcon-reader.ts";

// A transaction holds the write lock, for which sign-ins wait: this many rows take about a third of a second.
const BATCH_ROWS = 5_000;
const BATCH_CHARACTERS = 8 * 1024 * 1024;

interface FormatReader {
  /** What the files of the format end in, where a folder is given. */
  readonly extensions: readonly string[];
  readonly create: (options: ImportOptions) => Reader | Promise<Reader>;
}

const READERS = {
  jsonl: { extensions: [".jsonl", ".ndjson"], create: createJsonlReader },
  vcon: { extensions: [".json", ".vcon"], create: createVconReader },
  csv: { extensions: [".csv", ".tsv"], create: createCsvReader },
} satisfies Record<Format, FormatReader>;

export const FORMATS: readonly Format[] = ["jsonl", "vcon", "csv"];

/**
 * Imports files into the archive that `store` has open. A row is written whole or not at all, and what the archive has
 * already is left alone, so an import can be run again. Throws `ImportError` when it cannot begin (nothing is written
 * then) or cannot go on (whole batches are written then, and running it again completes them).
 */
export async function importFiles(options: ImportOptions): Promise<ImportReport> {
  const { extensions, create }: FormatReader = READERS[options.format];
  checkOptions(options);
  const reader = await create(options);
  const sources = await findSourceFiles(options.paths, extensions);
  await checkPlaces(options, sources);
  await using account = createAccount(options.rejectFile);
  await using session = await options.store.openImport();
  const report = () =>
    options.onProgress?.({
      bytesRead: sources.bytesRead(),
      bytesTotal: sources.bytesTotal,
      read: account.read,
    });

  for await (const batch of toBatches(prepareRows(options, reader, sources))) {
    await writeBatch(session, account, batch);
    report();
  }
  return account.report();
}

async function* prepareRows(
  options: ImportOptions,
  reader: Reader,
  { files }: SourceFiles,
): AsyncGenerator<PreparedRow> {
  const prepare = createRowPreparer(options.store, options.timeZone);
  for (const file of files) {
    const toPrepared = prepare(file.name, options.mediaDirectory ?? dirname(file.path));
    for await (const row of reader(file)) yield await toPrepared(row);
  }
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

async function writeBatch(
  session: ImportSession,
  account: Account,
  batch: readonly PreparedRow[],
): Promise<void> {
  const rows = batch.flatMap(({ content }) => ("items" in content ? [content.items] : []));
  const written = await session.write(rows, batch.length - rows.length);
  let next = 0;
  const toOutcome = ({ content }: PreparedRow): Outcome => {
    if ("rejected" in content) return content;
    return written[next++] ?? { rejected: "the store gave no answer for this row" };
  };
  await account.book(
    batch.map((row) => ({ file: row.file, line: row.line, raw: row.raw, outcome: toOutcome(row) })),
  );
}

function checkOptions({ format, mappingFile, timeZone }: ImportOptions): void {
  if (format === "csv" && mappingFile === undefined)
    throw new ImportError("csv needs a mapping file that says which column is which field");
  if (format !== "csv" && mappingFile !== undefined)
    throw new ImportError(`${format} takes no mapping file: it has its own fields`);
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
}

async function checkFolder(path: string, what: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new ImportError(`${what}, ${path}, is no folder`);
}
