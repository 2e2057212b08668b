// The events that onEvent receives, and the secrets that it never receives.
import { inspect } from "node:util";

import { expect, test } from "vitest";

import { type ClientEvent, createClient } from "../src/index.ts";
import {
  bearerOf,
  credentials,
  failureOf,
  openService,
  sendFailure,
  sendSuccess,
} from "./service.ts";

const brief = (event: ClientEvent) =>
  `${event.call} ${event.operationId} ${event.type}${"attempt" in event ? ` ${event.attempt}` : ""}`;

test("the events of a call come in order, with those of its sign-ins", async () => {
  const events: ClientEvent[] = [];
  const statuses = [401, 503, 200];
  const { baseUrl } = await openService((response) => {
    response.setHeader("X-Request-Id", "r-1");
    const status = statuses.shift() ?? 0;
    if (status === 200) sendSuccess(response);
    else sendFailure(response, status, "No");
  });
  const client = createClient({
    baseUrl,
    credentials,
    random: () => 0,
    onEvent: (event) => events.push(event),
  });
  await client.GET("/chat/by-call-id/{call_id}", { params: { path: { call_id: "7" } } });
  expect(events.map(brief)).toEqual([
    "1 getChatByCallId start",
    "2 createToken start",
    "2 createToken request 1",
    "2 createToken response 1",
    "2 createToken end",
    "0 createToken token",
    "1 getChatByCallId request 1",
    "1 getChatByCallId response 1",
    "1 getChatByCallId retry",
    "3 createToken start",
    "3 createToken request 1",
    "3 createToken response 1",
    "3 createToken end",
    "0 createToken token",
    "1 getChatByCallId request 2",
    "1 getChatByCallId response 2",
    "1 getChatByCallId retry",
    "1 getChatByCallId request 3",
    "1 getChatByCallId response 3",
    "1 getChatByCallId end",
  ]);
  expect(events.at(-2)).toEqual({
    call: 1,
    operationId: "getChatByCallId",
    method: "GET",
    path: "/chat/by-call-id/{call_id}",
    url: `${baseUrl}/chat/by-call-id/7`,
    attempts: 3,
    type: "response",
    attempt: 3,
    status: 200,
    requestId: "r-1",
    afterMs: expect.any(Number),
  });
});

test("a call that fails ends with its error", async () => {
  const events: ClientEvent[] = [];
  const { baseUrl } = await openService((response) => sendFailure(response, 404, "None"));
  const onEvent = (event: ClientEvent) => events.push(event);
  const client = createClient({ baseUrl, apiKey: "key-1", onEvent });
  const error = await failureOf(client.GET("/flags/public"));
  expect(events.at(-1)).toMatchObject({ type: "end", error, call: 1 });
  expect(error).toMatchObject({ call: 1 });
});

test("no event has a secret, a key, a token or what was sent and came", async () => {
  const events: ClientEvent[] = [];
  const onEvent = (event: ClientEvent) => events.push(event);
  const { baseUrl } = await openService((response, one) =>
    sendFailure(response, 503, `${bearerOf(one)} and ${credentials.secretKey}`),
  );
  const withKey = createClient({ baseUrl, apiKey: "key-77", onEvent, random: () => 0 });
  const withToken = createClient({ baseUrl, credentials, onEvent, random: () => 0 });
  const query = { pageIndex: 0, startDate: "2026-01-01", endDate: "2026-01-31" };
  const search = { params: { query }, body: { agent: "ana" } };
  await failureOf(withKey.POST("/metadata/search", search));
  await failureOf(withToken.POST("/metadata/search", search));
  expect(events.length).toBeGreaterThan(15);
  const shown = inspect(
    events.filter(({ type }) => type !== "end"),
    { depth: 9, showHidden: true },
  );
  expect(shown).not.toMatch(/key-77|token-\d|a-very-secret-key|app-7|ana/);
  const ends = inspect(
    events.filter(({ type }) => type === "end"),
    { depth: 9 },
  );
  expect(ends).not.toMatch(/key-77|token-\d/);
});

test("validate receives the operation, and nothing of the request", async () => {
  const told: unknown[] = [];
  const { baseUrl } = await openService((response) => sendSuccess(response));
  const validate = (_body: unknown, operation: unknown) => {
    told.push(operation);
    return undefined;
  };
  await createClient({ baseUrl, apiKey: "key-77", validate }).GET("/flags/public");
  expect(told).toEqual([{ operationId: "listPublicFlags", method: "GET", path: "/flags/public" }]);
});

const full = new Error("The log is full");
test.each([
  () => {
    throw full;
  },
  // Vitest fails where a rejection is left unhandled.
  async () => {
    throw full;
  },
])("an error in onEvent does not affect the call: %s", async (onEvent) => {
  const { baseUrl } = await openService((response) => sendSuccess(response));
  const client = createClient({ baseUrl, apiKey: "k", onEvent });
  expect((await client.GET("/flags/public")).response.status).toBe(200);
});
