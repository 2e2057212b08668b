// Connections that the service closes as idle while the kit is busy, which is no fault of the service.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { exchange } from "../src/http/transport.ts";
import { checkService } from "../src/index.ts";

const IDLE_MS = 300;

/** A thread of its own goes on while that of the kit is busy. The head names no time after which it closes. */
const SERVICE = `
  const { createServer } = require("node:http");
  const { parentPort } = require("node:worker_threads");
  const server = createServer((request, response) => {
    response.setHeader("Connection", "keep-alive").setHeader("Content-Type", "application/json");
    response.end('{"isError":false,"errorMessage":null,"data":[]}');
  });
  server.keepAliveTimeout = ${IDLE_MS};
  server.keepAliveTimeoutBuffer = 0;
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

function beBusy(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * IDLE_MS);
}

test("a connection that was closed meanwhile costs no finding", async () => {
  const worker = new Worker(SERVICE, { eval: true });
  const [port] = await once(worker, "message");
  const target = { baseUrl: `http://127.0.0.1:${port}`, apiKey: "key-of-some-length" };
  const only = ["listPublicFlags"] as const;
  let exchanges = 0;
  const onExchange = () => (exchanges += 1) === 2 && beBusy();
  const report = await checkService(target, { only, onExchange });
  await worker.terminate();
  expect(report.findings.filter(({ requirement }) => requirement === "answer.complete")).toEqual(
    [],
  );
  expect(report.reason).toBeUndefined();
});

test("of connections that were closed meanwhile several may be met one after the other", async () => {
  const answered = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on("error", () => {}); // of one that is closed amid a request
    // Closes it as the second request comes.
    socket.on("data", () => {
      if (answered.has(socket)) return socket.destroy();
      answered.add(socket);
      return socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK");
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // by TCP
  const request = { method: "GET", url: `http://127.0.0.1:${port}/`, headers: {} };
  const limits = { timeoutMs: 60_000, keptBytes: 10, readBytes: 10 };
  const ask = () => exchange(fetch, request, { bounds: limits, signal: undefined });
  await Promise.all([ask(), ask(), ask(), ask()]);
  expect(answered.size).toBe(4);
  expect(await ask()).toMatchObject({ status: 200, size: 2 });
  expect(answered.size).toBe(5);
});
