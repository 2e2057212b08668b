// A purge that is killed leaves an archive that fits together, and is completed by running it again.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { examine, planPurge, purge, verifyMedia } from "./support/maintenance.ts";
import { createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import type { CallItem } from "../src/index.ts";
import { call, fill, message, query } from "../src/suite/records.ts";

const CALLS = 4_500; // two batches of those that go
const KEPT = 500;

// Runs in a process of its own, which is killed: there is no way to kill a part of this one.
const PURGE = `
  const { purge } = await import(process.argv[1]);
  await purge({
    directory: process.argv[2], filter: { before: "2025-05-02" }, operator: "olive",
    onProgress: ({ step }) => process.stdout.write(step + "\\n"),
  });
`;

/** When it is killed: so many ms after it has first said this, or after its start. */
const POINTS = [
  ["records", 0],
  ["records", 80],
  ["recordings", 0],
  ["recordings", 10],
] as const;

test("kill -9 at several points, then the same purge again", async () => {
  const directory = await createFilledArchive();
  const left: number[] = [];
  for (const [step, delayMs] of POINTS) {
    await killWhilePurging(directory, step, delayMs);
    expect(await findFaults(directory)).toEqual([]);
    await using store = await openStore({ directory });
    left.push((await store.calls.search(query({}))).recordCount ?? 0);
  }
  const options = { directory, filter: { before: "2025-05-02" } };

  await purge({ ...options, operator: "olive" });

  expect(left).toEqual(left.toSorted((a, b) => b - a));
  expect(await planPurge(options)).toMatchObject({ calls: 0, chats: 0, files: 0, fileBytes: 0 });
  expect(await findFaults(directory)).toEqual([]);
  expect(await verifyMedia({ directory })).toMatchObject({ files: 1, unreferenced: [] });
  await using store = await openStore({ directory });
  expect((await store.calls.search(query({}))).recordCount).toBe(KEPT);
  expect((await store.accessLog.verify()).fault).toBeUndefined();
});

// Closed: SQLite's locks do not stand it when a process opens and closes the file beside its own connection, as the
// examination does.
async function createFilledArchive(): Promise<string> {
  const directory = await createFolder();
  await using store = await createStore({ directory });
  const items: CallItem[] = [];
  for (let index = 0; index < CALLS; index += 1) {
    const name = index < KEPT ? "kept" : String(index);
    const media =
      index % 20 > 0 ? [] : [await store.media.put({ name, content: Buffer.from(name) })];
    const fields = { call_id: String(index), datetime: `2025-05-0${index < KEPT ? 2 : 1}` };
    const recordings = media.map((one) => ({ filename: `${name}.wav`, media: one }));
    items.push(call({ ...fields, notes: "x".repeat(300) }, { recordings }));
  }
  await fill(store, items);
  const chats = items
    .slice(KEPT)
    .map(({ record }) => message(record.call_id ?? "", "Yes.", "2025-05-01T10:00:00Z"));
  await fill(
    store,
    chats.map((record) => ({ kind: "chat", record })),
  );
  return directory;
}

async function killWhilePurging(directory: string, step: string, delayMs: number): Promise<void> {
  const module = new URL("./support/maintenance.ts", import.meta.url).href;
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", PURGE, module, directory],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const exit = once(child, "exit");
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk) => String(chunk).includes(step) && resolve());
    child.on("exit", () => resolve());
  });
  await setTimeout(delayMs);
  child.kill("SIGKILL");
  await exit;
}

// Files that no record names any more are what the next run removes.
async function findFaults(directory: string): Promise<unknown[]> {
  const findings = await examine(directory);
  return findings.filter(
    ({ level, where }) => level === "error" || where.startsWith(join(directory, "archive.db")),
  );
}
