// Purging in tests, and what must hold of the archive afterwards.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { CallStore } from "../../src/index.ts";
import { examine, purge, type ErasureFilter, verifyMedia } from "./maintenance.ts";
import { query } from "../../src/suite/records.ts";

export const SECRET = "The sort code is forty-one";

export const purgeFrom = (directory: string, filter: ErasureFilter) =>
  purge({ directory, filter, operator: "olive" });

export const addRecording = async (store: CallStore, name: string) => ({
  filename: `${name}.wav`,
  media: await store.media.put({ name, content: Buffer.from(`sound of ${name}`) }),
});

export async function listIds(store: CallStore): Promise<string[]> {
  const { records } = await store.calls.search(query({}));
  return records.map(({ call_id }) => call_id ?? "").toSorted((a, b) => a.localeCompare(b));
}

/** Whether any file of the archive has these bytes anywhere. */
export async function contains(directory: string, text: string | Buffer): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name));
      return bytes.includes(text) ? [name] : [];
    }),
  );
  return found.flat();
}

export async function expectWell(directory: string): Promise<void> {
  const findings = (await examine(directory)).filter(({ what }) => !what.includes("disk"));
  expect(findings).toEqual([]);
  expect(await verifyMedia({ directory })).toMatchObject({
    damages: [],
    unchecked: [],
    unreferenced: [],
    leftovers: [],
  });
}
