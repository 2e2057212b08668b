// The fake service: what goes wrong in it on demand, and that the client meets it as it would meet the real one.
import { setupServer } from "msw/node";
import { describe, expect, onTestFinished, test } from "vitest";

import { createClient } from "../src/index.ts";
import { createFakeService, type FakeService, type InjectedFault } from "@call-media/testing";
import { toHandlers } from "@call-media/testing/msw";
import { serveFake } from "@call-media/testing/http";
import { failureOf, listOf } from "./service.ts";

const DAY = "2026-03-02";
const wanted = { params: { path: { call_id: "7" } } };
const search = { startDate: DAY, endDate: DAY, filter: { agent: "ana" } };

/** 120 calls of a day; the call 7 has a recording. */
function createFake(): FakeService {
  const calls = Array.from({ length: 120 }, (_, index) => ({
    call_id: String(index),
    agent: "ana",
    datetime: `${DAY}T08:00:00Z`,
    ...(index === 7 && { recordings: [{ filename: "a.wav", bytes: new Uint8Array(5000) }] }),
  }));
  return createFakeService({ calls });
}

const clientOf = (service: FakeService, more: object = {}) =>
  createClient({ ...service.clientOptions, random: () => 0, ...more });

const operationsOf = ({ requests }: FakeService) => requests.map(({ operationId }) => operationId);

test("a search is paged, and each record comes once", async () => {
  const service = createFake();
  const found = await listOf(clientOf(service).calls.search(search));
  expect(new Set(found.map(({ call_id }) => call_id)).size).toBe(120);
  expect(operationsOf(service).slice(0, 2)).toEqual(["createToken", "searchMetadata"]);
});

describe("a fault that passes", () => {
  const faults: readonly InjectedFault[] = [
    { kind: "status", status: 503 },
    { kind: "status", status: 429, retryAfterS: 0 },
    { kind: "forget-tokens" },
    { kind: "unreachable" },
    { kind: "cut", afterBytes: 10 },
    { kind: "slow", delayMs: 5 },
    { kind: "status", status: 503, operation: "createToken" },
  ];
  test.each(faults)("%o", async (fault) => {
    const service = createFake();
    const client = clientOf(service);
    service.inject(fault);
    const { data } = await client.GET("/metadata/by-call-id/{call_id}", wanted);
    expect(data.data).toHaveLength(1);
    expect(service.requests).toHaveLength(
      { slow: 2, "forget-tokens": 4 }[fault.kind as string] ?? 3,
    );
  });
});

describe("a fault that stays", () => {
  const faults: readonly (readonly [InjectedFault, string])[] = [
    [{ kind: "status", status: 503, times: 3 }, "ServiceError"],
    [{ kind: "status", status: 401, times: 2 }, "AuthenticationError"],
    [{ kind: "unreachable", times: Infinity }, "ConnectionError"],
    [{ kind: "hang", times: Infinity }, "TimeoutError"],
    [{ kind: "drift", change: ({ data: _data, ...rest }) => rest }, "ProtocolError"],
  ];
  test.each(faults)("%o: %s", async (fault, name) => {
    const service = createFake();
    service.inject(fault);
    // On a busy machine any other answer may take longer.
    const tryTimeoutMs = fault.kind === "hang" ? 100 : undefined;
    const call = clientOf(service, { tryTimeoutMs }).GET("/metadata/by-call-id/{call_id}", wanted);
    expect(await failureOf(call)).toMatchObject({ name });
  });
});

test("in the middle of a search: nothing is lost, nothing comes twice", async () => {
  const service = createFake();
  service.inject({ kind: "forget-tokens", operation: "searchMetadata", skip: 1 });
  service.inject({ kind: "cut", afterBytes: 3000, operation: "searchMetadata", skip: 1 });
  const found = await listOf(clientOf(service).calls.search(search));
  expect(found).toHaveLength(120);
  expect(operationsOf(service).filter((one) => one === "createToken")).toHaveLength(2);
});

test("a hanging request ends when it is aborted", async () => {
  const service = createFake();
  service.inject({ kind: "hang" });
  const signal = AbortSignal.timeout(20);
  const call = clientOf(service).GET("/metadata/by-call-id/{call_id}", { ...wanted, signal });
  expect(await failureOf(call)).toMatchObject({ name: "AbortError" });
});

test("a body that is read ends when it is aborted", async () => {
  const bytes = new Uint8Array(1_000_000);
  const service = createFakeService({
    calls: [{ call_id: "7", recordings: [{ filename: "a.wav", bytes }] }],
  });
  const controller = new AbortController();
  const { signal } = controller;
  const { body } = await clientOf(service).recordings.stream({ call_id: "7", signal });
  const reader = body.getReader();
  controller.abort();
  expect(await failureOf(reader.read())).toMatchObject({ name: "AbortError" });
});

test("a body is interrupted after exactly afterBytes bytes", async () => {
  const { baseUrl, apiKey, fetch, inject } = createFake();
  inject({ kind: "cut", afterBytes: 1234 });
  const headers = { Authorization: `Bearer ${apiKey}` };
  const { body } = await fetch(`${baseUrl}/recording/stream-by-call-id/7`, { headers });
  let received = 0;
  const read = async () => {
    for await (const piece of body ?? []) received += piece.length;
  };
  expect(await failureOf(read())).toEqual(new TypeError("terminated"));
  expect(received).toBe(1234);
});

test("a digest of other bytes is announced", async () => {
  const service = createFake();
  const client = clientOf(service);
  const { sha256, body } = await client.recordings.stream({ call_id: "7" });
  expect((await new Response(body).arrayBuffer()).byteLength).toBe(5000);
  service.inject({ kind: "wrong-digest" });
  const other = await client.recordings.stream({ call_id: "7" });
  await other.body.cancel();
  expect(other.sha256).toMatch(/^[\da-f]{64}$/);
  expect(other.sha256).not.toBe(sha256);
});

test("`skip` requests pass before, and `times` are befallen", async () => {
  const service = createFake();
  const client = clientOf(service, { maxRetries: 0 });
  service.inject({ kind: "status", status: 500, operation: "listPublicFlags", skip: 1, times: 2 });
  const isKept = () =>
    client.GET("/flags/public").then(
      () => true,
      () => false,
    );
  const kept: boolean[] = [];
  for (let call = 0; call < 4; call += 1) kept.push(await isKept());
  expect(kept).toEqual([true, false, false, true]);
});

test("a fault that is taken back does not happen", async () => {
  const service = createFake();
  const takeBack = service.inject({ kind: "status", status: 500, times: Infinity });
  takeBack();
  await clientOf(service).GET("/flags/public");
  expect(service.requests).toHaveLength(2);
});

test("users see what their rights cover", async () => {
  const users = [
    { id: 1, is_admin: true },
    { id: 2, allow_all_campaigns: false, allowed_campaigns: ["Billing "] },
  ];
  const calls = ["billing", "Sales", null].map((campaign) => ({ call_id: "7", campaign }));
  const service = createFakeService({ users, calls });
  const { credentials } = service.accessOf(2);
  const { data } = await clientOf(service, { credentials }).GET(
    "/metadata/by-call-id/{call_id}",
    wanted,
  );
  expect(data.data.map(({ campaign }) => campaign)).toEqual(["billing"]);
});

test("another deployment: pages from 1, the last day left out, no count, no ranges, no digest", async () => {
  const profile = {
    firstPage: 1,
    endDate: "excluded",
    recordCount: "page",
    streamRanges: false,
    streamDigest: false,
  } as const;
  const calls = Array.from({ length: 60 }, (_, index) => ({
    call_id: String(index),
    custom_field_1: "x",
    datetime: `${DAY}T08:00:00Z`,
    recordings: [{ filename: "a.wav", bytes: new Uint8Array(9) }],
  }));
  const service = createFakeService({ calls, profile });
  const client = clientOf(service, { profile });
  const filter = { custom_field_1: "X" };
  const found = client.calls.byCustomFields({ startDate: DAY, endDate: DAY, filter });
  expect(await listOf(found)).toHaveLength(60);
  const headers = { Range: "bytes=0-1" };
  const { response, data } = await client.GET("/recording/stream-by-call-id/{call_id}", {
    ...wanted,
    headers,
    parseAs: "stream",
  });
  await data.cancel();
  expect(response.status).toBe(200);
  expect(response.headers.has("Repr-Digest")).toBe(false);
});

test("over HTTP a cut body is a cut connection", async () => {
  const service = createFake();
  await using served = await serveFake(service);
  const { credentials } = service;
  const client = createClient({ baseUrl: served.baseUrl, credentials, random: () => 0 });
  service.inject({ kind: "cut", afterBytes: 100, times: Infinity });
  const call = client.GET("/metadata/by-call-id/{call_id}", wanted);
  expect(await failureOf(call)).toMatchObject({ name: "ConnectionError", attempts: 3 });
});

test("over HTTP a client that disconnects before the response causes no error", async () => {
  const service = createFake();
  const stop = new AbortController();
  const late = async (...[given, init]: Parameters<FakeService["fetch"]>) => {
    const answer = await service.fetch(given, init);
    stop.abort();
    await new Promise((resolve) => init?.signal?.addEventListener("abort", resolve));
    return answer;
  };
  await using served = await serveFake({ ...service, fetch: late });
  const asked = fetch(`${served.baseUrl}/flags/public`, { signal: stop.signal });
  await expect(asked).rejects.toThrow("aborted");
  // What nobody has caught would end the run of the tests.
  await new Promise((resolve) => setTimeout(resolve, 100));
});

// In other runtimes MSW does not reach their `fetch`.
const isNode = !("Bun" in globalThis || "Deno" in globalThis);

test.skipIf(!isNode)(
  "as handlers of MSW it answers the global fetch, and fails as the network does",
  async () => {
    const service = createFake();
    const server = setupServer(...toHandlers(service));
    server.listen();
    onTestFinished(() => server.close());
    const { baseUrl, credentials } = service;
    const client = createClient({ baseUrl, credentials, random: () => 0 });
    service.inject({ kind: "unreachable" });
    const { data } = await client.GET("/metadata/by-call-id/{call_id}", wanted);
    expect(data.data[0]?.agent).toBe("ana");
    expect(service.requests).toHaveLength(3);
  },
);

test.each([
  [{ users: [] }, "users must not be empty"],
  [{ calls: [{ datetime: "yesterday" }] }, 'datetime "yesterday" is not a time'],
  [{ profile: { firstPage: 2 as 1 } }, "profile.firstPage must be 0 or 1"],
])("%o is refused", (options, message) => {
  expect(() => createFakeService(options)).toThrow(new TypeError(message));
});
