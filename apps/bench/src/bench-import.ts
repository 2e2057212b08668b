// Measures how fast files are imported, with every index kept up to date.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { CallStore } from "@call-media/store";
import { importFiles } from "@call-media/import";
import { createStore, openStore } from "@call-media/store/sqlite";
import { createTemporaryFolder } from "./archive.ts";
import { benchRecordings } from "./import-recordings.ts";
import { measureSpent } from "./measure.ts";
import { createRows, writeJsonl } from "./rows.ts";
import { printTable } from "./table.ts";

export interface Figures {
  /** For the last tenth of the rows, when the archive is largest. */
  readonly rowsPerCpuSecond: number;
  /** In the archive's database file. */
  readonly bytesPerRow: number;
}

export interface ImportedArchive extends Figures {
  open(): Promise<CallStore>;
}

export async function benchImport(rows: number): Promise<void> {
  await using folder = await createTemporaryFolder();
  await importRows(folder.path, rows);
  await benchRecordings(folder.path);
}

/** Reads, validates and writes jsonl files of `rows` calls in this process, so that all of its CPU time counts. */
export async function importRows(folder: string, rows: number): Promise<ImportedArchive> {
  const last = Math.ceil(rows / 10);
  const sources = { first: join(folder, "first.jsonl"), last: join(folder, "last.jsonl") };
  const generated = createRows(rows);
  await writeJsonl(sources.first, takeNext(generated, rows - last));
  await writeJsonl(sources.last, generated);
  const directory = join(folder, "archive");
  const store = await createStore({ directory });
  const importFrom = (source: string, expected: number) =>
    measureSpent(async () => {
      const report = await importFiles({ store, paths: [source], format: "jsonl" });
      if (report.imported !== expected)
        throw new Error(`${report.imported} of ${expected} were imported`);
    });
  const ofFirst = await importFrom(sources.first, rows - last);
  const ofLast = await importFrom(sources.last, last);
  await store[Symbol.asyncDispose](); // leaves everything in one file
  const sizeOf = async (path: string) => (await stat(path)).size;
  const bytesPerRow = (await sizeOf(join(directory, "archive.db"))) / rows;
  const sourceBytes = (await sizeOf(sources.first)) + (await sizeOf(sources.last));
  const rowsPerCpuSecond = last / ofLast.cpuSeconds;
  printTable(`Import of ${rows.toLocaleString("en")} calls from jsonl`, [
    ["rows per CPU second", "the last tenth", "rows per second", "bytes a row: file", "archive"],
    [
      (rows / (ofFirst.cpuSeconds + ofLast.cpuSeconds)).toFixed(0),
      rowsPerCpuSecond.toFixed(0),
      (rows / (ofFirst.wallSeconds + ofLast.wallSeconds)).toFixed(0),
      (sourceBytes / rows).toFixed(0),
      bytesPerRow.toFixed(0),
    ],
  ]);
  return { rowsPerCpuSecond, bytesPerRow, open: () => openStore({ directory }) };
}

// Unlike `take`, it leaves the rest to the next caller.
function* takeNext<T>(from: Iterator<T, void>, count: number): Generator<T> {
  for (let taken = 0; taken < count; taken += 1) {
    const next = from.next();
    if (next.done === true) return;
    yield next.value;
  }
}
