// What is tried again, after which wait, and what is not.
import { expect, test } from "vitest";

import { AuthenticationError, createClient, ServiceError } from "../src/index.ts";
import {
  bearerOf,
  failureOf,
  hourlyTokens,
  openService,
  sendFailure,
  sendSuccess,
  isPage,
} from "./service.ts";
import { createVirtualClock } from "./support/virtual-clock.ts";

const search = { pageIndex: 0, startDate: "2026-01-01", endDate: "2026-01-31" };

test.each([408, 429, 500, 502, 503, 504])("a %i is tried again, body and all", async (status) => {
  const statuses = [status, status, 200];
  const { client, asked } = await openService((response) => {
    const now = statuses.shift() ?? 0;
    if (now === 200) sendSuccess(response, [{ call_id: "1" }]);
    else sendFailure(response, now, "Not now");
  });
  const body = { agent: "ana" };
  const { data } = await client.POST("/metadata/search", { params: { query: search }, body });
  expect(data.data).toEqual([{ call_id: "1" }]);
  expect(asked.map((one) => [bearerOf(one), one.body])).toEqual(
    Array.from({ length: 3 }, () => ["Bearer token-1", '{"agent":"ana"}']),
  );
});

test.each([400, 403, 404, 405, 409, 416, 501])("a %i is the answer", async (status) => {
  const { client, asked } = await openService((response) => sendFailure(response, status, "No"));
  expect(await failureOf(client.GET("/flags/public"))).toMatchObject({ status, attempts: 1 });
  expect(asked).toHaveLength(1);
});

test.skipIf(isPage).each(["before its head", "in its body"])(
  "a connection that is cut %s is tried again",
  async (place) => {
    let count = 0;
    const { client, asked } = await openService((response) => {
      if (++count === 3) return sendSuccess(response);
      if (place === "before its head") return response.destroy();
      response.writeHead(200, { "Content-Length": "100" });
      return response.write('{"isError":false,', () => response.destroy());
    });
    expect((await client.GET("/flags/public")).data.data).toEqual([]);
    expect(asked).toHaveLength(3);
  },
);

test.each([
  [undefined, 3],
  [0, 1],
  [4, 5],
])("with maxRetries %j a call that keeps failing is sent %i times", async (maxRetries, times) => {
  const { baseUrl, asked } = await openService((response) =>
    sendFailure(response, 503, "The disk is full"),
  );
  const client = createClient({ baseUrl, apiKey: "key-1", maxRetries, random: () => 0 });
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ message: "The disk is full", attempts: times });
  expect(asked).toHaveLength(times);
});

test("a redirect and a response without the envelope are not retried", async () => {
  const answers = [302, 200];
  const { client, asked } = await openService((response) =>
    response.writeHead(answers.shift() ?? 0, { Location: "/x" }).end("<html>"),
  );
  await failureOf(client.GET("/flags/public"));
  await failureOf(client.GET("/flags/public"));
  expect(asked).toHaveLength(2);
});

/** The waits before each retry of a call that is refused with these headers. */
async function waitsFor(headers: Record<string, string>, random: number) {
  const clock = createVirtualClock(true);
  const waits: number[] = [];
  const client = createClient({
    baseUrl: "https://archive.example",
    apiKey: "k",
    clock,
    random: () => random,
    fetch: async () => new Response("", { status: 503, headers }),
    onEvent: (event) => event.type === "retry" && waits.push(event.waitMs),
  });
  const startMs = clock.now();
  await failureOf(client.GET("/flags/public"));
  expect(clock.now() - startMs).toBe(waits.reduce((sum, wait) => sum + wait, 0));
  expect(clock.pending).toBe(0);
  return waits;
}

test.each([
  [0, [0, 0]],
  [0.5, [250, 500]],
  [0.999, [499.5, 999]],
])(
  "without a word of the service the waits are random up to a doubling limit: %d",
  async (random, waits) => {
    expect(await waitsFor({}, random)).toEqual(waits);
  },
);

const inTwoSeconds = new Date(Date.UTC(2026, 0, 1) + 2000).toUTCString();
test.each([
  ["seconds", { "Retry-After": "7" }, 7000],
  ["no wait", { "Retry-After": "0" }, 0],
  ["a date", { "Retry-After": inTwoSeconds }, 2000],
  ["a date that is past", { "Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
  ["milliseconds, which are finer", { "Retry-After": "7", "retry-after-ms": "30" }, 30],
  ["a minute", { "Retry-After": "60" }, 60_000],
  ["an hour, which is too long to wait", { "Retry-After": "3600" }, undefined],
  ["a number beyond all bounds", { "Retry-After": "9".repeat(400) }, undefined],
  ["words", { "Retry-After": "soon" }, 250],
  ["a negative number", { "Retry-After": "-1" }, 250],
  ["a fraction", { "Retry-After": "1.5" }, 250],
  ["milliseconds that are none", { "retry-after-ms": "-5", "Retry-After": "x" }, 250],
])("Retry-After with %s", async (_name, headers, firstMs) => {
  expect((await waitsFor(headers, 0.5))[0]).toBe(firstMs);
});

test("a signal ends the wait before a retry at once", async () => {
  const clock = createVirtualClock();
  const { baseUrl, asked } = await openService((response) =>
    sendFailure(response.setHeader("Retry-After", "50"), 429, "Slow"),
  );
  const client = createClient({ baseUrl, apiKey: "k", clock });
  const controller = new AbortController();
  const call = failureOf(client.GET("/flags/public", { signal: controller.signal }));
  await expect.poll(() => clock.nextInMs).toBe(50_000);
  controller.abort(new Error("enough"));
  expect(await call).toMatchObject({ name: "AbortError", cause: { message: "enough" } });
  expect(asked).toHaveLength(1);
  expect(clock.pending).toBe(0);
});

test.skipIf(isPage)(
  "the body of an answer that is tried again is cancelled, not read",
  async () => {
    const closed: boolean[] = [];
    const { client } = await openService((response) => {
      const index = closed.push(false) - 1;
      if (index === 1) return sendSuccess(response);
      response.on("close", () => (closed[index] = true));
      return response.writeHead(503).write("a body without an end");
    });
    await client.GET("/flags/public");
    await expect.poll(() => closed[0]).toBe(true);
  },
);

test("a wait that ends after the total time-out is not begun", async () => {
  const clock = createVirtualClock();
  const { baseUrl, asked } = await openService((response) =>
    sendFailure(response.setHeader("Retry-After", "20"), 503, "Not now"),
  );
  const client = createClient({ baseUrl, apiKey: "k", clock, totalTimeoutMs: 10_000 });
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toMatchObject({
    name: "ServiceError",
    message: "Not now",
    retryAfterMs: 20_000,
  });
  expect(asked).toHaveLength(1);
});

/** What a call fails with that is answered 503 within `totalTimeoutMs`, while its clock goes on. */
async function failureWithin(totalTimeoutMs: number, random = () => 0, headers = {}) {
  const clock = createVirtualClock(true);
  let looksMs = 0;
  const client = createClient({
    baseUrl: "https://archive.example",
    apiKey: "key-1",
    clock: { ...clock, now: () => clock.now() + looksMs++ },
    random,
    totalTimeoutMs,
    fetch: async () =>
      Response.json({ errorMessage: "The disk is full" }, { status: 503, headers }),
  });
  return failureOf(client.GET("/flags/public"));
}

test("the decision about a retry is made once, so that the last error has the service's message", async () => {
  const draws = [0.2, 0.999, 0.2];
  const error = await failureWithin(400, () => draws.shift() ?? 0);
  expect(error).toMatchObject({ message: "The disk is full", attempts: 2 });
  expect(draws).toEqual([0.2]);
});

test("the error says what the service said, whenever the wait falls on the end of the total time-out", async () => {
  for (let totalMs = 15; totalMs < 35; totalMs++) {
    const error = await failureWithin(totalMs, Math.random, { "Retry-After-Ms": "20" });
    expect([totalMs, error]).toMatchObject([totalMs, { message: "The disk is full" }]);
  }
});

test("a sign-in that may pass is tried again, within the same call", async () => {
  const token = hourlyTokens();
  let count = 0;
  const { client, asked, signIns } = await openService(
    (response) => sendSuccess(response),
    (response, one) => (++count < 3 ? response.destroy() : token(response, one)),
  );
  await client.GET("/flags/public");
  expect([signIns.length, asked.length]).toEqual([3, 1]);
});

test.each([400, 401, 403])("a sign-in that is answered %i is not tried again", async (status) => {
  const { client, asked, signIns } = await openService(
    (response) => sendSuccess(response),
    (response) => sendFailure(response, status, "No"),
  );
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toMatchObject({ operationId: "createToken", status, attempts: 1 });
  expect([signIns.length, asked.length]).toEqual([1, 0]);
});

test("a call whose sign-in failed for good is not sent, nor is the sign-in repeated for it", async () => {
  const { client, asked, signIns } = await openService(
    (response) => sendSuccess(response),
    (response) => sendFailure(response, 503, "Closed"),
  );
  expect(await failureOf(client.GET("/flags/public"))).toBeInstanceOf(ServiceError);
  expect([signIns.length, asked.length]).toEqual([3, 0]);
});

test("the replay after a 401 does not count as a retry, so that its 503 is retried", async () => {
  const statuses = [401, 503, 503, 200];
  const { client, asked } = await openService((response) => {
    const status = statuses.shift() ?? 0;
    if (status === 200) sendSuccess(response);
    else sendFailure(response, status, "No");
  });
  await client.GET("/flags/public");
  expect(asked.map(bearerOf)).toEqual([
    "Bearer token-1",
    ...Array.from({ length: 3 }, () => "Bearer token-2"),
  ]);
});

test("a 401 without a body is replayed, and the second stands", async () => {
  const { client, asked } = await openService((response) => response.writeHead(401).end());
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({ attempts: 2, body: undefined });
  expect(asked).toHaveLength(2);
});
