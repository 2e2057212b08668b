// kill -9 during an import, at points nobody chose: what was written is whole, and the next run completes it.
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { importFiles } from "@call-media/import";
import { createStore } from "@call-media/store/sqlite";
import { expect, test } from "vitest";
import { makeFolder } from "./support/archive.ts";
import { expectWell, summarize, type Summary } from "./support/archive-check.ts";
import { importInto, SOME_REJECTED } from "./support/importing.ts";
import type { Program } from "./support/process.ts";
import { createRandom } from "./support/random.ts";
import { toNumber } from "./support/scale.ts";
import { type Source, writeSource } from "./support/source.ts";

const KILLS = toNumber("KILLS", { short: 6, long: 200 });
const ROWS = toNumber("KILL_ROWS", { short: 2_400, long: 6_000 });
// A transaction of an import has up to 80 MiB of rows, and there have to be several. Blanks are not kept, and so cost little.
const ROW_CHARACTERS = toNumber("KILL_ROW_CHARACTERS", { short: 75_000, long: 40_000 });
const SEED = toNumber("KILL_SEED", { short: 1, long: 1 });

test(`kill -9 at ${KILLS} points of an import, each completed by another run`, async () => {
  const folder = await makeFolder();
  const source = await writeSource(join(folder, "source"), "calls", ROWS);
  await lengthenRows(source.path);
  const whole = join(folder, "whole");
  const running = importInto(whole, source);
  await untilBegun(whole, running);
  const begunMs = performance.now();
  expect(await running.ended).toMatchObject({ code: SOME_REJECTED });
  const lastsMs = performance.now() - begunMs;
  const expected = summarize(whole);
  await expectWell(whole);

  const random = createRandom(SEED);
  const left: number[] = [];
  const isAmid = (rows: number) => rows > 0 && rows < expected.calls + expected.chats;
  // More, on a machine so uneven that each came before the first transaction or after the last.
  for (let kill = 0; kill < KILLS || (kill < 5 * KILLS && !left.some(isAmid)); kill += 1) {
    const directory = join(folder, `archive-${kill}`);
    // On a machine that has become busier since, the first transaction may take longer than all of it took then.
    const early = left.filter((rows) => rows === 0).length;
    await killAfter(random() * lastsMs * (1 + early / 4), directory, source);
    left.push(await checkLeft(directory));
    await complete(directory, source, expected);
    await rm(directory, { recursive: true });
  }

  console.log(`rows of ${expected.calls + expected.chats} that the kills left: ${left.join(" ")}`);
  expect(left.some(isAmid)).toBe(true);
});

async function lengthenRows(path: string): Promise<void> {
  const rows = (await readFile(path, "utf8")).trimEnd().split("\n");
  await writeFile(
    path,
    rows.map((row) => `${row.padEnd(ROW_CHARACTERS)}\n`),
  );
}

async function killAfter(ms: number, directory: string, source: Source): Promise<void> {
  const running = importInto(directory, source);
  await untilBegun(directory, running);
  await Promise.race([setTimeout(ms), running.ended]);
  await running.kill();
}

// Before there is a database, nothing is at stake.
async function untilBegun(directory: string, { child }: Program): Promise<void> {
  while (!existsSync(join(directory, "archive.db")) && child.exitCode === null) await setTimeout(2);
}

/** The rows that are there; the archive has to fit together and to have counted what it has. */
async function checkLeft(directory: string): Promise<number> {
  // The first program that opens the archive repairs what the kill has left.
  await using store = await createStore({ directory });
  await expectWell(directory);
  const { calls, chats } = summarize(directory);
  expect((await store.importedRows()).imported).toBe(calls + chats);
  return calls + chats;
}

async function complete(directory: string, source: Source, expected: Summary): Promise<void> {
  await using store = await createStore({ directory });
  const before = (await store.importedRows()).imported;
  const { read, imported, unchanged, rejected } = await importFiles({
    store,
    paths: [source.path],
    format: "jsonl",
  });
  expect({ read, rejected }).toEqual({
    read: source.expected.read,
    rejected: source.expected.rejected,
  });
  expect(imported).toBe(source.expected.imported - before);
  expect(read).toBe(imported + unchanged + rejected);
  expect(summarize(directory)).toEqual(expected);
  expect(await expectWell(directory)).toEqual([]);
}
