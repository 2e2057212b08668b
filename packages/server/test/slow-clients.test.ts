// Clients that send slowly, read slowly, or do nothing at all: they are cut, and keep nobody else from being answered.
import { connect as connectTls } from "node:tls";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, type TestContext, test } from "vitest";
import type { ConnectionLimits } from "../src/index.ts";
import { makeCertificate } from "./support/certificate.ts";
import { openRaw, parseAnswer } from "./support/raw.ts";
import { ALLOWED_ALL, addMedia, startTestService, toCall } from "./support/service.ts";

// A test has those alone that it is about: on a busy machine any of them may pass before the service has its turn.
const SHORT = {
  headerTimeoutMs: 400,
  requestTimeoutMs: 800,
  idleTimeoutMs: 1_000,
  stallTimeoutMs: 900,
} satisfies Partial<ConnectionLimits>;

// More than the buffers of both sockets hold.
const SOUND_BYTES = 24_000_000;

/** Until the test is over; tests of waiting run side by side. */
async function start(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  limits: Partial<ConnectionLimits>,
  isTls = false,
) {
  const tls = isTls ? await makeCertificate("slow") : undefined;
  const service = await startTestService({ listen: { limits, tls } });
  onTestFinished(() => service[Symbol.asyncDispose]());
  return service;
}

const head = (key: string, line: string) =>
  `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
const download = (key: string) => `${head(key, "GET /recording/stream-by-call-id/long")}\r\n`;

/** Sends a byte now and then, for as long as there is anybody to send it to. */
async function dribble(socket: Socket, text: string): Promise<void> {
  socket.write(text);
  while (!socket.closed) {
    socket.write("x");
    await sleep(50);
  }
}

describe.concurrent("a client", () => {
  const { headerTimeoutMs, requestTimeoutMs, idleTimeoutMs } = SHORT;
  const headersAlone = { headerTimeoutMs };
  const both = { headerTimeoutMs, requestTimeoutMs };
  test.for([
    ["nothing", headersAlone, ""],
    ["its headers byte by byte", headersAlone, "GET /docs HTTP/1.1\r\nX: "],
    [
      "its body byte by byte",
      both,
      "POST /Token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n",
    ],
    [
      "its body in chunks that do not end",
      both,
      "POST /Token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n",
    ],
  ] as const)(
    "that sends %s gets a 408 and is disconnected",
    async ([_what, limits, text], context) => {
      const service = await start(context, limits);
      const { socket, received } = openRaw(service.baseUrl);
      void (text === "" ? undefined : dribble(socket, text));
      const { status, body, headers } = parseAnswer(await received);
      expect(status).toBe(408);
      expect(headers["connection"]).toBe("close");
      expect(JSON.parse(body)).toEqual({
        isError: true,
        errorMessage: "The request took too long to arrive",
        data: [],
      });
      expect(service.failures).toEqual([]);
    },
  );

  test("that was answered before its body came is cut without a second answer", async (context) => {
    const service = await start(context, { headerTimeoutMs: 3_000, requestTimeoutMs: 3_000 });
    const { socket, received } = openRaw(service.baseUrl);
    void dribble(socket, "POST /Token HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n");
    expect((await received).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 415"]);
  });

  test("that asks nothing more is let go", async (context) => {
    const service = await start(context, { idleTimeoutMs });
    const { socket, received } = openRaw(service.baseUrl);
    socket.write("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n");
    const { status, headers, body } = parseAnswer(await received);
    expect([status, headers["keep-alive"], body]).toEqual([204, "timeout=1", ""]);
  });

  test("that opens a TLS connection and says nothing is let go", async (context) => {
    const service = await start(context, headersAlone, true);
    const { received } = openRaw(service.baseUrl);
    expect(await received).toBe("");
  });
});

describe.concurrent.each(["http", "https"])("over %s a client", (scheme) => {
  const isTls = scheme === "https";
  const { stallTimeoutMs } = SHORT;

  test("that stops reading a recording is cut, and its file closed", async (context) => {
    const service = await start(context, { stallTimeoutMs }, isTls);
    const { key } = await service.addUser(ALLOWED_ALL);
    const sound = await addMedia(service.store, "a.wav", Buffer.alloc(SOUND_BYTES, 7));
    await service.add(toCall({ call_id: "long", datetime: "2026-01-05T10:00:00Z" }, [sound]));
    const { hostname, port } = new URL(service.baseUrl);
    const socket = isTls
      ? connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false })
      : openRaw(service.baseUrl).socket;
    context.onTestFinished(() => void socket.destroy());
    socket.write(download(key));
    socket.pause();
    await context.expect.poll(() => service.accounts).toHaveLength(1);
    // The account is given when the file has been closed.
    expect(service.accounts[0]).toMatchObject({ status: 200, isWhole: false });
    expect(service.accounts[0]?.durationMs).toBeLessThan(30_000);
    expect(service.failures).toEqual([]);
  });
});
