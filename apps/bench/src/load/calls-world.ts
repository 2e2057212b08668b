// The common parts of the benches of lookups: an archive of generated calls, one user who may see them all, and the
// requests.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createApiKey } from "@call-media/server";
import { createArchive, createTemporaryFolder } from "../archive.ts";
import { createRows, toCallId } from "../rows.ts";
import { createReader } from "../serving/reader.ts";
import type { Server } from "../serving/server-process.ts";
import { type Asked, sendLoad } from "./load.ts";

export interface CallsWorld extends AsyncDisposable {
  /** The folder of the archive. */
  readonly directory: string;
  /** A folder that is gone with the rest. */
  readonly folder: string;
  /** Metadata by call id, for calls spread over the archive. */
  readonly asked: readonly Asked[];
  /** The value of the Authorization header. */
  readonly authorization: string;
}

// Spreads the calls of a round over the archive, none of them near the one before.
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

const CLIENTS = 32;
const REQUESTS_PER_ROUND = 20_000;
// Ends a round early on a machine that is slow.
const MAX_ROUND_MS = 10_000;

export interface Round {
  readonly perSecond: number;
  /** CPU time of the server for each request, in microseconds. */
  readonly cpuUs: number;
}

/** A round of look-ups by call id. */
export async function measureRound(world: CallsWorld, server: Server): Promise<Round> {
  const { asked, authorization } = world;
  const beforeUs = await server.cpuUs();
  const { answers, elapsedMs } = await sendLoad({
    port: server.port,
    asked,
    authorization,
    clients: CLIENTS,
    isOver: (sent, elapsed) => sent >= REQUESTS_PER_ROUND || elapsed > MAX_ROUND_MS,
  });
  const cpuUs = (await server.cpuUs()) - beforeUs;
  return { perSecond: (answers * 1_000) / elapsedMs, cpuUs: cpuUs / answers };
}
