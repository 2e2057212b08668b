// How a service ends: told by a signal, it takes nothing new, finishes what is under way, and waits no longer than it may.
import { Agent, get as httpGet } from "node:http";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openDownload } from "./support/download.ts";
import { startServing } from "./support/program.ts";
import { scrape, valueOf } from "./support/scrape.ts";
import { addMedia, ALLOWED_ALL, startTestService, toCall } from "./support/service.ts";

// More than the buffers of a connection hold, so that it takes a client that reads to send it.
const SOUND_BYTES = 60_000_000;
const PATH = "/recording/stream-by-call-id/long";

// Longer than a test may take: a program that ends with this setting has not waited.
const FOR_EVER = ["--shutdown-timeout", "86400"];

async function createLongRecording() {
  const archive = await startTestService();
  onTestFinished(() => archive[Symbol.asyncDispose]());
  const { key } = await archive.addUser(ALLOWED_ALL);
  const sound = await addMedia(archive.store, "a.wav", Buffer.alloc(SOUND_BYTES, 7));
  await archive.add(toCall({ call_id: "long", datetime: "2026-01-05T10:00:00Z" }, [sound]));
  return { archive, key };
}

test("a download under way ends whole, nothing new is taken, and the program ends with 0", async () => {
  const { archive, key } = await createLongRecording();
  await using program = await startServing(archive.directory, ["--metrics-port", "0"]);
  const download = await openDownload(program, PATH, key);
  program.signal("SIGTERM");

  const ready = new URL("/readyz", program.metricsUrl);
  const statusOf = async (url: URL) => (await fetch(url)).status;
  await expect.poll(() => statusOf(ready)).toBe(503);
  expect(await statusOf(new URL("/healthz", program.metricsUrl))).toBe(200);
  await expect(fetch(`${program.baseUrl}/healthz`)).rejects.toThrow("fetch failed");

  expect(await download.readRest()).toEqual({ isWhole: true });
  expect(await program.ended).toEqual({ code: 0, signal: null });
  expect(program.log().map(({ msg }) => msg)).toEqual([
    "started",
    "stopping",
    "request",
    "stopped",
  ]);
  expect(program.log()).toMatchObject([
    {},
    { signal: "SIGTERM", underWay: 1 },
    { operation: "streamRecordingByCallId", status: 200, bytes: SOUND_BYTES },
    {},
  ]);
});

test("a client that does not read is cut when the time is over, and that is said", async () => {
  const { archive, key } = await createLongRecording();
  await using program = await startServing(archive.directory, ["--shutdown-timeout", "1"]);
  const download = await openDownload(program, PATH, key);
  program.signal("SIGINT");
  expect(await program.ended).toEqual({ code: 2, signal: null });
  expect(await download.readRest()).toEqual({ isWhole: false });
  expect(program.log().slice(1)).toMatchObject([
    { msg: "stopping", signal: "SIGINT", underWay: 1 },
    { level: "warn", msg: "cut to stop in time", cut: 1, afterMs: 1_000 },
    { msg: "request cut", operation: "streamRecordingByCallId", status: 200 },
    { msg: "stopped" },
  ]);
});

test("connections that are kept, or never said a word, do not hold it up", async () => {
  await using archive = await startTestService();
  await using program = await startServing(archive.directory, FOR_EVER);
  const agent = new Agent({ keepAlive: true });
  const request = httpGet(`${program.baseUrl}/healthz`, { agent });
  const [response] = await once(request, "response");
  response.resume();
  await once(response, "end");
  const silent = connect(Number(new URL(program.baseUrl).port), "127.0.0.1");
  silent.on("error", () => {}); // how it is closed does not matter
  await once(silent, "connect");
  await wait(100);
  expect(await program.stop()).toBe(0);
  agent.destroy();
});

test("an answer that leaves after the signal says that its connection ends", async () => {
  await using archive = await startTestService();
  await using program = await startServing(archive.directory, ["--metrics-port", "0"]);
  const { port } = new URL(program.baseUrl);
  const socket = connect(Number(port), "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString()));
  const body = '{"secretID":"x","secretKey":"y"}';
  socket.write(
    `POST /Token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  const underWay = async () =>
    valueOf(await scrape(program.metricsUrl), "call_media_requests_under_way");
  await expect.poll(underWay).toBe(1); // and waits for its body
  program.signal("SIGTERM");
  await expect.poll(() => program.output().stderr).toContain("stopping");
  socket.write(body);
  await once(socket, "close");
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).toMatch(/^Connection: close\r$/m);
  expect((await program.ended).code).toBe(0);
});
