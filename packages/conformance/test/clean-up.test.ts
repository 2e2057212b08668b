// What a check with `mayWrite` creates is gone again after it, or named.
import { expect, test } from "vitest";
import type { Exchange } from "../src/index.ts";
import { checkLibrary, type Parts } from "./library/service.ts";

async function follow(faults: Partial<Parts> = {}, maxRequests = 900, stopAt = Infinity) {
  const exchanges: Exchange[] = [];
  const stop = new AbortController();
  const report = await checkLibrary(faults, {
    maxRequests,
    signal: stop.signal,
    onProgress: ({ requests }) => void (requests >= stopAt && stop.abort()),
    onExchange: (exchange) => exchanges.push(exchange),
  });
  const succeeded = (method: string) =>
    exchanges.filter(({ sent, came }) => sent.method === method && (came?.status ?? 500) < 300);
  const isCreation = ({ sent }: Exchange) => new URL(sent.url).pathname === "/books";
  const created = succeeded("POST")
    .filter(isCreation)
    .map(({ came }) => `/books/${(JSON.parse(came?.body ?? "{}") as { id?: number }).id}`);
  const deleted = succeeded("DELETE").map(({ sent }) => new URL(sent.url).pathname);
  return { report, created, deleted };
}

test.each([
  ["all is asked", 900, Infinity],
  ["the budget is used up", 250, Infinity],
  ["it is stopped", 900, 240],
])("it deletes what it created when %s", async (_when, maxRequests, stopAt) => {
  const { report, created, deleted } = await follow({}, maxRequests, stopAt);
  expect(created.length).toBeGreaterThan(1);
  expect(deleted.toSorted()).toEqual(created.toSorted());
  expect(report.left).toEqual([]);
});

test("it names what it could not delete, and why", async () => {
  const { report, created } = await follow({
    finish: (reply, { method }) => (method === "DELETE" ? { status: 403 } : reply),
  });
  const [left, ...others] = report.left;
  expect(others).toEqual([]);
  expect(left).toMatchObject({ operation: "addBook", why: "DELETE is answered 403" });
  expect(left?.what.toSorted()).toEqual(created.toSorted());
});

test("it never deletes what may have been there before", async () => {
  const { created, deleted } = await follow({
    // Whatever is sent, the answer is of the same book.
    finish: ({ body, ...reply }) =>
      reply.status === 201
        ? { ...reply, status: 200, body: { ...Object(body), id: 7001 } }
        : { ...reply, body },
  });
  expect(created.length).toBeGreaterThan(0);
  expect(deleted).toEqual([]);
});

test("it names what is left where the service has enough of requests", async () => {
  let count = 0;
  const { report } = await follow({
    finish: (reply) =>
      (count += 1) > 60 ? { status: 429, headers: { "retry-after": "0" } } : reply,
  });
  expect(report.left).toMatchObject([
    { operation: "addBook", why: expect.stringMatching(/^http:.* answers 429 again and again$/) },
  ]);
});
