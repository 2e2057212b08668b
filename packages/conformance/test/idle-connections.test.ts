// Connections that the service closes as idle while the kit is busy, which is no fault of the service.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
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

// Which of its connections `fetch` takes is a matter of chance.
test.each([
  [1, 200],
  [5, 200],
  [6, "fetch failed"],
])("of %d connections that were closed meanwhile the last is told as %s", async (closed, told) => {
  let met = 0;
  const send = async () => {
    if (met++ >= closed) return new Response("OK");
    const cause = Object.assign(new Error("other side closed"), {
      code: "UND_ERR_SOCKET",
      socket: { bytesRead: 100 },
    });
    throw new TypeError("fetch failed", { cause });
  };
  const request = { method: "GET", url: "http://127.0.0.1/", headers: {} };
  const bounds = { timeoutMs: 60_000, keptBytes: 10, readBytes: 10 };
  const asked = exchange(send, request, { bounds, signal: undefined });
  expect(
    await asked.then(
      ({ status }) => status,
      ({ message }: Error) => message,
    ),
  ).toBe(told);
});
