// An archive of generated calls, one user who may see all of them, and lookup requests.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createApiKey } from "@call-media/server";
import { createArchive, createTemporaryFolder } from "../archive.ts";
import { createRows, toCallId } from "../rows.ts";
import { createReader } from "../serving/reader.ts";
import type { Asked } from "./load.ts";

export interface CallsWorld extends AsyncDisposable {
  /** The folder of the archive. */
  readonly directory: string;
  /** A folder that is removed with the rest. */
  readonly folder: string;
  /** Requests for metadata by call id, for calls spread over the archive. */
  readonly asked: readonly Asked[];
  /** The value of the Authorization header. */
  readonly authorization: string;
}

// Spreads the calls of a round over the archive, so that none is near the one before.
const STRIDE = 7_919;

export async function openCallsWorld(rows: number): Promise<CallsWorld> {
  const folder = await createTemporaryFolder();
  const directory = join(folder.path, "archive");
  await mkdir(directory);
  const asked = Array.from({ length: rows }, (_, index) => ({
    path: `/metadata/by-call-id/${toCallId((index * STRIDE) % rows)}`,
  }));
  return {
    directory,
    folder: folder.path,
    asked,
    authorization: await fillArchive(directory, rows),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function fillArchive(directory: string, rows: number): Promise<string> {
  await using store = await createArchive(directory, createRows(rows));
  await using session = await store.openImport();
  const record = createReader();
  await session.write([[{ kind: "user", record }]]);
  return `Bearer ${(await createApiKey(store, record.id)).apiKey}`;
}
