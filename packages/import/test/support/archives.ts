// Archives for tests: in memory, or in temporary folders that go away with the test.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CallStore } from "@call-media/store";
import { createMemoryStore } from "@call-media/store/memory";
import { createStore } from "@call-media/store/sqlite";

export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** In memory, which every import is the same to as any other adapter: the store's suite says so. */
export const createArchive = (timeZone?: string): CallStore => createMemoryStore({ timeZone });

/** For what is of SQLite and of files. */
export async function createArchiveInFolder(
  timeZone?: string,
): Promise<CallStore & { directory: string }> {
  const directory = await createFolder();
  const store = await createStore({ directory, timeZone });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return { ...store, directory };
}

/** Writes a file of these lines into a folder of its own and gives its path. */
export async function writeLines(
  name: string,
  lines: readonly (string | object)[],
): Promise<string> {
  const path = join(await createFolder(), name);
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  await writeFile(path, texts.map((text) => `${text}\n`).join(""));
  return path;
}

/** What matches the whole of a text, or what a pattern matches. */
export function toPattern(expected: string | RegExp): RegExp {
  if (typeof expected !== "string") return expected;
  return new RegExp(`^${expected.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`);
}
