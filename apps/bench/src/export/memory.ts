// Measures the memory of an export, including that of a day with many recordings.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Goal } from "../goals.ts";
import { LAST_DAY } from "../rows.ts";
import { startServing } from "../serving/program.ts";
import { createContenders } from "./contenders.ts";
import { createExportArchive } from "./export-archive.ts";

const MOST_BYTES = 150e6;

export const toMemoryGoal = (what: string, peakBytes: number): Goal => ({
  what: `${what}: peak memory, of 150 MB`,
  measured: peakBytes / MOST_BYTES,
  is: "at most",
  limit: 1,
});

/** Measures a day whose calls each have a recording: the export holds names and numbers of a day until it is done. */
export async function measureHeavyDay(
  folder: string,
  program: string,
  calls: number,
): Promise<Goal> {
  const directory = join(folder, "archive-of-a-day");
  await mkdir(directory);
  const size = { calls, recordings: calls, lengths: "blip", day: LAST_DAY } as const;
  const archive = await createExportArchive(directory, size);
  await using serving = await startServing({ directory, logFile: join(folder, "service.log") });
  const world = { folder, program, serving, archive };
  const { peakBytes } = await (await createContenders(world)).exported();
  const what = `export of ${calls.toLocaleString("en")} recordings of one day`;
  console.log(`\nAn ${what}: peak ${(peakBytes / 1e6).toFixed(0)} MB`);
  return toMemoryGoal(what, peakBytes);
}
