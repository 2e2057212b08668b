// How long a search takes in archives of different sizes, with every right and with few.
import type { Visibility } from "@call-media/store";
import { createArchive, createTemporaryFolder } from "../archive.ts";
import { measureTimes, type Times } from "../measure.ts";
import { createRows } from "../rows.ts";
import { type Line, printTable } from "../table.ts";
import { createQueries, RESTRICTED } from "./queries.ts";

type Measured = ReadonlyMap<string, Times>;

const EYES: Readonly<Record<string, Visibility>> = {
  "every right": [],
  "three lists of twenty allowed values": RESTRICTED,
};

/** Builds an archive of each size, asks it, and removes it; the ratio is that of the last size to the first. */
export async function benchSearch(sizes: readonly number[]): Promise<void> {
  const results: Record<string, Measured>[] = [];
  for (const rows of sizes) results.push(await measureArchive(rows));
  for (const eyes of Object.keys(EYES)) {
    const lines = toLines(
      sizes,
      results.map((result) => result[eyes] ?? new Map()),
    );
    printTable(`Search, one year of two, with ${eyes} (ms)`, lines);
  }
}

async function measureArchive(rows: number): Promise<Record<string, Measured>> {
  await using folder = await createTemporaryFolder();
  await using store = await createArchive(folder.path, createRows(rows));
  const queries = Object.entries(createQueries(rows));
  const measured: Record<string, Measured> = {};
  for (const [eyes, visibility] of Object.entries(EYES)) {
    const times = new Map<string, Times>();
    for (const [name, ask] of queries) {
      const found = await measureTimes((index) => ask(store, visibility, index));
      times.set(name, found);
    }
    measured[eyes] = times;
  }
  return measured;
}

function toLines(sizes: readonly number[], results: readonly Measured[]): Line[] {
  const heads = sizes.flatMap((rows) => [`${rows.toLocaleString("en")} p50`, "p95"]);
  const names = [...(results[0]?.keys() ?? [])];
  const lines = names.map((name) => {
    const times = results.map((result) => result.get(name) ?? { p50Ms: NaN, p95Ms: NaN });
    const ratio = (times.at(-1)?.p50Ms ?? NaN) / (times[0]?.p50Ms ?? NaN);
    const figures = times.flatMap(({ p50Ms, p95Ms }) => [p50Ms.toFixed(2), p95Ms.toFixed(2)]);
    return [name, ...figures, ratio.toFixed(1)];
  });
  return [["", ...heads, "ratio"], ...lines];
}
