// An archive of generated calls in a temporary folder, filled through the store's own import and removed afterwards.
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallStore, ImportSession, MetadataRecord } from "@call-media/store";
import { createStore } from "@call-media/store/sqlite";
import { toBatches } from "./rows.ts";

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** Removed on disposal, and also if the process is interrupted before that. */
export async function createTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), "call-media-bench-"));
  const remove = () => rmSync(path, { recursive: true, force: true });
  process.once("exit", remove);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      process.off("exit", remove);
      remove();
    },
  };
}

/** Creates an archive in `directory` with these `rows`. */
export async function createArchive(
  directory: string,
  rows: Iterable<MetadataRecord>,
): Promise<CallStore> {
  const store = await createStore({ directory });
  await fillArchive(store, rows);
  return store;
}

export async function fillArchive(store: CallStore, rows: Iterable<MetadataRecord>): Promise<void> {
  await using session = await store.openImport();
  for (const batch of toBatches(rows)) await write(session, batch);
}

async function write(session: ImportSession, records: readonly MetadataRecord[]): Promise<void> {
  const outcomes = await session.write(
    records.map((record) => [{ kind: "call", record, recordings: [] }]),
  );
  if (outcomes.some((outcome) => outcome !== "imported"))
    throw new Error("a generated row was not imported");
}
