// Tables for tests, read by a mapping.
import { type ImportOptions, type ImportReport, importFiles } from "../../src/index.ts";
import type { CallStore } from "@call-media/store";
import { writeLines } from "./archives.ts";

export async function importCsv(
  store: CallStore,
  mapping: object,
  lines: readonly string[],
  options: Partial<ImportOptions> = {},
): Promise<ImportReport> {
  const mappingFile = await writeLines("map.json", [mapping]);
  return await importFiles({
    store,
    paths: [await writeLines("log.csv", lines)],
    format: "csv",
    mappingFile,
    ...options,
  });
}
