// Very many connections of which half do nothing more: the others are answered, and nothing is left of them afterwards.
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type HeardArchive, makeHeardArchive } from "./support/heard-archive.ts";
import { toNumber } from "./support/scale.ts";
import { type Serving, startServing } from "./support/serving.ts";

const CONNECTIONS = toNumber("CONNECTIONS", { short: 100, long: 500 });
const REQUESTS = toNumber("STALL_REQUESTS", { short: 4, long: 20 });

// More than the system takes from the service for a client that reads nothing.
const RECORDING_BYTES = 24_000_000;

// Far beyond what a busy machine needs for a few thousand requests.
const GIVE_UP_MS = 60_000;

test(`${CONNECTIONS} connections of which half stall`, async () => {
  const archive = await makeHeardArchive(1, RECORDING_BYTES);
  const serving = await startServing(archive.directory);
  const listening = countOpen(serving, "socket:");
  await measure(serving, archive);
  const idleMs = await measure(serving, archive);
  await until(() => [countOpen(serving, "socket:"), listening]);
  const before = countOpen(serving, "");

  const notReading = Array.from({ length: CONNECTIONS / 4 }, () => askAndNotRead(serving, archive));
  // Each recording has been opened, and waits for its reader.
  await until(() => [countOpen(serving, "/media/"), notReading.length]);
  const dribbling = Array.from({ length: CONNECTIONS / 4 }, () => dribble(serving));
  const stalledMs = await measure(serving, archive);
  expect(notReading.filter(({ closed }) => closed)).toEqual([]);

  for (const socket of [...dribbling, ...notReading]) socket.destroy();
  await until(() => [countOpen(serving, "/media/"), 0]);
  await until(() => [countOpen(serving, "socket:"), listening]);
  await until(() => [countOpen(serving, ""), before]);
  console.log(
    `${CONNECTIONS / 2} connections x ${REQUESTS} requests: ${idleMs.toFixed(0)} ms idle, ${stalledMs.toFixed(0)} ms beside as many that stall`,
  );
  expect((await serving.stop()).code).toBe(0);
});

/** How long the connections that do not stall take for their requests, all at once; each has to be answered. They are closed then. */
async function measure(serving: Serving, archive: HeardArchive): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const startedMs = performance.now();
  const talk = async () => {
    for (let request = 0; request < REQUESTS; request += 1) {
      expect(await readStatus(serving, archive, agent)).toBe(200);
    }
  };
  const all = Promise.all(Array.from({ length: CONNECTIONS / 2 }, talk));
  await Promise.race([all, setTimeout(GIVE_UP_MS).then(() => Promise.reject(new Error("hangs")))]);
  agent.destroy();
  return performance.now() - startedMs;
}

async function readStatus({ baseUrl }: Serving, { apiKey }: HeardArchive, agent: Agent) {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const request = get(`${baseUrl}/metadata/by-call-id/heard-0`, { agent, headers });
  const [response]: IncomingMessage[] = await once(request, "response");
  for await (const _ of response ?? []);
  return response?.statusCode;
}

function open({ baseUrl }: Serving): Socket {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  // On a busy machine the service gives up a header that does not end while the test still writes it.
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

// A header that never ends.
function dribble(serving: Serving): Socket {
  const socket = open(serving);
  socket.write("GET /flags/public HTTP/1.1\r\nHost: x\r\n");
  const timer = setInterval(() => socket.writable && socket.write("X: y\r\n"), 500);
  socket.on("close", () => clearInterval(timer));
  return socket;
}

function askAndNotRead(serving: Serving, { apiKey, pathOf }: HeardArchive): Socket {
  const socket = open(serving);
  socket.pause();
  socket.write(`GET ${pathOf(0)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`);
  return socket;
}

/** How many connections ("socket:"), recordings ("/media/"), or files of any kind ("") the service has open. */
function countOpen({ child }: Serving, kind: string): number {
  const folder = `/proc/${child.pid}/fd`;
  return readdirSync(folder).filter((file) => isOfKind(`${folder}/${file}`, kind)).length;
}

function isOfKind(descriptor: string, kind: string): boolean {
  try {
    return readlinkSync(descriptor).includes(kind);
  } catch {
    return false; // closed since it was listed
  }
}

/** Until what is counted is as many as is wanted. */
async function until(count: () => readonly [counted: number, wanted: number]): Promise<void> {
  const endMs = performance.now() + GIVE_UP_MS;
  for (;;) {
    const [counted, wanted] = count();
    if (counted === wanted) return;
    if (performance.now() > endMs) throw new Error(`still ${counted}, not ${wanted}`);
    await setTimeout(20);
  }
}
