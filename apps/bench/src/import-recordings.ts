// Measures the import of small recordings, compared with cp and sync, which neither hash nor inspect the files.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { importFiles } from "@call-media/import";
import { createStore } from "@call-media/store/sqlite";
import { measureSpent, type Spent } from "./measure.ts";
import { createRows } from "./rows.ts";
import { printTable } from "./table.ts";
import { takeTurns, toTurnMedian } from "./turns.ts";

const FILES = 2_000;
// One second.
const BYTES = 8_000;
const TURNS = 3;

export async function benchRecordings(folder: string): Promise<void> {
  const from = join(folder, "recordings");
  const source = join(folder, "calls.jsonl");
  await writeSource(from, source);
  let made = 0;
  const toNew = () => join(folder, `taken-in-${(made += 1)}`);
  const turns = await takeTurns(
    {
      imported: () => measureSpent(() => importAll(source, from, toNew())),
      copied: () => measureSpent(() => copyAll(from, toNew())),
    },
    TURNS,
  );
  const toFigures = (kind: "imported" | "copied") => {
    const toText = (read: (spent: Spent) => number) =>
      toTurnMedian(turns, (turn) => read(turn[kind])).toFixed(1);
    return [toText(({ wallSeconds }) => wallSeconds), toText(({ cpuSeconds }) => cpuSeconds)];
  };
  printTable(`Import of ${FILES.toLocaleString("en")} recordings of ${BYTES / 1_000} kB`, [
    ["", "seconds", "CPU s, of this process"],
    ["import", ...toFigures("imported")],
    ["cp and sync of each", ...toFigures("copied")],
  ]);
}

async function writeSource(recordings: string, source: string): Promise<void> {
  await mkdir(recordings);
  const lines: string[] = [];
  for (const row of createRows(FILES)) {
    const file = `${lines.length}.wav`;
    await writeFile(join(recordings, file), randomBytes(BYTES));
    const { recordings: _recordings, ...record } = row;
    lines.push(`${JSON.stringify({ kind: "call", ...record, media: [{ file }] })}\n`);
  }
  await writeFile(source, lines.join(""));
}

async function importAll(source: string, mediaDirectory: string, directory: string): Promise<void> {
  await using store = await createStore({ directory });
  const report = await importFiles({ store, paths: [source], format: "jsonl", mediaDirectory });
  if (report.imported !== FILES) throw new Error(`${report.imported} of ${FILES} were imported`);
}

async function copyAll(from: string, to: string): Promise<void> {
  await promisify(execFile)("sh", ["-c", 'cp -R "$1" "$2" && sync "$2"/*', "sh", from, to]);
}
