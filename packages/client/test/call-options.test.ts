// What one call may have of its own, whichever way it is made; and who the service hears it is.
import { createFakeService } from "@call-media/testing";
import { expect, onTestFinished, test, vi } from "vitest";

import { type CallOptions, createClient } from "../src/index.ts";
import { failureOf, listOf, openService, sendFailure, sendSuccess } from "./service.ts";

const day = { startDate: "2026-03-01", endDate: "2026-03-01" };
type Client = ReturnType<typeof createClient>;
const ways: readonly (readonly [string, (client: Client, own: CallOptions) => Promise<unknown>])[] =
  [
    ["GET", (client, own) => client.GET("/flags/public", own)],
    ["a search", ({ calls }, own) => listOf(calls.byCustomFields({ ...day, filter: {}, ...own }))],
    ["a recording", ({ recordings }, own) => recordings.bytes({ call_id: "1", ...own })],
    ["a description", ({ recordings }, own) => recordings.describe({ call_id: "1", ...own })],
  ];

test.each(ways)("%s has retries and headers of its own", async (_, call) => {
  const { client, asked } = await openService((response) => sendFailure(response, 500, "Broken"));
  await failureOf(call(client, { maxRetries: 0, headers: { "X-Tenant": "7" } }));
  expect(asked.map(({ headers }) => headers["x-tenant"])).toEqual(["7"]);
  await failureOf(call(client, {}));
  expect(asked).toHaveLength(1 + 3);
});

test.each(ways)("%s has time-outs of its own", async (_, call) => {
  const { client } = await openService(() => {});
  const error = await failureOf(call(client, { tryTimeoutMs: 20, maxRetries: 0 }));
  expect(error).toMatchObject({ name: "TimeoutError" });
});

test("requests name the client, and the program before it", async () => {
  const { client, baseUrl, asked, signIns } = await openService((response) =>
    sendSuccess(response),
  );
  await client.GET("/flags/public");
  await createClient({ baseUrl, apiKey: "k", userAgent: "nightly/1.2" }).GET("/flags/public");
  await client.GET("/flags/public", { headers: { "User-Agent": "own" } });
  expect([...signIns, ...asked].map(({ headers }) => headers["user-agent"])).toEqual([
    "call-media-client",
    "call-media-client",
    "nightly/1.2 call-media-client",
    "own",
  ]);
  const broken = { baseUrl, apiKey: "k", userAgent: "a\r\nb" };
  expect(() => createClient(broken)).toThrow("userAgent must be visible ASCII");
});

test("CALL_MEDIA_DEBUG writes what happens, without identifiers and secrets", async () => {
  const lines: string[] = [];
  const log = vi
    .spyOn(console, "error")
    .mockImplementation((line) => void lines.push(String(line)));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    log.mockRestore();
  });
  const service = createFakeService();
  const call = async () => {
    const client = createClient({ ...service.clientOptions, random: () => 0 });
    await client.GET("/chat/by-call-id/{call_id}", {
      params: { path: { call_id: "31205550171" } },
    });
  };
  await call();
  expect(lines).toEqual([]);
  vi.stubEnv("CALL_MEDIA_DEBUG", "1");
  service.inject({ kind: "status", status: 503 });
  await call();
  const text = lines.join("\n");
  expect(text).toMatch(/^call-media 1 GET \/chat\/by-call-id\/\{call_id\}: start$/m);
  expect(text).toMatch(/: 503 after \d+ ms \(.+\)\n.*: again in 0 ms, after ServiceError CM_/);
  expect(text).toContain("token from sign-in");
  expect(text).not.toMatch(/31205550171|secret-key|Bearer/);
});
