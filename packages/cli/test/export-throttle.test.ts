// How hard a service is asked: fewer at once when it refuses, none while it asks for a pause, and no more bytes than allowed.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { createThrottle, type Throttle } from "../src/export/throttle/throttle.ts";

type Headers = Readonly<Record<string, string>>;

interface Answer {
  readonly status?: number;
  readonly headers?: Headers | (() => Headers);
}

/** A service that gives these answers one after the other, and 200 from then on; when each request came. */
async function startService(answers: readonly Answer[]) {
  const cameMs: number[] = [];
  const server = createServer((_, response) => {
    const { status = 200, headers = {} } = answers[cameMs.length] ?? {};
    cameMs.push(Date.now());
    response.writeHead(status, typeof headers === "function" ? headers() : headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  return { url: `http://127.0.0.1:${port}`, cameMs };
}

const openThrottle = (max: number) => createThrottle({ max, maxBytesPerSecond: Infinity });

async function askOften({ fetch }: Throttle, url: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await (await fetch(url, {})).arrayBuffer();
}

test("every answer makes room for more, up to the most that is allowed; a refusal halves it", async () => {
  // Latency counts as well, and when a refusal came: on a busy machine both may be anything.
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { url } = await startService([
    ...Array.from({ length: 60 }, () => ({})),
    { status: 503 },
    { status: 429 },
  ]);
  const throttle = openThrottle(8);
  expect(throttle.limit).toBe(4);
  await askOften(throttle, url, 60);
  expect(throttle.limit).toBe(8);
  // The second is of the same trouble as the first.
  await askOften(throttle, url, 2);
  expect(throttle.limit).toBe(4);
});

test("no more are under way than there is room for", async () => {
  const throttle = openThrottle(3);
  let [now, most, ended] = [0, 0, 0];
  const work = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now--;
    ended++;
    throttle.leave();
  };
  const underWay: Promise<void>[] = [];
  for (let count = 0; count < 12; count++) {
    await throttle.enter();
    underWay.push(work());
  }
  await Promise.all(underWay);
  expect({ most, ended }).toEqual({ most: 3, ended: 12 });
});

test("a place that is lent is another's until its owner comes back, and both never have it", async () => {
  const { enter, leave, lend } = openThrottle(1);
  const seen: string[] = [];
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  await enter();
  const owner = lend(() => written).then(() => seen.push("owner is back"));
  await enter();
  seen.push("other is there");
  write();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(seen).toEqual(["other is there"]);
  leave();
  await owner;
  expect(seen).toEqual(["other is there", "owner is back"]);
});

test("no more places are lent than there are, and what fails meanwhile fails with its place", async () => {
  const { enter, leave, lend } = openThrottle(1);
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  await enter();
  const first = lend(() => written);
  await enter();
  const second = lend(() => written);
  const third = enter();
  const isIn = await Promise.race([third.then(() => true), new Promise((go) => setTimeout(go, 5))]);
  expect(isIn).toBeUndefined();
  write();
  await second;
  leave();
  await Promise.race([first, third]);
  leave();
  await Promise.all([first, third]);
  await expect(lend(() => Promise.reject(new Error("full")))).rejects.toThrow("full");
  leave();
  await enter();
});

test("an abort immediately ends a wait at a low rate", async () => {
  const stop = new AbortController();
  const { receive } = createThrottle({ max: 1, maxBytesPerSecond: 1, signal: stop.signal });
  await receive(300_000);
  const next = receive(1);
  stop.abort(new Error("enough"));
  await expect(next).rejects.toThrow("enough");
});

/** To the second, so up to a second earlier. */
const toUsed = (reset: number) => ({
  "X-RateLimit-Remaining": "0",
  "X-RateLimit-Reset": String(Math.ceil(reset)),
});
const toDate = (inMs: number) => new Date(Date.now() + inMs).toUTCString();

test.each<[string, Answer]>([
  ["RateLimit", { headers: { RateLimit: '"day";r=90;t=600, "requests";r=0;t=1' } }],
  ["RateLimit-Remaining", { headers: { "RateLimit-Remaining": "0", "RateLimit-Reset": "1" } }],
  ["a former RateLimit", { headers: { RateLimit: "limit=10, remaining=0, reset=1" } }],
  ["X-RateLimit", { headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1" } }],
  ["a moment", { headers: () => toUsed((Date.now() + 2_000) / 1000) }],
  ["a moment in milliseconds", { headers: () => toUsed(Date.now() + 2_000) }],
  ["Retry-After", { status: 429, headers: { "Retry-After": "1" } }],
  ["Retry-After with a date", { status: 503, headers: () => ({ "Retry-After": toDate(2_000) }) }],
])("nothing is sent while %s asks for a pause", async (_, answer) => {
  const { url, cameMs } = await startService([answer]);
  await askOften(openThrottle(4), url, 2);
  const [first = 0, second = 0] = cameMs;
  // What was asked for, not how fast anything is.
  expect(second - first).toBeGreaterThanOrEqual(990);
});

test("a clock that is set back makes no pause longer", async () => {
  const { url, cameMs } = await startService([{ status: 429, headers: { "Retry-After": "1" } }]);
  const throttle = openThrottle(4);
  await askOften(throttle, url, 1);
  const dateNow = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 3_600_000);
  onTestFinished(() => dateNow.mockRestore());
  const second = askOften(throttle, url, 1);
  const isSent = await Promise.race([second.then(() => true), sleep(5_000)]);
  expect({ isSent, requests: cameMs.length }).toEqual({ isSent: true, requests: 2 });
});

test("a limit with requests left causes no pause, and neither does an invalid one", async () => {
  const answers = ['"requests";r=10;t=600', "nonsense", '"requests";r=05;t=600'];
  const { url, cameMs } = await startService(
    answers.map((RateLimit) => ({ headers: { RateLimit } })),
  );
  await askOften(openThrottle(4), url, 4);
  expect(cameMs).toHaveLength(4);
});

test("a reset time in the past causes no pause", async () => {
  const { url, cameMs } = await startService([{ headers: toUsed(1_700_000_000) }]);
  await askOften(openThrottle(4), url, 2);
  const [first = 0, second = 0] = cameMs;
  expect(second - first).toBeLessThan(5_000);
});
