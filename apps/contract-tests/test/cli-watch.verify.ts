// call-media watch against the service, while an import adds calls: each is printed, once, over restarts as well.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { CallStore } from "@call-media/store";
import { importFiles } from "@call-media/import";
import { openStore } from "@call-media/store/sqlite";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type DemoArchive, makeDemoArchive, startService } from "../src/demo-service.ts";
import { repository } from "../src/workspace.ts";

const PROGRAM = join(repository, "packages/cli/src/main.ts");

const stack = new AsyncDisposableStack();
let archive: DemoArchive;
let store: CallStore;
let baseUrl: string;

beforeAll(async () => {
  archive = stack.use(await makeDemoArchive());
  store = stack.use(await openStore({ directory: archive.directory }));
  baseUrl = stack.use(await startService(store)).baseUrl;
});
afterAll(() => stack.disposeAsync());

const HOUR_MS = 3_600_000;

/** Calls of the last two and a half days, unordered: most lie between calls that are known. */
function toCalls(from: number, to: number): readonly object[] {
  return Array.from({ length: to - from }, (_, index) => {
    const hoursAgo = ((from + index) * 37) % 60;
    const datetime = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString();
    return { kind: "call", call_id: `new-${from + index}`, datetime, agent: "ana.kovac" };
  });
}

async function importCalls(from: number, to: number): Promise<void> {
  const file = join(archive.directory, `${from}.jsonl`);
  await writeFile(
    file,
    toCalls(from, to)
      .map((call) => JSON.stringify(call))
      .join("\n"),
  );
  await importFiles({ store, format: "jsonl", paths: [file] });
}

const printed: string[] = [];

/** Resolves when it has looked once. */
async function startWatch(): Promise<ChildProcess> {
  const args = ["watch", "--interval", "1", "--cursor", join(archive.directory, "cursor")];
  const env = {
    ...process.env,
    CALL_MEDIA_BASE_URL: baseUrl,
    CALL_MEDIA_API_KEY: archive.access.apiKey,
  };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [rest, said] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    printed.push(...lines.map((line) => (JSON.parse(line) as { call_id: string }).call_id));
  });
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await vi.waitFor(() => expect(said).toContain("looking every 1 s"), { timeout: 60_000 });
  return child;
}

async function stop(child: ChildProcess): Promise<unknown> {
  child.kill("SIGINT");
  const [code]: readonly unknown[] = await once(child, "close");
  return code;
}

test("prints each call that is imported once", async () => {
  const first = await startWatch();
  expect(printed).toEqual([]);
  for (let from = 0; from < 1000; from += 100) {
    await importCalls(from, from + 100);
    await wait(200); // between two looks, and in the middle of one
  }
  expect(await stop(first)).toBe(130);
  await importCalls(1000, 1100);
  const second = await startWatch();
  await importCalls(1100, 1200);
  await vi.waitFor(() => expect(printed.length).toBeGreaterThanOrEqual(1200), { timeout: 60_000 });
  expect(await stop(second)).toBe(130);
  const expected = Array.from({ length: 1200 }, (_, index) => `new-${index}`);
  expect(new Set(printed)).toEqual(new Set(expected));
  expect(printed).toHaveLength(expected.length);
});
