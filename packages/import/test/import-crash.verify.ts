// An import that is killed leaves whole transactions behind, an archive that fits together, and can be run again.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import type { CallStore } from "@call-media/store";
import { createArchiveInFolder, writeLines } from "./support/archives.ts";
import { query } from "./support/records.ts";

// More than share a transaction, of which one is whole by the time of the kill and another is not.
const ROWS = 60_000;
const ROWS_BEFORE_KILL = 50_000;

// Runs in a process of its own, which is killed: there is no way to kill a part of this one. There it holds still, or on a
// busy machine it would have ended before it is killed.
const IMPORT = `
  const { writeSync } = await import("node:fs");
  const { createStore } = await import("@call-media/store/sqlite");
  const { importFiles } = await import("@call-media/import");
  const store = await createStore({ directory: process.argv[1] });
  const onProgress = ({ read }) => {
    if (read < ${ROWS_BEFORE_KILL}) return;
    writeSync(1, "now");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  await importFiles({ store, paths: [process.argv[2]], format: "jsonl", onProgress });
`;

test("kill -9 in the middle, then the same import again", async () => {
  const { directory, ...store } = await createArchiveInFolder();
  const path = await writeLines(
    "archive.jsonl",
    Array.from({ length: ROWS }, (_, index) => toLine(index)),
  );

  await killWhileImporting(directory, path);

  const left = await checkConsistency(store, directory);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(ROWS);
  expect(await store.importedRows()).toMatchObject({ imported: left, unchanged: 0, rejected: 0 });
  const report = await importFiles({ store, paths: [path], format: "jsonl" });
  expect(report).toMatchObject({ read: ROWS, imported: ROWS - left, unchanged: left, rejected: 0 });
  expect(await checkConsistency(store, directory)).toBe(ROWS);
  expect(await store.importedRows()).toMatchObject({
    imported: ROWS,
    unchanged: left,
    rejected: 0,
  });
});

function toLine(index: number): object {
  const datetime = new Date(Date.UTC(2025, 0, 1, 0, index)).toISOString();
  return {
    kind: "call",
    call_id: String(index),
    datetime,
    agent: `agent ${index % 3}`,
    notes: "x".repeat(100),
  };
}

async function killWhileImporting(directory: string, path: string): Promise<void> {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", IMPORT, directory, path],
    { cwd: import.meta.dirname, stdio: ["ignore", "pipe", "inherit"] },
  );
  const exit = once(child, "exit");
  child.stdout.on("data", () => child.kill("SIGKILL"));
  expect(await exit).toEqual([null, "SIGKILL"]);
}

/** The number of calls, by all that counts them: the table, the days, the index and the terms of each agent. */
async function checkConsistency(store: CallStore, directory: string): Promise<number> {
  const count = async (filter: object) =>
    (await store.calls.search(query({ filter }))).recordCount ?? 0;
  using database = new DatabaseSync(join(directory, "archive.db"));
  const calls = Number(database.prepare("SELECT count(*) AS n FROM call").get()?.["n"]);
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  expect(await count({})).toBe(calls);
  const ofAgents = await Promise.all([0, 1, 2].map((agent) => count({ agent: `agent ${agent}` })));
  expect(ofAgents.reduce((sum, n) => sum + n)).toBe(calls);
  return calls;
}
