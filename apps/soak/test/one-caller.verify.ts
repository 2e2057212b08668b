// One caller takes all that a service has: half-open heads from one address, downloads of one key that nobody reads. All others are
// answered (D23).
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { createApiKey } from "@call-media/server";
import { openStore } from "@call-media/store/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { makeHeardArchive } from "./support/heard-archive.ts";
import { startServing } from "./support/serving.ts";

// More than the system takes from the service for a client that reads nothing.
const RECORDING_BYTES = 24_000_000;

async function start() {
  const archive = await makeHeardArchive(1, RECORDING_BYTES);
  const other = await addKey(archive.directory);
  const serving = await startServing(archive.directory);
  const { hostname: host, port } = new URL(serving.baseUrl);
  const hold = async (localAddress: string, text: string): Promise<Socket> => {
    const socket = connect({ host, port: Number(port), localAddress });
    socket.on("error", () => {}); // it may be closed to make room
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    socket.write(text);
    return socket;
  };
  // Each request over a connection of its own.
  const ask = async (localAddress: string): Promise<number | string | undefined> => {
    const headers = { Authorization: `Bearer ${other}` };
    const url = `${serving.baseUrl}/metadata/by-call-id/heard-0`;
    const request = get(url, { localAddress, headers, agent: new Agent() });
    try {
      const [response] = (await once(request, "response")) as [IncomingMessage]; // as documented
      for await (const _ of response);
      return response.statusCode;
    } catch (error) {
      return String(error);
    }
  };
  return { archive, hold, ask };
}

async function addKey(directory: string): Promise<string> {
  await using store = await openStore({ directory });
  return (await createApiKey(store, 1)).apiKey;
}

test("1,100 half-open heads from one address", async () => {
  const { hold, ask } = await start();
  const flood = async () => {
    for (let count = 0; count < 1_100; count += 1)
      await hold("127.0.0.1", "GET /docs HTTP/1.1\r\nHost: x\r\n");
  };
  await flood();
  const again = flood();
  const statuses: unknown[] = [];
  for (let count = 0; count < 176; count += 1)
    statuses.push(await ask(`127.0.0.${2 + (count % 8)}`));
  await again;
  expect(statuses).toEqual(statuses.map(() => 200));
});

test("1,000 downloads of one key that nobody reads", async () => {
  const { archive, hold, ask } = await start();
  const { apiKey, pathOf } = archive;
  const head = `GET ${pathOf(0)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`;
  for (let count = 0; count < 1_000; count += 1) (await hold("127.0.0.1", head)).pause();
  const statuses: unknown[] = [];
  for (let count = 0; count < 58; count += 1) statuses.push(await ask("127.0.0.1"));
  expect(statuses).toEqual(statuses.map(() => 200));
});
