// What became of files is read from the journal again, whatever stood in its place before.
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Item, type Listed, NO_FILE, type Outcome } from "@call-media/handover";
import { readJournal, toLine } from "../src/export/journal/journal.ts";
import { openJournal } from "../src/export/journal/open-journal.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-outcomes-"));
});
afterAll(() => rm(folder, { recursive: true }));

const DAY = { from: "2026-03-01", to: "2026-03-01", round: 0 };
const NONE = {
  announced: 0,
  came: 0,
  duplicates: 0,
  known: 0,
  gone: 0,
  superseded: 0,
  excluded: 0,
  rows: 0,
};
const LISTED: Listed = { ...DAY, ...NONE, verdict: "complete", asOf: "2026-04-01T00:00:00.000Z" };

const toItem = (row: number): Item => ({ row, kind: "recording", part: 1 });

const FAILED: Outcome = {
  ...NO_FILE,
  status: "failed",
  attempts: 4,
  error: "503 ".repeat(10_000),
};

const toComplete = (file: string, bytes: number): Outcome => ({
  ...FAILED,
  status: "complete",
  file,
  bytes,
  error: null,
});

async function writeJournal(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, toLine({ listed: LISTED }) + text);
  return path;
}

test("only the last outcome of a file counts", async () => {
  const lines = [
    { item: toItem(0), outcome: FAILED },
    { item: toItem(1), outcome: toComplete("recordings/1.wav", 10) },
    { item: toItem(0), outcome: toComplete("recordings/0.wav", 5) },
    { item: toItem(2), outcome: { ...FAILED, status: "none" } as const },
  ];
  const { outcomes } = await readJournal(await writeJournal("last", lines.map(toLine).join("")));
  expect(outcomes.count).toEqual({ files: 2, bytes: 15, failures: 0 });
  expect([0, 1, 2, 3].map((row) => outcomes.get(toItem(row))?.status)).toEqual([
    "complete",
    "complete",
    "none",
    undefined,
  ]);
  expect([...outcomes.files()]).toEqual(["recordings/0.wav", "recordings/1.wav"]);
});

test("outcomes recorded after a truncated line are read, and the rest of that line is not", async () => {
  const first = { item: toItem(0), outcome: toComplete("recordings/0.wav", 5) };
  const path = await writeJournal("cut", toLine(first));
  await appendFile(path, '{"item":\n{"item":');
  const state = await readJournal(path);
  expect(state.outcomes.get(toItem(0))?.bytes).toBe(5);
  await using journal = await openJournal(path, state);
  await journal.record(toItem(1), toComplete("recordings/1.wav", 7));
  await journal.record(toItem(2), FAILED);
  expect(state.outcomes.get(toItem(1))?.bytes).toBe(7);
  expect(state.outcomes.get(toItem(2))?.error).toBe(FAILED.error);
  expect(state.outcomes.count).toEqual({ files: 2, bytes: 12, failures: 1 });
});
