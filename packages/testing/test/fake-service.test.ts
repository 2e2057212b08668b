// The service in memory: real answers, users and rights, what goes wrong on demand, and other services by their profiles.
import { describe, expect, test } from "vitest";
import { serveFake } from "../src/http.ts";
import { createFakeService, type FakeService, type FakeServiceOptions } from "../src/index.ts";

const DAY = "2026-03-02";
const DAYS = `startDate=${DAY}&endDate=${DAY}`;

/** Calls of one day, a minute apart, the first at midnight; `a.wav` is a recording of each. */
const createFake = (calls: number, options: FakeServiceOptions = {}) =>
  createFakeService({
    calls: Array.from({ length: calls }, (_, index) => ({
      call_id: String(index),
      agent: index % 2 === 0 ? "Ann" : "bob",
      datetime: new Date(Date.parse(DAY) + index * 60_000).toISOString(),
      recordings: [{ filename: "a.wav", bytes: new Uint8Array([1, 2, 3, index]) }],
    })),
    ...options,
  });

function ask(service: FakeService, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!headers.has("Authorization")) headers.set("Authorization", `Bearer ${service.apiKey}`);
  return service.fetch(`${service.baseUrl}${path}`, { ...init, headers });
}

async function search(service: FakeService, query: string, filter: object = {}) {
  const response = await ask(service, `/metadata/by-custom-fields?${query}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(filter),
  });
  const body = (await response.json()) as { readonly data: readonly { call_id: string }[] };
  const ids = body.data.map(({ call_id }) => Number(call_id));
  return { status: response.status, ids, body, link: response.headers.get("Link") };
}

test("a search is paged as the service does it, and refused as the service does it", async () => {
  const service = createFake(60);
  const first = await search(service, `pageIndex=0&${DAYS}`);
  expect(first.ids).toEqual(Array.from({ length: 50 }, (_, index) => 59 - index));
  expect(first.body).toMatchObject({ pageID: 0, recordCount: 60 });
  expect((await search(service, `pageIndex=1&${DAYS}`)).ids).toHaveLength(10);
  expect(await search(service, `pageIndex=-1&${DAYS}`)).toMatchObject({ status: 400 });
});

test("an application signs in, and its tokens are good until they are forgotten", async () => {
  const service = createFake(1);
  const signIn = await service.fetch(`${service.baseUrl}/Token`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(service.credentials),
  });
  const { access_token: token } = (await signIn.json()) as { readonly access_token: string };
  const asked = () =>
    ask(service, "/flags/public", { headers: { Authorization: `Bearer ${token}` } });
  expect((await asked()).status).toBe(200);
  service.inject({ kind: "forget-tokens" });
  expect((await asked()).status).toBe(401);
  expect((await asked()).status).toBe(401);
  expect((await ask(service, "/flags/public")).status).toBe(200);
});

test("a recording is streamed whole, in part and not at all", async () => {
  const service = createFake(1);
  const path = "/recording/stream-by-call-id/0";
  const whole = await ask(service, path);
  expect(new Uint8Array(await whole.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3, 0]));
  const part = await ask(service, path, { headers: { Range: "bytes=1-2" } });
  expect([part.status, [...new Uint8Array(await part.arrayBuffer())]]).toEqual([206, [2, 3]]);
  const head = await ask(service, path, { method: "HEAD" });
  expect([head.status, head.headers.get("Content-Length"), head.body]).toEqual([200, "4", null]);
  expect((await ask(service, "/recording/stream-by-call-id/9")).status).toBe(404);
  expect(service.requests.map(({ operationId }) => operationId)).toEqual(
    Array(4).fill("streamRecordingByCallId"),
  );
});

test("chunks of a recording stay unchanged while later ones are read", async () => {
  const bytes = new Uint8Array(1_000_000).map((_, index) => index % 251);
  const service = createFakeService({
    calls: [{ call_id: "7", recordings: [{ filename: "a.wav", bytes }] }],
  });
  const { body } = await ask(service, "/recording/stream-by-call-id/7");
  const pieces: Uint8Array[] = [];
  for await (const piece of body ?? []) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(1);
  expect(Buffer.compare(Buffer.concat(pieces), bytes)).toBe(0);
});

test("records of one call_id stay apart, and are found by their references", async () => {
  const legs = [{ references: ["S", "M"] }, {}].map((more) => ({ call_id: "7", ...more }));
  const service = createFakeService({ calls: legs });
  const count = async (path: string) => {
    const { data } = (await (await ask(service, path)).json()) as { readonly data: unknown[] };
    return data.length;
  };
  expect(await count("/metadata/by-call-id/7")).toBe(2);
  expect(await count("/metadata/by-reference/S")).toBe(1);
  expect(await count("/metadata/by-reference/M")).toBe(1);
});

describe("another service by its profile", () => {
  test.each<[profile: FakeServiceOptions["profile"], query: string, filter: object, ids: number[]]>(
    [
      [{ firstPage: 1, pageSize: 2 }, `pageIndex=2&${DAYS}`, {}, [3, 2]],
      [{ order: "oldest-first" }, `pageIndex=0&${DAYS}`, {}, [0, 1, 2, 3, 4, 5]],
      [{ endDate: "excluded" }, `pageIndex=0&${DAYS}`, {}, []],
      [
        { endDate: "excluded" },
        `pageIndex=0&startDate=${DAY}&endDate=2026-03-03`,
        {},
        [5, 4, 3, 2, 1, 0],
      ],
      [{ utcOffsetMinutes: { from: -2, to: -2 } }, `pageIndex=0&${DAYS}`, {}, [5, 4, 3, 2]],
    ],
  )("%j", async (profile, query, filter, ids) => {
    expect((await search(createFake(6, { profile }), query, filter)).ids).toEqual(ids);
  });

  test("counts a page, has a status past the end, and compares in its own way", async () => {
    const profile = {
      recordCount: "page",
      pageSize: 2,
      pastTheEndStatus: 404,
      matchesBeginning: true,
      ignoresCase: false,
    } as const;
    const calls = ["Ann", "Anna", "ann"].map((custom_field_1) => ({
      custom_field_1,
      datetime: DAY,
    }));
    const service = createFakeService({ calls, profile });
    const asked = (page: number) =>
      search(service, `pageIndex=${page}&${DAYS}`, { custom_field_1: "An" });
    expect((await asked(0)).body).toMatchObject({ recordCount: 2, data: [{}, {}] });
    expect(await asked(1)).toMatchObject({ status: 404, ids: [] });
  });

  test("has neither ranges nor digests", async () => {
    const service = createFake(1, { profile: { streamRanges: false, streamDigest: false } });
    const headers = { Range: "bytes=0-1" };
    const response = await ask(service, "/recording/stream-by-call-id/0", { headers });
    expect([response.status, response.headers.has("Repr-Digest")]).toEqual([200, false]);
  });
});

test("over HTTP a changed body is whole, and a cut one a cut connection", async () => {
  const service = createFake(1);
  await using served = await serveFake(service);
  const headers = { Authorization: `Bearer ${service.apiKey}` };
  const get = () => fetch(`${served.baseUrl}/metadata/by-call-id/0`, { headers });
  service.inject({ kind: "drift", change: () => ({ other: true }) });
  expect(await (await get()).json()).toEqual({ other: true });
  service.inject({ kind: "cut", afterBytes: 10 });
  await expect(get().then((response) => response.text())).rejects.toThrow("terminated");
});

test.each([
  [{ users: [] }, "users must not be empty"],
  [{ users: [{ id: 1, can_download: false } as { id: 1 }] }, "users have no field can_download"],
  [{ calls: [{ datetime: "yesterday" }] }, 'datetime "yesterday" is not a time'],
  [{ calls: [{ references: ["a", "b", "c"] }] }, "references must be"],
  [{ profile: { firstPage: 2 as 1 } }, "profile.firstPage must be 0 or 1"],
  [{ profile: { pageSize: 0 } }, "profile.pageSize must be a positive integer"],
])("%o is refused", (options, message) => {
  expect(() => createFakeService(options)).toThrow(message);
});
