// A back end between a page and the service: as Fetch, and under node:http.
import { createServer } from "node:http";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";

import { createFakeService } from "@call-media/testing";
import { describe, expect, onTestFinished, test } from "vitest";

import { createClient, NotFoundError } from "../src/index.ts";
import { toNodeHandler } from "../src/node.ts";
import { createProxy, type Proxy } from "../src/proxy/index.ts";
import { failureOf, listOf } from "./service.ts";

const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index % 251);
const call = {
  call_id: "7",
  agent: "ana.kovac",
  datetime: "2026-03-02T09:00:00Z",
  recordings: [{ filename: "a.wav", bytes }],
};

function openProxy(options = {}) {
  const service = createFakeService({ calls: [call] });
  const proxy = createProxy({
    ...service.clientOptions,
    prefix: "/archive",
    maxRetries: 0,
    ...options,
  });
  return { service, proxy };
}

/** Under node:http, as Express calls it. */
async function serve(proxy: Proxy) {
  const handle = toNodeHandler(proxy);
  const server = createServer(handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const SOUND = "/archive/recording/stream-by-call-id/7";

describe.each([
  [
    "as Fetch",
    (proxy: Proxy) => async (path: string, init?: RequestInit) =>
      proxy(new Request(`http://page.example${path}`, init)),
  ],
  [
    "under node:http",
    (proxy: Proxy) => {
      const served = serve(proxy);
      return async (path: string, init?: RequestInit) => fetch((await served) + path, init);
    },
  ],
])("%s", (_, toAsk) => {
  test("a recording is passed on, and ranges of it", async () => {
    const ask = toAsk(openProxy().proxy);
    const whole = await ask(SOUND);
    expect([whole.status, whole.headers.get("Content-Length")]).toEqual([200, "5000"]);
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes);
    const part = await ask(SOUND, { headers: { Range: "bytes=4990-" } });
    expect([
      part.status,
      part.headers.get("Content-Range"),
      part.headers.get("Content-Length"),
    ]).toEqual([206, "bytes 4990-4999/5000", "10"]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.subarray(4990));
    const etag = whole.headers.get("ETag") ?? "";
    expect((await ask(SOUND, { headers: { "If-None-Match": etag } })).status).toBe(304);
    const past = await ask(SOUND, { headers: { Range: "bytes=9000-" } });
    expect([past.status, past.headers.get("Content-Range")]).toEqual([416, "bytes */5000"]);
    expect(await past.json()).toMatchObject({ isError: true });
    const head = await ask(SOUND, { method: "HEAD" });
    expect([head.status, head.headers.get("Content-Length")]).toEqual([200, "5000"]);
  });

  test("searches and records are passed on, with what a page may see of their headers", async () => {
    const ask = toAsk(openProxy().proxy);
    const query = "pageIndex=0&startDate=2026-03-02&endDate=2026-03-02";
    const found = await ask(`/archive/metadata/search?${query}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Prefer: "count=exact" },
      body: JSON.stringify({ agent: "ana.kovac" }),
    });
    expect(await found.json()).toMatchObject({ isError: false, data: [{ call_id: "7" }] });
    expect(found.headers.get("Content-Range")).toBe("records 0-0/1");
    expect(found.headers.get("Archive-Time-Zone")).toBe("UTC");
    expect(found.headers.get("WWW-Authenticate")).toBeNull();
  });

  test("no token is given out, and other paths and methods are refused", async () => {
    const { service, proxy } = openProxy();
    const ask = toAsk(proxy);
    const credentials = JSON.stringify(service.credentials);
    const paths = ["/archive/Token", "/archive/nowhere", "/archives/flags/public"];
    for (const path of paths)
      expect((await ask(path, { method: "POST", body: credentials })).status).toBe(404);
    expect((await ask("/archive/flags/public", { method: "POST", body: "{}" })).status).toBe(405);
    expect((await ask("/archive/flags/public", { method: "HEAD" })).status).toBe(405);
    expect(service.requests).toEqual([]);
  });

  test.each([
    ["what the page asked for", { kind: "status", status: 400 }, 400],
    ["too many requests", { kind: "status", status: 429, retryAfterS: 7 }, 429],
    ["a service that fails", { kind: "status", status: 503 }, 503],
    ["a service that is not there", { kind: "unreachable" }, 502],
    ["a token that is refused", { kind: "status", status: 401 }, 502],
    [
      "a refusal of the proxy itself",
      { kind: "status", status: 401, operation: "createToken" },
      502,
    ],
  ] as const)("%s has a status that a page understands", async (__, fault, status) => {
    const { service, proxy } = openProxy();
    service.inject({ ...fault, times: Infinity });
    const response = await toAsk(proxy)("/archive/flags/public");
    expect(response.status).toBe(status);
    const retry = "retryAfterS" in fault ? String(fault.retryAfterS) : null;
    expect(response.headers.get("Retry-After")).toBe(retry);
    expect(response.headers.get("X-Error-Code")).toMatch(/^(CM|CLIENT|HTTP)_/);
    expect(await response.json()).toMatchObject({ isError: true, data: [] });
  });
});

/** As it is written: `fetch` would resolve it. */
async function askRaw(baseUrl: string, path: string) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: page.example\r\nConnection: close\r\n\r\n`);
  const [head = "", body] = (await text(socket)).split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), body };
}

test.each(["TRACE / HTTP/1.1", "PUT / HTTP/1.1\r\nContent-Length: 10", "FLY / HTTP/1.1"])(
  "%s is answered under node:http, and no body is waited for",
  async (line) => {
    const { hostname, port } = new URL(await serve(openProxy().proxy));
    const socket = connect(Number(port), hostname);
    socket.write(`${line.replace("/ ", `${SOUND} `)}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[05] /);
  },
);

const REFUSED = '"isError":true,"errorMessage":"The path has . or .. as a segment';

// Routes of the program see what was written; the service would see where it leads.
test.each([
  "/archive/recording/../users/basic-info?status=all",
  "/archive/recording/stream-by-call-id/other/../7",
  "/archive/flags/../users/security-info?user_id=1",
  "/archive/recording/%2e%2e/users/basic-info",
  "/archive/recording/.%2E/users/basic-info",
  "/archive/recording/stream-by-call-id/other/%2E%2e/7",
  "/archive/recording/stream-by-call-id/other%2f..%2f7",
  "/archive/recording/stream-by-call-id/other%252F%252e%252e%252F7",
  "/archive/recording/stream-by-call-id/other%25%32%66..%25%32%667",
  "/archive/recording/stream-by-call-id/other%255c..%255c7",
  "/archive/recording/stream-by-call-id/other\\..\\7",
  "/archive/recording/stream-by-call-id\\7",
  "/archive/recording/stream-by-call-id/other/..;x=1/7",
  "/archive/recording/stream-by-call-id/./7",
  "/archive/recording/stream-by-call-id/7/..",
  "/archive//users/basic-info?status=all",
  "/archive/recording/stream-by-call-id//7",
  "/archive/recording/stream-by-call-id/7/",
  "/archive/recording/stream-by-call-id/other%2f7",
  "/archive/recording%2Fstream-by-call-id/7",
  "/archive/recording/stream-by-call-id/other%255c7",
  "/archive/recording/stream-by-call-id/7%00",
  "/archive/recording/stream-by-call-id/7%2500.wav",
  "/archive/recording/stream-by-call-id/7%0d%0aX-A:%20b",
  "/archive/recording/%09../users/basic-info",
  "//page.example/archive/flags/public",
  `/archive/flags/%${"25".repeat(5)}41`,
  "http://localhost/archive/recording/../users/basic-info",
])("the path %j is refused before it leads anywhere", async (path) => {
  const { service, proxy } = openProxy();
  const asked = await askRaw(await serve(proxy), path);
  expect(asked).toMatchObject({ status: 400, body: expect.stringContaining(REFUSED) });
  // A server may hand on the URL as it came, or have resolved it.
  const url = path.startsWith("/") ? `http://page.example${path}` : path;
  expect((await proxy({ method: "GET", url } as Request)).status).toBe(400);
  expect((await proxy(new Request(`http://page.example${SOUND}`), path)).status).toBe(400);
  expect(service.requests).toEqual([]);
});

test.each(["50%25", "a%20b", "a%2541", "%E2%80%A6", "a..b", "...", "a%3Fb"])(
  "the identifier %s is one like any other",
  async (id) => {
    const { service, proxy } = openProxy();
    await askRaw(await serve(proxy), `/archive/metadata/by-call-id/${id}`);
    const asked = service.requests.find(({ operationId }) => operationId !== "createToken");
    expect(asked?.url).toMatch(new RegExp(`/metadata/by-call-id/${id}$`));
  },
);

test.each(["archive", "/archive/", "/", "/a?b"])("the prefix %j is refused", (prefix) => {
  expect(() => openProxy({ prefix })).toThrow(
    "prefix must begin with a slash and not end with one, such as /archive",
  );
});

test.each([
  ["/archive", "/flags/public", "This proxy answers paths below /archive"],
  ["/archive", "/archives/flags/public", "This proxy answers paths below /archive"],
  ["", "/archive/flags/public", "The contract has no such path; is the prefix of the proxy right?"],
])("with the prefix %j the path %s is refused with the reason", async (prefix, path, reason) => {
  const response = await openProxy({ prefix }).proxy(new Request(`http://page.example${path}`));
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ errorMessage: reason });
});

test("with only, an operation that is not named is refused, by GET and HEAD", async () => {
  const { service, proxy } = openProxy({ only: ["streamRecordingByCallId"] });
  const ask = async (path: string, init?: RequestInit) => {
    const response = await proxy(new Request(`http://page.example/archive${path}`, init));
    return [response.status, await response.text()];
  };
  const search = { method: "POST", body: "{}" };
  const asked = [
    await ask("/users/basic-info?status=all"),
    await ask("/metadata/by-call-id/7"),
    await ask("/recording/stream-by-reference/7", { method: "HEAD" }),
    await ask("/metadata/search?pageIndex=0", search),
  ];
  const refused = ["listUsers", "getMetadataByCallId", "streamRecordingByReference"];
  expect(asked).toEqual(
    [...refused, "searchMetadata"].map((name) => [
      403,
      expect.stringContaining(`This proxy does not pass on ${name}`),
    ]),
  );
  expect(service.requests).toEqual([]);
  expect((await ask("/recording/stream-by-call-id/7"))[0]).toBe(200);
  expect((await ask("/recording/stream-by-call-id/7", { method: "HEAD" }))[0]).toBe(200);
});

test.each([["createToken"], ["streamRecording"], ["toString"]])(
  "only refuses the name %s, and says which there are",
  (name) => {
    expect(() => openProxy({ only: [name] })).toThrow(
      `only may not have "${name}"; it may have getMetadataByReference, `,
    );
  },
);

test("with an empty only, nothing is passed on", async () => {
  const { proxy } = openProxy({ only: [] });
  const response = await proxy(new Request("http://page.example/archive/flags/public"));
  expect(response.status).toBe(403);
});

test("cookies and authorization of the page do not reach the service", async () => {
  const { service } = openProxy();
  const sent: Record<string, string>[] = [];
  const send = async (url: string, init: { headers: Record<string, string> }) => {
    sent.push(init.headers);
    return service.fetch(url, init);
  };
  const proxy = createProxy({ baseUrl: service.baseUrl, apiKey: service.apiKey, fetch: send });
  const headers = { Cookie: "user=1", Authorization: "Bearer page" };
  await proxy(new Request("http://page.example/flags/public", { headers }));
  expect(sent.map((one) => [one["cookie"], one["authorization"]])).toEqual([
    [undefined, `Bearer ${service.apiKey}`],
  ]);
});

test("a client of the page has its errors and its streams through the proxy", async () => {
  const baseUrl = `${await serve(openProxy().proxy)}/archive`;
  const client = createClient({ baseUrl, apiKey: "of-the-page" });
  const search = { startDate: "2026-03-02", endDate: "2026-03-02", filter: {} };
  const found = client.calls.byCustomFields(search);
  expect(await listOf(found)).toHaveLength(1);
  expect(found.report.verdict).toBe("complete");
  expect((await client.recordings.bytes({ call_id: "7" })).content).toEqual(bytes);
  const error = await failureOf(client.recordings.bytes({ call_id: "8" }));
  expect(error).toBeInstanceOf(NotFoundError);
});

test("a page that goes away stops the request", async () => {
  const { service, proxy } = openProxy();
  service.inject({ kind: "hang" });
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = proxy(new Request("http://page.example/archive/flags/public", { signal }));
  controller.abort();
  expect((await waiting).status).toBe(499);
});
