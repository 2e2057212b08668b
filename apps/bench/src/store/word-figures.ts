// Searches by words (D30): what they cost an import, and how long they take.
import type { MetadataRecord } from "@call-media/store";
import { parseQuery } from "@call-media/words";
import { createArchive, createTemporaryFolder } from "../archive.ts";
import { toMedian } from "../measure.ts";
import { createRandom } from "../random.ts";
import { createRows } from "../rows.ts";
import { RESTRICTED, YEAR } from "../search/queries.ts";
import { printTable } from "../table.ts";
import { measureBeside, type Rules } from "./beside.ts";
import { toText } from "./store-figures.ts";

/** Enough to merge segments; more would take as long again as the rest of the measurement. */
const MAX_ROWS = 100_000;
const IMPORTS = 3;
const WORDS_OF_A_TEXT = 200;

const QUESTIONS = {
  "a word of 1 in 20 calls": "zzcommon",
  "a word of 1 in 1,000": "zzmiddle",
  "three words": "zzcommon aa ab",
  "a beginning": "zz*",
  "an ending of 4 digits": "0121",
  "a phrase": '"early termination"',
} as const;

/** Prints both for up to 100,000 rows, a third of them with a text of 200 words. */
export async function printWords(rows: number, rules: Rules): Promise<void> {
  const count = Math.min(rows, MAX_ROWS);
  const costs = { searched: [] as number[], stored: [] as number[] };
  for (let turn = 0; turn < IMPORTS; turn += 1)
    for (const field of ["transcript", "custom_field_20"] as const) {
      await using folder = await createTemporaryFolder();
      const given = [...createTexts(count, field)];
      const before = process.cpuUsage();
      await using _ = await createArchive(folder.path, given);
      const { user, system } = process.cpuUsage(before);
      costs[field === "transcript" ? "searched" : "stored"].push((user + system) / count);
    }
  const [searched, stored] = [toMedian(costs.searched), toMedian(costs.stored)];
  printTable("An import of texts of 200 words (CPU us a call)", [
    ["as transcripts", "in a field without words", "ratio"],
    [toText(searched), toText(stored), (searched / stored).toFixed(2)],
  ]);

  await using folder = await createTemporaryFolder();
  await using store = await createArchive(folder.path, createTexts(count, "transcript"));
  const ask = (typed: string, visibility = RESTRICTED) => {
    const search = { ...YEAR, filter: {}, pageIndex: 0, isCounted: true, visibility };
    return async () => await store.calls.search({ ...search, words: parseQuery(typed) });
  };
  const lines: string[][] = [];
  for (const [name, typed] of Object.entries(QUESTIONS)) {
    const { all, restricted } = await measureBeside(
      { all: ask(typed, []), restricted: ask(typed) },
      rules,
    );
    lines.push([name, toText(all?.cpuMs), toText(restricted?.cpuMs)]);
  }
  printTable(`Words, page 0 and count of ${count} calls (p50, ms of CPU time)`, [
    ["", "all rights", "few rights"],
    ...lines,
  ]);
}

function* createTexts(
  count: number,
  field: "transcript" | "custom_field_20",
): Generator<MetadataRecord> {
  const random = createRandom(7);
  let index = 0;
  for (const row of createRows(count)) {
    // Skewed, as words are: a few make up most of a text.
    const words = Array.from({ length: WORDS_OF_A_TEXT }, () =>
      (random.skewed(40) * 36 + random.skewed(1000) + 370).toString(36),
    );
    if (random.isOneIn(7)) words.push("zzcommon");
    if (random.isOneIn(333)) words.push("zzmiddle");
    if (random.isOneIn(70)) words.push("early", "termination");
    if (random.isOneIn(50)) words.push("termination", "early");
    yield index++ % 3 === 0 ? { ...row, [field]: words.join(" ") } : row;
  }
}
