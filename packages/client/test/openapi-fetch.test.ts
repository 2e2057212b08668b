// openapi-fetch over the transport of the client: what it gives, what it throws, and where no token goes.
import type { ServerResponse } from "node:http";

import { expect, test } from "vitest";

import type { ClientEvent, Operation } from "../src/index.ts";
import { createOpenapiFetchClient } from "../src/openapi-fetch/index.ts";
import {
  bearerOf,
  credentials,
  failureOf,
  hourlyTokens,
  openService,
  type Service,
  sendFailure,
  sendJson,
  sendSuccess,
} from "./service.ts";
import { collectGarbage } from "./support/garbage.ts";

const open = ({ baseUrl }: Pick<Service, "baseUrl">, more: object = {}) =>
  createOpenapiFetchClient({ baseUrl, credentials, random: () => 0, ...more });

const succeed = (response: ServerResponse) => sendSuccess(response);

const CHAT = "/chat/by-call-id/{call_id}";
const STREAM = "/recording/stream-by-call-id/{call_id}";
const withId = (call_id: string) => ({ params: { path: { call_id } } });

test("calls share a sign-in, are tried again and replayed once with a new token", async () => {
  const statuses = [503, 401, 200];
  const service = await openService((response) => {
    const status = statuses.shift() ?? 200;
    if (status === 200) sendSuccess(response, [{ room_id: "r" }]);
    else sendFailure(response, status, "No");
  });
  const events: ClientEvent[] = [];
  const client = open(service, { onEvent: (event: ClientEvent) => events.push(event) });
  const { data, error, response } = await client.GET(CHAT, withId("a b/7"));
  expect(data?.data[0]?.room_id).toBe("r");
  expect(error).toBeUndefined();
  expect(response.status).toBe(200);
  expect(service.asked.map(bearerOf)).toEqual([
    "Bearer token-1",
    "Bearer token-1",
    "Bearer token-2",
  ]);
  expect(service.asked[2]?.url).toBe("/chat/by-call-id/a%20b%2F7");
  expect(events.filter(({ type }) => type === "retry")).toHaveLength(2);
});

test("a retry sends the same body", async () => {
  const statuses = [503, 200];
  const service = await openService((response) =>
    statuses.shift() === 200 ? sendSuccess(response) : sendFailure(response, 503, "No"),
  );
  const query = { pageIndex: 0, startDate: "2026-03-01", endDate: "2026-03-31" };
  await open(service).POST("/metadata/search", { params: { query }, body: { agent: "Žofie" } });
  expect(service.asked.map(({ body }) => body)).toEqual(['{"agent":"Žofie"}', '{"agent":"Žofie"}']);
  expect(service.asked[1]?.headers["content-type"]).toBe("application/json");
});

test("a refusal is the error, as the service sent it", async () => {
  const service = await openService((response) => {
    response.setHeader("X-Request-Id", "r-9");
    sendFailure(response, 403, "allow_download is needed");
  });
  const { data, error, response } = await open(service).GET("/flags/public");
  expect(data).toBeUndefined();
  expect(error).toEqual({ isError: true, errorMessage: "allow_download is needed", data: [] });
  expect(response.status).toBe(403);
  expect(response.headers.get("X-Request-Id")).toBe("r-9");
});

test.each([
  ["a web page", "<h1>Bad gateway</h1>"],
  ["nothing", ""],
])("a refusal that has %s for a body is an error envelope too", async (_, body) => {
  const service = await openService((response) => {
    response.writeHead(502, { "Content-Type": "text/html", "Content-Length": body.length });
    response.end(body);
  });
  const { error, response } = await open(service, { maxRetries: 0 }).GET("/flags/public");
  const errorMessage = "GET /flags/public was answered 502";
  expect(error).toEqual({ isError: true, errorMessage, data: [] });
  expect(response.headers.get("Content-Type")).toMatch(/^application\/json/);
});

test("POST /Token is refused like any other, and its secret is not repeated", async () => {
  const service = await openService(succeed, (response) =>
    sendFailure(response, 401, `No such key: ${credentials.secretKey}`),
  );
  const { error } = await open(service).POST("/Token", { body: credentials });
  expect(error).toMatchObject({ errorMessage: "No such key: [redacted]" });
});

test.each([
  ["isError with 200", 200, { isError: true, errorMessage: "No", data: [] }, "EnvelopeError"],
  ["no envelope", 200, "<html>", "ProtocolError"],
  ["a redirect", 307, "", "ProtocolError"],
])("%s is thrown", async (_, status, body, name) => {
  const service = await openService((response) => {
    if (status === 307) response.setHeader("Location", "/elsewhere");
    sendJson(response, status, body);
  });
  expect(await failureOf(open(service).GET("/flags/public"))).toMatchObject({
    name,
    operationId: "listPublicFlags",
  });
  expect(service.asked).toHaveLength(1);
});

test("a service that is not there, and a sign-in that is refused, are thrown", async () => {
  const service = await openService(succeed, (response) => sendFailure(response, 401, "No"));
  expect(await failureOf(open(service).GET("/flags/public"))).toMatchObject({
    name: "AuthenticationError",
    operationId: "createToken",
  });
  await service.close();
  const gone = open(service, { maxRetries: 0, credentials: undefined, apiKey: "k" });
  expect(await failureOf(gone.GET("/flags/public"))).toMatchObject({ name: "ConnectionError" });
});

test.each(["", ".", "..", "\uD800"])("the identifier %j sends nothing", async (id) => {
  const service = await openService(succeed);
  const failure = await failureOf(open(service).GET(CHAT, withId(id)));
  expect(failure).toMatchObject({
    name: "InvalidRequestError",
    message: "call_id must be a string, not empty, . or ..",
  });
  expect([...service.asked, ...service.signIns]).toEqual([]);
});

test("a query that no URL can carry sends nothing", async () => {
  const service = await openService(succeed);
  const params = { query: { user_id: "\uD800" as never } };
  const failure = await failureOf(open(service).GET("/flags/private", { params }));
  expect(failure).toMatchObject({ name: "InvalidRequestError", path: "/flags/private" });
  expect([...service.asked, ...service.signIns]).toEqual([]);
});

test("no other service gets a token, and no other path", async () => {
  const [service, other] = await Promise.all([openService(succeed), openService(succeed)]);
  const client = open(service);
  const { baseUrl } = other;
  const strange = { ...withId("7"), pathSerializer: () => "/admin" };
  for (const failure of [
    failureOf(client.GET("/flags/public", { baseUrl })),
    failureOf(client.GET("/flags/public", { baseUrl: `${service.baseUrl}0` })),
    failureOf(client.GET(CHAT, strange)),
    failureOf(client.DELETE("/flags/public" as never)),
  ])
    expect(await failure).toBeInstanceOf(TypeError);
  expect([...service.asked, ...service.signIns, ...other.asked]).toEqual([]);
});

test("middleware sees requests and answers, and never the token", async () => {
  const service = await openService(succeed);
  const client = open(service);
  const seen: unknown[] = [];
  client.use({
    onRequest: ({ request }) => {
      request.headers.set("X-Trace", "t-1");
      return new Request(request, { headers: Object.fromEntries(request.headers) });
    },
    onResponse: ({ request, response }) => {
      seen.push(response.status, request.headers.get("Authorization"));
    },
  });
  await client.GET("/flags/public", { headers: { Authorization: "Bearer mine" } });
  expect(seen).toEqual([200, "Bearer mine"]);
  expect(service.asked[0]?.headers).toMatchObject({
    "x-trace": "t-1",
    authorization: "Bearer token-1",
  });
});

test("validate looks at its answers as well", async () => {
  const service = await openService(succeed);
  const client = open(service, {
    validate: (_: unknown, { path }: Operation) =>
      path === "/Token" ? undefined : "without a flag",
  });
  const { message } = (await failureOf(client.GET("/flags/public"))) as Error; // as failureOf gives
  expect(message).toBe("GET /flags/public was answered 200 without a flag");
});

test("a recording comes as a stream, and as JSON it is not asked for", async () => {
  const service = await openService((response) => response.end("RIFF"));
  const client = open(service);
  const { data, response } = await client.GET(STREAM, { ...withId("7"), parseAs: "stream" });
  expect(await new Response(data).text()).toBe("RIFF");
  expect(response.status).toBe(200);
  expect(await failureOf(client.GET(STREAM, withId("7")))).toMatchObject({
    name: "InvalidRequestError",
    message: expect.stringContaining('parseAs must be "stream"'),
  });
  expect(service.asked).toHaveLength(1);
});

test("a copy that is current comes as 304 with nothing", async () => {
  const service = await openService((response) => response.writeHead(304).end());
  const params = { path: { call_id: "7" }, header: { "If-None-Match": '"1"' } };
  const { data, error, response } = await open(service).GET(STREAM, { params, parseAs: "stream" });
  expect([data, error, response.status]).toEqual([undefined, "", 304]);
});

test("silence ends a stream, and so does the signal of a request that nobody holds any more", async () => {
  const service = await openService((response) => response.write("RIFF"), hourlyTokens());
  const quick = open(service, { idleTimeoutMs: 30 });
  const { data: silent } = await quick.GET(STREAM, { ...withId("7"), parseAs: "stream" });
  expect(await failureOf(new Response(silent).text())).toMatchObject({ name: "TimeoutError" });

  const controller = new AbortController();
  const init = { ...withId("7"), parseAs: "stream", signal: controller.signal } as const;
  const { data } = await open(service).GET(STREAM, init);
  collectGarbage();
  const failure = failureOf(new Response(data).text());
  controller.abort("enough");
  expect(await failure).toMatchObject({ name: "AbortError", cause: "enough" });
});
