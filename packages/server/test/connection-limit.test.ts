// Connections beyond the limit: the first are answered 503 in the envelope, over TLS as well, the rest is closed.
import { once } from "node:events";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Unreadable } from "../src/http/unreadable.ts";
import { type ConnectionLimits, listen } from "../src/index.ts";
import { makeCertificate } from "./support/certificate.ts";
import { collect, openRaw, parseAnswer } from "./support/raw.ts";

const LIMITS: Partial<ConnectionLimits> = { maxConnections: 2, maxTurnedAway: 1 };
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const GET_LAST = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/** A service whose answers end when they are released, and a way to connect to it. */
async function startFull(isTls: boolean) {
  const tls = isTls ? await makeCertificate("full") : undefined;
  const told: Unreadable[] = [];
  let dropped = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { baseUrl, close } = await listen(
    (_request, response) => void released.then(() => response.end("served")),
    {
      host: "127.0.0.1",
      port: 0,
      tls,
      limits: LIMITS,
      watch: {
        onUnreadable: (refusal) => void told.push(refusal),
        onDropped: () => (dropped += 1),
      },
    },
  );
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    release();
    for (const socket of sockets) socket.destroy();
    await close();
  });
  const { hostname: host, port } = new URL(baseUrl);
  const open = () => {
    const raw = isTls
      ? collect(connectTls({ host, port: Number(port), rejectUnauthorized: false }))
      : openRaw(baseUrl);
    sockets.push(raw.socket);
    return raw;
  };
  const ask = (text: string) => {
    const { socket, received } = open();
    socket.write(text);
    return received.then(parseAnswer);
  };
  const openSilent = async () => {
    const raw = open();
    await once(raw.socket, isTls ? "secureConnect" : "connect");
    return raw;
  };
  const first = [await openSilent(), await openSilent()];
  for (const { socket } of first) socket.write(GET_LAST);
  const serveFirst = async () => {
    release();
    for (const { received } of first) expect(parseAnswer(await received).status).toBe(200);
  };
  return { ask, openSilent, serveFirst, told, countDropped: () => dropped };
}

describe.each([
  ["plain HTTP", false],
  ["TLS", true],
] as const)("over %s", (_name, isTls) => {
  test("one connection too many is answered 503, and the operator is told", async () => {
    const { ask, told } = await startFull(isTls);

    const { status, headers, body } = await ask(GET);

    expect(status).toBe(503);
    expect(headers).toMatchObject({
      connection: "close",
      "content-type": "application/json; charset=utf-8",
      "retry-after": "5",
      "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(JSON.parse(body)).toEqual({
      isError: true,
      errorMessage: "There are too many connections; try again in 5 seconds",
      data: [],
    });
    expect(told).toEqual([
      { requestId: headers["x-request-id"], status: 503, address: "127.0.0.1" },
    ]);
  });

  test("further ones are closed as they come", async () => {
    const { ask, openSilent, countDropped } = await startFull(isTls);
    await openSilent();
    expect((await ask(GET)).status).toBeNaN();
    expect(countDropped()).toBe(1);
  });

  test("one that asks when others have gone is served", async () => {
    const { openSilent, serveFirst } = await startFull(isTls);
    const { socket, received } = await openSilent();
    await serveFirst();
    socket.write(GET_LAST);
    expect(parseAnswer(await received).status).toBe(200);
  });
});

test("a HEAD is answered without a body, and what is sent behind a request is not", async () => {
  const { ask, told } = await startFull(false);
  const answer = await ask(`HEAD / HTTP/1.1\r\nHost: x\r\n\r\n${GET}`);
  expect([answer.status, answer.body]).toEqual([503, ""]);
  expect(told).toHaveLength(1);
});
