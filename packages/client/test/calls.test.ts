// What goes over the wire for each of the fifteen calls, and what comes back.
import document from "@call-media/api/openapi.json" with { type: "json" };
import { expect, test } from "vitest";
import { createClient, InvalidRequestError } from "../src/index.ts";
import {
  credentials,
  failureOf,
  listOf,
  openService,
  sendJson,
  sendSuccess,
  isPage,
} from "./service.ts";

const range = { pageIndex: 2, startDate: "2026-03-01", endDate: "2026-03-31" };
const rangeQuery = "?pageIndex=2&startDate=2026-03-01&endDate=2026-03-31";

test("each operation is sent with its method, path, query, body and the token", async () => {
  const { client, asked, signIns } = await openService((response, { url }) => {
    if (url.startsWith("/recording/stream")) response.end("RIFF");
    else sendSuccess(response, url.startsWith("/recording/") ? { success: true } : []);
  });
  const call_id = { path: { call_id: "c 1" } };
  const ref_id = { path: { ref_id: "r/1" } };
  const user = { query: { user_id: 4 } };

  await client.POST("/Token", { body: credentials });
  await client.GET("/metadata/by-reference/{ref_id}", { params: ref_id });
  await client.GET("/metadata/by-call-id/{call_id}", { params: call_id });
  await client.POST("/metadata/by-custom-fields", {
    params: { query: range },
    body: { custom_field_1: "a" },
  });
  await client.POST("/metadata/search", { params: { query: range }, body: { agent: "ü" } });
  await client.GET("/users/basic-info", { params: { query: { status: "all" } } });
  await client.GET("/users/address-info", { params: user });
  await client.GET("/users/security-info", { params: user });
  await client.GET("/recording/by-reference/{ref_id}", { params: ref_id });
  await client.GET("/recording/by-call-id/{call_id}", {
    params: { ...call_id, query: { part: 2 } },
  });
  await client.GET("/recording/stream-by-reference/{ref_id}", {
    params: ref_id,
    parseAs: "stream",
  });
  await client.GET("/recording/stream-by-call-id/{call_id}", {
    params: { ...call_id, header: { Range: "bytes=4-" } },
    parseAs: "stream",
  });
  await client.GET("/flags/public");
  await client.GET("/flags/private", { params: user });
  await client.GET("/chat/by-call-id/{call_id}", { params: call_id });

  expect(signIns.map(({ method, body }) => [method, JSON.parse(body)])).toEqual([
    ["POST", credentials], // asked for by the test
    ["POST", credentials], // the client's own
  ]);
  expect(asked.map(({ method, url, body }) => `${method} ${url} ${body}`.trimEnd())).toEqual([
    "GET /metadata/by-reference/r%2F1",
    "GET /metadata/by-call-id/c%201",
    `POST /metadata/by-custom-fields${rangeQuery} {"custom_field_1":"a"}`,
    `POST /metadata/search${rangeQuery} {"agent":"ü"}`,
    "GET /users/basic-info?status=all",
    "GET /users/address-info?user_id=4",
    "GET /users/security-info?user_id=4",
    "GET /recording/by-reference/r%2F1",
    "GET /recording/by-call-id/c%201?part=2",
    "GET /recording/stream-by-reference/r%2F1",
    "GET /recording/stream-by-call-id/c%201",
    "GET /flags/public",
    "GET /flags/private?user_id=4",
    "GET /chat/by-call-id/c%201",
  ]);
  expect(new Set(asked.map(({ headers }) => headers.authorization))).toEqual(
    new Set(["Bearer token-2"]),
  );
  expect(asked[10]?.headers.range).toBe("bytes=4-");
});

test("data is the unchanged envelope, and response has status and headers", async () => {
  const envelope = { isError: false, errorMessage: null, data: [{ Id: 1 }], extra: true };
  const { client } = await openService((response) =>
    sendJson(response.setHeader("X-Request-Id", "r-1"), 200, envelope),
  );
  const { data, response, requestId } = await client.GET("/flags/public");
  expect(data).toEqual(envelope);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  expect(requestId).toBe("r-1");
});

test("POST /Token gives the token and sends no other", async () => {
  const { client, signIns } = await openService(() => {});
  const { data } = await client.POST("/Token", { body: credentials });
  expect(data).toMatchObject({ access_token: "token-1", type: "Bearer" });
  expect(signIns.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test("further headers are sent, but Authorization stays the client's own", async () => {
  const { client, asked } = await openService((response) => sendSuccess(response));
  await client.GET("/flags/public", {
    headers: { Authorization: "Bearer other", Traceparent: "t" },
  });
  expect(asked[0]?.headers).toMatchObject({ authorization: "Bearer token-1", traceparent: "t" });
});

test.skipIf(isPage)(
  "a stream is handed over unread, and a 304 that was asked for is an empty one",
  async () => {
    const { client } = await openService((response, { headers }) => {
      if (headers["if-none-match"] === '"held"') response.writeHead(304).end();
      else response.end(Buffer.from([0, 255, 13, 10]));
    });
    const path = "/recording/stream-by-call-id/{call_id}";
    const params = { path: { call_id: "1" } };

    const fresh = await client.GET(path, { params, parseAs: "stream" });
    expect((await listOf(fresh.data)).flatMap((chunk) => [...chunk])).toEqual([0, 255, 13, 10]);
    const held = await client.GET(path, {
      params: { ...params, header: { "If-None-Match": '"held"' } },
      parseAs: "stream",
    });
    expect(held.response.status).toBe(304);
    expect(await listOf(held.data)).toEqual([]);
  },
);

test.each([
  "",
  ".",
  "..",
  "../../users/basic-info", // some proxies decode slashes, and go up then
  "7\\..\\8",
  "%2e%2e", // some decode twice
  "7%252f..%252f8",
  "\uD800", // half a surrogate pair, which no URL can carry
  undefined,
  7,
])("the path parameter %j is refused and nothing is sent", async (call_id) => {
  const { client, asked, signIns } = await openService((response) => sendSuccess(response));
  const params = { path: { call_id: call_id as string } }; // What a caller without types can do.
  const error = await failureOf(client.GET("/metadata/by-call-id/{call_id}", { params }));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ status: undefined, path: "/metadata/by-call-id/{call_id}" });
  expect(String(error)).toContain("call_id must be a string, not empty, . or ..");
  expect([...asked, ...signIns]).toEqual([]);
});

test("a query that no URL can carry is refused and nothing is sent", async () => {
  const { client, asked, signIns } = await openService((response) => sendSuccess(response));
  const search = { startDate: "\uD800", endDate: "2026-03-01", filter: { agent: "ana" } };
  const error = await failureOf(listOf(client.calls.search(search)));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ status: undefined, path: "/metadata/search" });
  expect(String(error)).toContain("startDate must be a string");
  expect([...asked, ...signIns]).toEqual([]);
});

test.each(["flags/public", "/flags/all", "@evil.example/", ".evil.example/"])(
  "the path %s, which the contract does not have, is refused and nothing is sent",
  async (path) => {
    const { client, asked, signIns } = await openService((response) => sendSuccess(response));
    // What a caller without types can do.
    const error = await failureOf(client.GET(path as "/flags/public"));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(`The contract has no GET ${path}`);
    expect([...asked, ...signIns]).toEqual([]);
  },
);

test("a signal stops a call with an AbortError, before and while it is under way", async () => {
  const { client, asked, signIns } = await openService(() => {}); // never answers
  const reason = new Error("enough");
  const gone = client.GET("/flags/public", { signal: AbortSignal.abort(reason) });
  expect(await failureOf(gone)).toMatchObject({ name: "AbortError", cause: reason, attempts: 0 });
  expect(signIns).toEqual([]);
  const late = new AbortController();
  const call = failureOf(client.GET("/flags/public", { signal: late.signal }));
  await expect.poll(() => asked.length).toBe(1);
  late.abort(reason);
  expect(await call).toMatchObject({ name: "AbortError", cause: reason, attempts: 1 });
});

test("a sign-in of one's own is not sent either where its signal has stopped it before", async () => {
  const { client, signIns } = await openService(() => {});
  const reason = new Error("enough");
  const gone = client.POST("/Token", { body: credentials, signal: AbortSignal.abort(reason) });
  expect(await failureOf(gone)).toMatchObject({ name: "AbortError", cause: reason, attempts: 0 });
  expect(signIns).toEqual([]);
});

test("the fetch that is handed in does the sending, sign-in included", async () => {
  const { baseUrl } = await openService((response) => sendSuccess(response));
  const sent: string[] = [];
  const fetch = (url: string, init: RequestInit) => {
    sent.push(`${init.method} ${url.slice(baseUrl.length)}`);
    return globalThis.fetch(url, init);
  };
  await createClient({ baseUrl: `${baseUrl}/`, credentials, fetch }).GET("/flags/public");
  expect(sent).toEqual(["POST /Token", "GET /flags/public"]);
});

test("a path of the contract has one parameter at most, at its end: what calls rely on", () => {
  const paths = Object.keys(document.paths);

  expect(paths.filter((path) => !/^[^{}]+(?:\{\w+\})?$/.test(path))).toEqual([]);
  expect(paths).toContain("/metadata/by-call-id/{call_id}");
});
