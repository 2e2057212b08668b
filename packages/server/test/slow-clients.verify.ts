// Clients that read slowly get the whole, and those that stall keep nobody else from being answered.
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, type TestContext, test } from "vitest";
import type { ConnectionLimits } from "../src/index.ts";
import { makeCertificate } from "./support/certificate.ts";
import { openRaw, parseAnswer } from "./support/raw.ts";
import {
  ALLOWED_ALL,
  addMedia,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

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
  const { key } = await service.addUser(ALLOWED_ALL);
  const sound = await addMedia(service.store, "a.wav", Buffer.alloc(SOUND_BYTES, 7));
  await service.add(toCall({ call_id: "long", datetime: "2026-01-05T10:00:00Z" }, [sound]));
  return { service, key };
}

const head = (key: string, line: string) =>
  `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
const download = (key: string) => `${head(key, "GET /recording/stream-by-call-id/long")}\r\n`;

/** Three ways to hold a connection without ever finishing; none takes part in the closing. */
function stall({ baseUrl }: TestService, key: string, n: number): Socket {
  const { socket } = openRaw(baseUrl);
  const post = `${head(key, "POST /Token")}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`;
  const ways = ["GET /docs HTTP/1.1\r\nHos", post, download(key)];
  socket.write(ways[n % ways.length] ?? "");
  if (n % ways.length === 2) socket.pause();
  return socket;
}

describe.concurrent.each(["http", "https"])("over %s a client", (scheme) => {
  const isTls = scheme === "https";

  test("that reads slowly gets the whole", async (context) => {
    const { service, key } = await start(context, { stallTimeoutMs: 5_000 }, isTls);
    const ask = isTls ? httpsRequest : httpRequest;
    const agent = isTls ? new Agent({ rejectUnauthorized: false }) : undefined;
    const sent = ask(`${service.baseUrl}/recording/stream-by-call-id/long`, {
      headers: { Authorization: `Bearer ${key}` },
      ...(agent && { agent }),
    }).end();
    const [response] = await once(sent, "response");
    let bytes = 0;
    const startedMs = performance.now();
    for await (const chunk of response) {
      const before = bytes;
      bytes += chunk.length;
      if (Math.floor(before / 3e6) < Math.floor(bytes / 3e6)) await sleep(900);
    }
    expect(bytes).toBe(SOUND_BYTES);
    expect(performance.now() - startedMs).toBeGreaterThan(6_500);
    agent?.destroy();
  });
});

test("half of 500 connections stall, and the other half is answered", async (context) => {
  const { service, key } = await start(context, {});
  const stalled = Array.from({ length: 250 }, (_, n) => stall(service, key, n));
  context.onTestFinished(() => stalled.forEach((socket) => socket.destroy()));
  const answers = await Promise.all(
    Array.from({ length: 250 }, async () => {
      const { socket, received } = openRaw(service.baseUrl);
      socket.write(`${head(key, "GET /metadata/by-call-id/long")}Connection: close\r\n\r\n`);
      return parseAnswer(await received).status;
    }),
  );
  expect(answers).toEqual(Array.from({ length: 250 }, () => 200));
});
