// How long a call may take, who may stop it, and what is left behind: nothing.
import { setTimeout as pause } from "node:timers/promises";

import { expect, onTestFinished, test, vi } from "vitest";

import { type ClientEvent, createClient, type Fetch, TimeoutError } from "../src/index.ts";
import { failureOf, isPage, listOf, openService, sendFailure, sendSuccess } from "./service.ts";
import { createVirtualClock } from "./support/virtual-clock.ts";

const STREAM = "/recording/stream-by-call-id/{call_id}";
const recording = { params: { path: { call_id: "1" } }, parseAs: "stream" } as const;

test("a service that does not answer is given up after tryTimeoutMs, and tried again", async () => {
  const clock = createVirtualClock();
  const { baseUrl, asked } = await openService(() => {});
  const client = createClient({ baseUrl, apiKey: "k", clock, random: () => 0, tryTimeoutMs: 700 });
  const call = failureOf(client.GET("/flags/public"));
  for (const count of [1, 2, 3]) {
    await expect.poll(() => asked.length).toBe(count);
    await clock.advance(699);
    expect(asked).toHaveLength(count);
    await clock.advance(1);
  }
  const error = await call;
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ attempts: 3, status: undefined });
  expect(String(error)).toContain("nothing came for 0.7 s");
  expect(clock.pending).toBe(0);
});

test("the time of one request goes on until its JSON is complete", async () => {
  const clock = createVirtualClock();
  const { baseUrl, asked } = await openService((response) =>
    response.writeHead(200).write('{"isError":'),
  );
  const client = createClient({ baseUrl, apiKey: "k", clock, maxRetries: 0 });
  const call = failureOf(client.GET("/flags/public"));
  await expect.poll(() => asked.length).toBe(1);
  await clock.advance(30_000);
  expect(await call).toBeInstanceOf(TimeoutError);
});

test("totalTimeoutMs holds for all requests and waits together, the sign-in included", async () => {
  const clock = createVirtualClock();
  const { baseUrl, signIns } = await openService(
    () => {},
    () => {},
  );
  const credentials = { secretID: "a", secretKey: "b" };
  const client = createClient({ baseUrl, credentials, clock, totalTimeoutMs: 1000 });
  const call = failureOf(client.GET("/flags/public"));
  await expect.poll(() => signIns.length).toBe(1);
  await clock.advance(1000);
  expect(await call).toMatchObject({ name: "TimeoutError", attempts: 0 });
});

test("a later request gets only the rest of totalTimeoutMs", async () => {
  const clock = createVirtualClock();
  const { baseUrl, asked } = await openService(() => {});
  const limits = { tryTimeoutMs: 700, totalTimeoutMs: 1000 };
  const client = createClient({ baseUrl, apiKey: "k", clock, random: () => 0, ...limits });
  const call = failureOf(client.GET("/flags/public"));
  for (const [count, ms] of [
    [1, 700],
    [2, 300],
  ] as const) {
    await expect.poll(() => [asked.length, clock.nextInMs]).toEqual([count, ms]);
    await clock.advance(ms);
  }
  expect(await call).toMatchObject({ name: "TimeoutError", attempts: 2 });
});

test("a stream may take for ever, but not be silent for idleTimeoutMs", async () => {
  const clock = createVirtualClock();
  const closed = Promise.withResolvers<void>();
  const pieces = Promise.withResolvers<() => void>();
  const { baseUrl } = await openService((response) => {
    response.on("close", closed.resolve);
    response.writeHead(200).write("one");
    pieces.resolve(() => response.write("two"));
  });
  const client = createClient({
    baseUrl,
    apiKey: "k",
    clock,
    idleTimeoutMs: 500,
    totalTimeoutMs: 900,
  });
  const reader = (await client.GET(STREAM, recording)).data.getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("one");
  await clock.advance(100_000); // Nobody reads, so nobody waits.
  const second = reader.read();
  (await pieces.promise)();
  expect(Buffer.from((await second).value ?? []).toString()).toBe("two");
  const third = failureOf(reader.read());
  await expect.poll(() => clock.nextInMs).toBe(500);
  await clock.advance(500);
  expect(await third).toBeInstanceOf(TimeoutError);
  await closed.promise;
  expect(clock.pending).toBe(0);
});

/** A signal that counts who listens to it. */
function countingSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners.delete(args[1]);
    remove(...args);
  };
  return { controller, signal, listeners };
}

test("a signal that outlives its calls keeps nothing of them", async () => {
  const clock = createVirtualClock();
  const { signal, listeners } = countingSignal();
  const statuses = [200, 503, 200, 404, 200, 200, 304, 200];
  const { baseUrl } = await openService((response) => {
    const status = statuses.shift() ?? 0;
    if (status === 304) response.writeHead(304).end();
    else if (status !== 200) sendFailure(response.setHeader("Retry-After", "0"), status, "No");
    else if (response.req.url?.startsWith("/recording")) response.end("bytes");
    else sendSuccess(response);
  });
  const client = createClient({ baseUrl, apiKey: "key-1", clock });
  const check = () => expect([listeners.size, clock.pending]).toEqual([0, 0]);
  await client.GET("/flags/public", { signal });
  check();
  await client.GET("/flags/public", { signal }); // with a retry
  check();
  await failureOf(client.GET("/flags/public", { signal }));
  check();
  await listOf((await client.GET(STREAM, { ...recording, signal })).data);
  check();
  const dropped = await client.GET(STREAM, { ...recording, signal });
  expect(listeners.size).toBe(1);
  await dropped.data.cancel();
  check();
  // The caller reads nothing from a response without a body.
  const unchanged = { ...recording, headers: { "If-None-Match": '"v1"' } };
  await client.GET(STREAM, { ...unchanged, signal });
  check();
  await client.recordings.bytes({ call_id: "1", signal });
  check();
});

test("the timer of a call goes with it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const counts: number[] = [];
  const fetch = async () => {
    counts.push(vi.getTimerCount());
    return Response.json({ isError: false, errorMessage: null, data: [] });
  };
  await createClient({ baseUrl: "http://localhost", apiKey: "k", fetch }).GET("/flags/public");
  expect([...counts, vi.getTimerCount()]).toEqual([1, 0]);
});

test("a stream that is left before its end is closed", async () => {
  const closed = Promise.withResolvers<void>();
  const { client } = await openService((response) => {
    response.on("close", closed.resolve);
    const more = () => response.write(Buffer.alloc(65_536));
    response.writeHead(200).on("drain", more);
    more();
  });
  const { body } = await client.recordings.stream({ call_id: "1" });
  for await (const piece of body) if (piece.length > 0) break;
  await expect(closed.promise).resolves.toBeUndefined();
});

test("a body that is read to its end is not aborted", async () => {
  const signals: (AbortSignal | null | undefined)[] = [];
  const { baseUrl } = await openService((response, { url }) => {
    if (!url.startsWith("/recording/stream"))
      response.end('{"isError":false,"data":{"base64":""}}');
    else if (signals.length < 3) response.end("bytes");
    else sendFailure(response, 405, "No streams here");
  });
  const fetch = (url: string, init: RequestInit) => {
    signals.push(init.signal);
    return globalThis.fetch(url, init);
  };
  const client = () => createClient({ baseUrl, apiKey: "k", fetch });
  const { body } = await client().recordings.stream({ call_id: "1" });
  expect(await listOf(body)).toHaveLength(1);
  await client().recordings.bytes({ call_id: "1" });
  await client().recordings.bytes({ call_id: "1" });
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, false, false, false]);
});

test("a stream of a web page is closed", async () => {
  const closed = Promise.withResolvers<void>();
  const { client } = await openService((response) => {
    response.on("close", closed.resolve);
    response.writeHead(200, { "Content-Type": "text/html" }).write("<html>");
  });
  expect(await failureOf(client.GET(STREAM, recording))).toMatchObject({ name: "ProtocolError" });
  await closed.promise;
});

test("an envelope whose content turns out to be no base64 is closed", async () => {
  const closed = Promise.withResolvers<void>();
  const { client } = await openService((response, { url }) => {
    if (url.startsWith("/recording/stream")) return sendFailure(response, 405, "No streams here");
    response.on("close", closed.resolve);
    return response.writeHead(200).write('{"isError":false,"data":{"base64":"%%%%');
  });
  const error = await failureOf(client.recordings.bytes({ call_id: "1" }));
  expect(error).toMatchObject({ name: "ProtocolError" });
  await closed.promise;
});

test("a rest that is of another recording is closed", async () => {
  const closed = Promise.withResolvers<void>();
  const { client, asked } = await openService((response) => {
    if (asked.length > 1) response.on("close", closed.resolve);
    const headers = { ETag: `"v${asked.length}"`, "Content-Length": 1_000_000 };
    response.writeHead(200, headers).write("RIFF", () => asked.length > 1 || response.destroy());
  });
  const error = await failureOf(client.recordings.bytes({ call_id: "1" }));
  expect(error).toMatchObject({ name: "ProtocolError" });
  await closed.promise;
});

test("a stream that is cancelled while it is waited for is closed, and does not go on", async () => {
  const { baseUrl } = await openService((response) => {
    response.writeHead(200, { ETag: '"v1"', "Content-Length": 1_000_000 }).write("RIFF");
  });
  const signals: (AbortSignal | null | undefined)[] = [];
  const fetch = (url: string, init: RequestInit) => {
    signals.push(init.signal);
    return globalThis.fetch(url, init);
  };
  const client = createClient({ baseUrl, apiKey: "k", random: () => 0, fetch });
  const { body } = await client.recordings.stream({ call_id: "1" });
  const reader = body.getReader();
  await reader.read();
  const waited = reader.read();
  await pause(20);
  await reader.cancel();
  expect(await waited).toMatchObject({ done: true });
  await pause(50);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

test("a stream that is cancelled while it waits to go on asks for no more", async () => {
  const clock = createVirtualClock();
  const { baseUrl, asked } = await openService((response) => {
    response.writeHead(200, { ETag: '"v1"', "Content-Length": 1_000_000 });
    response.write("RIFF", () => response.destroy());
  });
  const told: string[] = [];
  const onEvent = ({ type }: ClientEvent) => void told.push(type);
  const client = createClient({ baseUrl, apiKey: "k", random: () => 0.5, clock, onEvent });
  const { body } = await client.recordings.stream({ call_id: "1" });
  const reader = body.getReader();
  await reader.read();
  const waited = reader.read();
  await expect.poll(() => told).toContain("resume");
  await reader.cancel();
  expect(await waited).toMatchObject({ done: true });
  expect(clock.pending).toBe(0);
  await clock.advance(60_000);
  expect(asked).toHaveLength(1);
});

test.skipIf(isPage)("a time-out of undici is a TimeoutError that says whose it is", async () => {
  const { Agent, fetch: send } = await import("undici");
  const { baseUrl } = await openService(() => {});
  const dispatcher = new Agent({ headersTimeout: 1 });
  onTestFinished(() => dispatcher.destroy());
  const fetch: Fetch = (url, init) => send(url, { ...init, dispatcher });
  const client = createClient({ baseUrl, apiKey: "k", maxRetries: 0, fetch });
  const error = await failureOf(client.listPublicFlags());
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ code: "CLIENT_TIMEOUT", attempts: 1 });
  expect(String(error)).toContain(
    "(Headers Timeout Error); the limit is of fetch or of the network",
  );
});

test.each([
  ["CLIENT_BODY_TIMEOUT", { code: "UND_ERR_BODY_TIMEOUT" }],
  ["CLIENT_TIMEOUT", { code: "UND_ERR_CONNECT_TIMEOUT" }],
  ["CLIENT_TIMEOUT", { code: "ETIMEDOUT" }],
  ["CLIENT_TIMEOUT", { name: "TimeoutError" }],
])("%s is the code of what fetch fails with: %j", async (code, fields) => {
  const cause = Object.assign(new Error("Too late"), fields);
  let count = 0;
  const fetch = () => {
    count++;
    return Promise.reject(new TypeError("fetch failed", { cause }));
  };
  const options = { baseUrl: "https://archive.example", apiKey: "k", random: () => 0, fetch };
  const client = createClient({ ...options, allowSecretInBrowser: true, maxRetries: 1 });
  expect(await failureOf(client.listPublicFlags())).toMatchObject({ name: "TimeoutError", code });
  expect(count).toBe(2);
});
