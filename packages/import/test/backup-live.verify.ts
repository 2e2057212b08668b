// Backups of an archive that is being written to: what stands there can be restored.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { CallStore } from "@call-media/store";
import { backUp, examine, restore, verifyMedia } from "./support/maintenance.ts";
import { createStore, openStore } from "@call-media/store/sqlite";
import { createFolder, writeLines } from "./support/archives.ts";
import { call, fill, query } from "./support/records.ts";

// Imports of so many rows each, one after the other: what one writes is there for others when it ends.
const IMPORTS = 4;
const ROWS_AN_IMPORT = 5_000;
const ROWS = IMPORTS * ROWS_AN_IMPORT;
const ROWS_A_RECORDING = 200;

// In a process of its own: it would take the turns of a backup in the same one. On a busy machine it might have ended before
// the backup has its turn: the last import waits until one before it has been backed up.
const IMPORT = `
  const { createStore } = await import("@call-media/store/sqlite");
  const { importFiles } = await import("@call-media/import");
  await using store = await createStore({ directory: process.argv[1] });
  const onProgress = ({ read }) => console.log(read);
  const paths = process.argv.slice(2);
  for (const path of paths) {
    if (path === paths.at(-1)) for await (const _ of process.stdin);
    await importFiles({ store, paths: [path], format: "jsonl", onProgress });
  }
`;

function start(script: string, ...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ["--input-type=module", "--eval", script, ...args], {
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "inherit"],
  });
}

async function writeSources(): Promise<readonly string[]> {
  const firsts = Array.from({ length: IMPORTS }, (_, number) => number * ROWS_AN_IMPORT);
  return await Promise.all(firsts.map(writeSource));
}

async function writeSource(first: number): Promise<string> {
  const indexes = Array.from({ length: ROWS_AN_IMPORT }, (_, number) => first + number);
  const lines = indexes.map((index) => ({
    kind: "call",
    call_id: String(index),
    datetime: new Date(Date.UTC(2025, 0, 1, 0, index)).toISOString(),
    agent: `agent ${index % 7}`,
    notes: "x".repeat(200),
    ...(index % ROWS_A_RECORDING === 0 && { media: [{ file: `media/${index}.wav` }] }),
  }));
  const path = await writeLines("archive.jsonl", lines);
  await mkdir(join(dirname(path), "media"));
  for (const index of indexes.filter((number) => number % ROWS_A_RECORDING === 0))
    await writeFile(join(dirname(path), "media", `${index}.wav`), randomBytes(2_000));
  return path;
}

test("backups beside an import are each the archive of one moment", async () => {
  const [directory, backup] = [await createFolder(), join(await createFolder(), "backup")];
  await (await createStore({ directory }))[Symbol.asyncDispose]();
  const importing = start(IMPORT, directory, ...(await writeSources()));
  const imported = once(importing, "exit");
  if (importing.stdout !== null) await once(importing.stdout, "data");

  const seen: number[] = [];
  while (importing.exitCode === null) {
    const { calls, mediaFiles } = await backUp({ from: directory, to: backup });
    const target = join(await createFolder(), "restored");
    expect(await restore({ from: backup, to: target })).toMatchObject({ calls, damages: [] });
    expect(mediaFiles).toBe(Math.ceil(calls / ROWS_A_RECORDING));
    expect(await examine(target)).toEqual([]);
    await using store = await openStore({ directory: target });
    expect((await store.calls.search(query({}))).recordCount).toBe(calls);
    seen.push(calls);
    if (calls > 0) importing.stdin?.end();
  }

  expect(await imported).toEqual([0, null]);
  expect(seen.filter((calls) => calls > 0 && calls < ROWS).length).toBeGreaterThan(0);
  await backUp({ from: directory, to: backup });
  expect(await verifyMedia({ directory: backup })).toMatchObject({
    files: ROWS / ROWS_A_RECORDING,
    damages: [],
  });
});

test("what is written while a backup is made is not in it, and does not make it begin again", async () => {
  const [directory, backup] = [await createFolder(), join(await createFolder(), "backup")];
  await using store = await createStore({ directory });
  await addRecordings(store, 60);
  using writer = new DatabaseSync(join(directory, "archive.db"));
  const write = writer.prepare("INSERT INTO setting (name, value) VALUES (?, 'x')");
  const done: number[] = [];

  await backUp({
    from: directory,
    to: backup,
    onProgress: ({ step, bytesDone }) => {
      if (step !== "archive.db") return;
      done.push(bytesDone);
      if (done.length < 50) write.run(`written ${done.length}`);
    },
  });

  expect(done.length).toBeGreaterThan(1);
  expect(new Set(done).size).toBe(done.length);
  using copy = new DatabaseSync(join(backup, "archive.db"), { readOnly: true });
  expect(copy.prepare("SELECT name FROM setting WHERE value = 'x'").all()).toEqual([]);
});

/** Long calls, so that their records are several pieces of a copy, each with a recording. */
async function addRecordings(store: CallStore, count: number): Promise<void> {
  const toRow = async (index: number) => {
    const media = await store.media.put({ name: "x", content: randomBytes(3_000) });
    return call(
      { call_id: media.sha256, notes: "x".repeat(400_000) },
      { recordings: [{ filename: `${index}.wav`, media }] },
    );
  };
  await fill(store, await Promise.all(Array.from({ length: count }, (_, index) => toRow(index))));
}
