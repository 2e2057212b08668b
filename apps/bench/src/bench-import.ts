// How fast files go into an archive, with every index kept up to date as they do.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { importFiles } from "@call-media/store/import";
import { createStore } from "@call-media/store/sqlite";
import { createTemporaryFolder } from "./archive.ts";
import { measureSpent } from "./measure.ts";
import { createRows, writeJsonl } from "./rows.ts";
import { printTable } from "./table.ts";

/** Reads, checks and writes a jsonl file of `rows` calls, in this process: all of its CPU time counts. */
export async function benchImport(rows: number): Promise<void> {
  await using folder = await createTemporaryFolder();
  const source = join(folder.path, "calls.jsonl");
  await writeJsonl(source, createRows(rows));
  const directory = join(folder.path, "archive");
  const store = await createStore({ directory });
  const { cpuSeconds, wallSeconds } = await measureSpent(async () => {
    const report = await importFiles({ store, paths: [source], format: "jsonl" });
    if (report.imported !== rows) throw new Error(`${report.imported} of ${rows} were imported`);
  });
  await store[Symbol.asyncDispose](); // leaves everything in one file
  const bytesPerRow = async (path: string) => ((await stat(path)).size / rows).toFixed(0);

  printTable(`Import of ${rows.toLocaleString("en")} calls from jsonl`, [
    ["rows per CPU second", "rows per second", "bytes a row: file", "archive"],
    [
      (rows / cpuSeconds).toFixed(0),
      (rows / wallSeconds).toFixed(0),
      await bytesPerRow(source),
      await bytesPerRow(join(directory, "archive.db")),
    ],
  ]);
}
