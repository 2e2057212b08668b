// Archives for tests: real ones, in temporary folders that go away with the test.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CallStore } from "../../src/index.ts";
import { createStore } from "../../src/sqlite/sqlite-store.ts";

export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function createArchive(timeZone?: string): Promise<CallStore & { directory: string }> {
  const directory = await createFolder();
  const store = await createStore({ directory, timeZone });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return { ...store, directory };
}
