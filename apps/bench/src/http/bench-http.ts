// Metadata by call id over HTTP, against a bare node:http server that sends the same bytes.
import { createApiKey } from "@call-media/server";
import { createArchive, createTemporaryFolder } from "../archive.ts";
import { toMedian } from "../measure.ts";
import { createRows, toCallId } from "../rows.ts";
import { type Line, printTable } from "../table.ts";
import { type Load, sendLoad } from "./load.ts";
import { createReader } from "./reader.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

const TURNS = 9;
const REQUESTS_PER_ROUND = 20_000;

// Spreads the calls of a round over the archive, none of them near the one before.
const STRIDE = 7_919;

const SERVERS = {
  service: "the service",
  text: "bare, body ready as text",
  object: "bare, body by JSON.stringify",
} as const;

type ServerName = keyof typeof SERVERS;
type Requests = Omit<Load, "port">;
type Turn = Readonly<Record<ServerName, Round>>;

interface Round {
  readonly perSecond: number;
  readonly cpuUs: number;
}

/** The servers take turns; ratios are medians over the turns, so that what else the machine does strikes all alike. */
export async function benchHttp(rows: number): Promise<void> {
  await using folder = await createTemporaryFolder();
  const requests = {
    paths: toPaths(rows),
    authorization: await fillArchive(folder.path, rows),
    requests: REQUESTS_PER_ROUND,
  };
  await using service = await startServer("./service-process.ts", folder.path);
  const body = await readBody(service, requests);
  await using text = await startServer("./bare-process.ts", "text", body);
  await using object = await startServer("./bare-process.ts", "object", body);

  const take = async (): Promise<Turn> => ({
    service: await measureRound(service, requests),
    text: await measureRound(text, requests),
    object: await measureRound(object, requests),
  });
  await take(); // compiles the code and fills the caches
  const turns: Turn[] = [];
  while (turns.length < TURNS) turns.push(await take());
  const what = `${rows.toLocaleString("en")} calls, answers of ${Buffer.byteLength(body)} bytes`;
  printTable(`Metadata by call id over HTTP (${what})`, toLines(turns));
}

async function measureRound(server: ServerProcess, requests: Requests): Promise<Round> {
  const beforeUs = await server.cpuUs();
  const { answers, elapsedMs } = await sendLoad({ ...requests, port: server.port });
  const cpuUs = (await server.cpuUs()) - beforeUs;
  return { perSecond: (answers * 1_000) / elapsedMs, cpuUs: cpuUs / answers };
}

function toPaths(rows: number): readonly string[] {
  return Array.from(
    { length: rows },
    (_, index) => `/metadata/by-call-id/${toCallId((index * STRIDE) % rows)}`,
  );
}

async function fillArchive(directory: string, rows: number): Promise<string> {
  await using store = await createArchive(directory, createRows(rows));
  await using session = await store.openImport();
  const record = createReader();
  await session.write([[{ kind: "user", record }]]);
  return `Bearer ${(await createApiKey(store, record.id)).apiKey}`;
}

async function readBody(server: ServerProcess, { paths, authorization }: Requests) {
  const url = `http://127.0.0.1:${server.port}${paths[0]}`;
  const response = await fetch(url, { headers: { authorization } });
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  return response.text();
}

function toLines(turns: readonly Turn[]): Line[] {
  const medianOf = (read: (turn: Turn) => number) => toMedian(turns.map(read));
  const toLine = (name: ServerName): Line => [
    SERVERS[name],
    medianOf((turn) => turn[name].perSecond).toFixed(0),
    medianOf((turn) => turn.service.perSecond / turn[name].perSecond).toFixed(2),
    medianOf((turn) => turn[name].cpuUs).toFixed(1),
    medianOf((turn) => turn[name].cpuUs / turn.service.cpuUs).toFixed(2),
  ];
  const head = ["", "requests/s", "the service has", "CPU us a request", "the service has"];
  return [head, ...(Object.keys(SERVERS) as ServerName[]).map(toLine)];
}
