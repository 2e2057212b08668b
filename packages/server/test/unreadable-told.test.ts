// Bytes that never become a request still give the operator a line in the log, and a count.
import { once } from "node:events";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen, type ConnectionLimits } from "../src/index.ts";
import { toText } from "../src/observe/log-text.ts";
import { openObserver } from "../src/observe/observer.ts";
import { startServing } from "./support/program.ts";
import { openRaw, parseAnswer, sendRaw } from "./support/raw.ts";
import { scrape, valueOf } from "./support/scrape.ts";
import { startTestService } from "./support/service.ts";

const UNREADABLE = "call_media_unreadable_requests_total";
const DROPPED = "call_media_connections_dropped_total";
const OPTIONS = "OPTIONS * HTTP/1.1\r\nHost: x\r\n";

test("each rejection has a log line with the facts of its response, and is counted by its status", async () => {
  await using archive = await startTestService();
  await using program = await startServing(archive.directory, ["--metrics-port", "0"]);
  const answers = [
    await sendRaw(program.baseUrl, "hello\r\n\r\n"),
    await sendRaw(program.baseUrl, `${OPTIONS}X: ${"x".repeat(33_000)}\r\n\r\n`),
    await sendRaw(program.baseUrl, "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n"),
  ].map(parseAnswer);
  const samples = await scrape(program.metricsUrl);
  await program.stop();

  expect(answers.map(({ status }) => status)).toEqual([400, 431, 405]);
  const lines = program.log().filter(({ msg }) => msg === "unreadable request");
  expect(lines).toEqual(
    answers.map(({ status, headers }) => ({
      level: "info",
      time: expect.any(String),
      requestId: headers["x-request-id"],
      status,
      code: headers["x-error-code"],
      address: "127.0.0.1",
      msg: "unreadable request",
    })),
  );
  for (const { status } of answers)
    expect(valueOf(samples, UNREADABLE, { status: String(status) })).toBe(1);
});

test("a method that node:http does not know is refused by what the path answers, also of pages for operators", async () => {
  await using archive = await startTestService();
  await using program = await startServing(archive.directory, ["--metrics-port", "0"]);
  const { origin } = new URL(program.metricsUrl);
  for (const [baseUrl, path] of [
    [program.baseUrl, "/healthz"],
    [origin, "/metrics"],
  ] as const) {
    const ask = async (target: string) =>
      parseAnswer(await sendRaw(baseUrl, `FOO ${target} HTTP/1.1\r\nHost: x\r\n\r\n`));
    const { status, headers } = await ask(path);
    expect([status, headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await ask("/nowhere")).status).toBe(404);
  }
});

/** A service with these limits, watched, and the lines of its log. */
async function startWatched(limits: Partial<ConnectionLimits>) {
  const archive = await startTestService();
  const lines: Record<string, unknown>[] = [];
  const events = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const log = { events, onEnd: () => {}, close: async () => {} };
  const observer = await openObserver({
    store: archive.store,
    log,
    metrics: { host: "127.0.0.1", port: 0 },
  });
  const { baseUrl, close } = await listen((_request, response) => response.end(), {
    host: "127.0.0.1",
    port: 0,
    limits,
    watch: observer.connections,
  });
  onTestFinished(async () => {
    await close();
    await observer[Symbol.asyncDispose]();
    await archive[Symbol.asyncDispose]();
  });
  const count = async (name: string) => {
    const samples = await scrape(observer.metricsUrl ?? "");
    return samples
      .filter((sample) => sample.name === name)
      .reduce((sum, { value }) => sum + value, 0);
  };
  return { baseUrl, lines, count };
}

describe("told are", () => {
  test("requests that do not come in time", async () => {
    const { baseUrl, lines, count } = await startWatched({ headerTimeoutMs: 300 });
    expect(parseAnswer(await sendRaw(baseUrl, "GET /docs HT")).status).toBe(408);
    expect(lines).toMatchObject([{ msg: "unreadable request", status: 408 }]);
    expect(await count(UNREADABLE)).toBe(1);
  });

  test("connections closed to make room: all are counted, and a flood has one line", async () => {
    const { baseUrl, lines, count } = await startWatched({ maxConnections: 2 });
    const flood = Array.from({ length: 22 }, () => openRaw(baseUrl));
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines).toMatchObject([{ msg: "too many connections", dropped: 20 }]);
    await expect.poll(() => count(DROPPED)).toBe(20);
    for (const { socket } of flood) socket.destroy();
  });

  test("no requests that were answered, and no clients that go away", async () => {
    const { baseUrl, lines, count } = await startWatched({});
    expect(parseAnswer(await sendRaw(baseUrl, `${OPTIONS}Connection: close\r\n\r\n`)).status).toBe(
      200,
    );
    const { socket, received } = openRaw(baseUrl);
    socket.write("GET /docs HT");
    await once(socket, "connect");
    socket.resetAndDestroy();
    await received;
    expect(lines).toEqual([]);
    expect([await count(UNREADABLE), await count(DROPPED)]).toEqual([0, 0]);
  });
});

test("for a person, too", () => {
  const line = { time: "2026-01-05T10:00:00.000Z", level: "info", msg: "unreadable request" };
  expect(toText({ ...line, requestId: "r", status: 400, address: "::1" })).toBe(
    "10:00:00Z unreadable request  requestId r  status 400  address ::1\n",
  );
});
