// Every way an answer can fail a call, and the class it fails with.
import { inspect } from "node:util";

import { expect, test } from "vitest";

import {
  AuthenticationError,
  CallMediaError,
  ConnectionError,
  createClient,
  EnvelopeError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ProtocolError,
  RateLimitError,
  ServiceError,
} from "../src/index.ts";
import {
  credentials,
  failureOf,
  openService,
  sendFailure,
  sendJson,
  sendSuccess,
} from "./service.ts";

const classes = [
  [400, InvalidRequestError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [405, InvalidRequestError],
  [406, InvalidRequestError],
  [413, InvalidRequestError],
  [415, InvalidRequestError],
  [416, InvalidRequestError],
  [422, InvalidRequestError],
  [429, RateLimitError],
  [500, ServiceError],
  [502, ServiceError],
  [503, ServiceError],
] as const;

test.each(classes)("%i with an error envelope", async (status, ErrorClass) => {
  const { baseUrl } = await openService((response) =>
    sendFailure(response.setHeader("X-Request-Id", "r-9"), status, "part must be 1 or more"),
  );
  const client = createClient({ baseUrl, apiKey: "k", maxRetries: 0 });
  const params = { path: { call_id: "555-0100" } };
  const error = await failureOf(client.GET("/recording/by-call-id/{call_id}", { params }));
  expect(error).toBeInstanceOf(ErrorClass);
  expect(error).toBeInstanceOf(CallMediaError);
  expect(error).toMatchObject({
    name: ErrorClass.name,
    message: "part must be 1 or more",
    method: "GET",
    path: "/recording/by-call-id/{call_id}",
    status,
    requestId: "r-9",
  });
});

const bodies = [
  ["no body", ""],
  ["a web page", "<html>Bad gateway</html>"],
  ["JSON of another kind", '{"message":"no"}'],
  ["JSON null", "null"],
  ["an envelope without a message", '{"isError":true,"errorMessage":null,"data":[]}'],
] as const;

test.each(
  classes.flatMap(([status, ErrorClass]) =>
    bodies.map(([name, body]) => ({ status, name, body, ErrorClass })),
  ),
)("$status with $name", async ({ status, body, ErrorClass }) => {
  const { baseUrl } = await openService((response) => response.writeHead(status).end(body));
  const error = await failureOf(
    createClient({ baseUrl, apiKey: "k", maxRetries: 0 }).GET("/flags/public"),
  );
  expect(error).toBeInstanceOf(ErrorClass);
  expect(error).toMatchObject({
    message: `GET /flags/public was answered ${status}`,
    requestId: undefined,
  });
});

test.each([
  ["a web page", "<html>Please sign in</html>", "without the JSON of a success"],
  ["nothing", "", "without the JSON of a success"],
  ["JSON that breaks off", '{"isError":false,"da', "without the JSON of a success"],
  ["an array", "[]", "without the JSON of a success"],
  ["null", "null", "without the JSON of a success"],
  ["no isError", '{"data":[]}', "without the JSON of a success"],
  ["isError as text", '{"isError":"false","data":[]}', "without the JSON of a success"],
  ["no data", '{"isError":false,"errorMessage":null}', "without the JSON of a success"],
  [
    "data null",
    '{"isError":false,"errorMessage":null,"data":null}',
    "without the JSON of a success",
  ],
  [
    "data an object",
    '{"isError":false,"errorMessage":null,"data":{}}',
    "without the JSON of a success",
  ],
])("200 with %s is a ProtocolError", async (_name, body, fault) => {
  const { client } = await openService((response) =>
    response.writeHead(200, { "X-Request-Id": "r-2" }).end(body),
  );
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error).toMatchObject({ status: 200, requestId: "r-2", path: "/flags/public" });
  expect(String(error)).toContain(fault);
});

test("200 with isError true is an EnvelopeError with the sentence of the service", async () => {
  const { client, asked } = await openService((response) =>
    sendFailure(response.setHeader("X-Request-Id", "r-2"), 200, "Archive closed"),
  );
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toBeInstanceOf(EnvelopeError);
  expect(error).toMatchObject({ message: "Archive closed", status: 200, requestId: "r-2" });
  expect(asked).toHaveLength(1);
});

test("200 with an array where the one recording belongs is a ProtocolError", async () => {
  const { client } = await openService((response) =>
    sendJson(response, 200, { isError: false, errorMessage: null, data: [] }),
  );
  const params = { path: { call_id: "1" } };
  const error = await failureOf(client.GET("/recording/by-call-id/{call_id}", { params }));
  expect(error).toBeInstanceOf(ProtocolError);
});

test.each(["application/json", "text/html; charset=utf-8"])(
  "a stream of %s is a ProtocolError, not a recording",
  async (type) => {
    const { client } = await openService((response) =>
      response.writeHead(200, { "Content-Type": type }).end("<html>"),
    );
    const error = await failureOf(client.recordings.stream({ call_id: "1" }));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(String(error)).toContain(`${type}, not a recording`);
  },
);

test("a 304 nobody asked for is a ProtocolError, not an empty recording", async () => {
  const { client } = await openService((response) => response.writeHead(304).end());
  expect(await failureOf(client.recordings.stream({ call_id: "1" }))).toBeInstanceOf(ProtocolError);
});

test.each([
  ["7", 7000],
  ["0", 0],
  ["soon", undefined],
  ["-1", undefined],
  [undefined, undefined],
])("Retry-After %j", async (value, retryAfterMs) => {
  const { baseUrl } = await openService((response) => {
    if (value !== undefined) response.setHeader("Retry-After", value);
    sendFailure(response, 429, "Slow");
  });
  const client = createClient({ baseUrl, apiKey: "k", maxRetries: 0 });
  expect(await failureOf(client.GET("/flags/public"))).toMatchObject({ retryAfterMs });
});

test("Retry-After as a date counts from now, and one that is past is 0", async () => {
  const dates = [Date.now() + 60_000, 0].map((ms) => new Date(ms).toUTCString());
  const { baseUrl } = await openService((response) =>
    sendFailure(response.setHeader("Retry-After", dates.shift() ?? ""), 429, "Slow"),
  );
  const client = createClient({ baseUrl, apiKey: "k", maxRetries: 0 });
  const error = await failureOf(client.GET("/flags/public"));
  if (!(error instanceof RateLimitError)) throw error;
  expect(error.retryAfterMs).toBeGreaterThan(50_000);
  expect(error.retryAfterMs).toBeLessThanOrEqual(60_000);
  expect(await failureOf(client.GET("/flags/public"))).toMatchObject({ retryAfterMs: 0 });
});

test("a service that cannot be reached is a ConnectionError with the cause", async () => {
  const { client, close } = await openService(() => {});
  await close();
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ status: undefined, path: "/Token" });
  // Each runtime has its own words for it, in its own place.
  expect(inspect(error)).toMatch(/cause.*refused/is);
});

test("a 200 that breaks off is a ConnectionError, a 503 that does is a ServiceError", async () => {
  const statuses = [200, 503];
  const { baseUrl } = await openService((response) => {
    response.writeHead(statuses.shift() ?? 0, { "Content-Length": "100" });
    response.write('{"isError":false,', () => response.destroy());
  });
  const client = createClient({ baseUrl, apiKey: "k", maxRetries: 0 });
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toHaveProperty("cause.name", "TypeError");
  expect(await failureOf(client.GET("/flags/public"))).toBeInstanceOf(ServiceError);
});

test("no error shows the secret, the key or the token", async () => {
  const secretKey = credentials.secretKey;
  const echo = await openService((response) =>
    sendFailure(response, 400, "Bearer token-1 may not do that"),
  );
  const refused = await openService(
    () => {},
    (response) => sendFailure(response, 400, `secretKey ${secretKey} is too old`),
  );
  const cut = await openService(
    () => {},
    (response) => response.end(`{"access_token":"token-9","secretKey":"${secretKey}"`),
  );
  const key = await openService((response) =>
    sendJson(response, 200, { isError: true, errorMessage: "key-77 is unknown" }),
  );
  const errors = [
    await failureOf(echo.client.GET("/flags/public")),
    await failureOf(refused.client.GET("/flags/public")),
    await failureOf(refused.client.POST("/Token", { body: credentials })),
    await failureOf(cut.client.GET("/flags/public")),
    await failureOf(createClient({ ...key, apiKey: "key-77" }).GET("/flags/public")),
  ];
  for (const error of errors) {
    expect(error).toBeInstanceOf(CallMediaError);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(
      /a-very-secret-key|token-\d|key-77/,
    );
  }
  expect(errors[0]).toHaveProperty("message", "Bearer [redacted] may not do that");
});

test.each([
  ["a slash that is escaped", "abc/def+key==", '{"isError":true,"errorMessage":"abc\\/def+key=="}'],
  ["code points", "abc/def+key==", '{"isError":true,"errorMessage":"abc\\u002fdef\\u002Bkey=="}'],
  ["a warning before the JSON", "abc/def+key==", 'Warning: {"errorMessage":"abc\\/def+key=="}'],
  ["a number", "12345678901234567890", '{"isError":true,"key":12345678901234567890}'],
])("a key that the service quotes with %s is not in the error", async (_name, apiKey, body) => {
  const { baseUrl } = await openService((response) => response.writeHead(400).end(body));
  const error = await failureOf(createClient({ baseUrl, apiKey }).GET("/flags/public"));
  expect(error).toBeInstanceOf(InvalidRequestError);
  const told = inspect(error, { depth: 9, showHidden: true });
  expect(told).not.toMatch(/def\S*key|12345678/);
  expect(told).toContain("[redacted]");
});

test("a secret with quotes and backslashes is not in the error", async () => {
  const secretKey = 'say "a\\b"';
  const { baseUrl } = await openService(
    () => {},
    (response) => sendFailure(response, 400, `${secretKey} is too old`),
  );
  const client = createClient({ baseUrl, credentials: { secretID: "app-7", secretKey } });
  const message = "[redacted] is too old";
  expect(await failureOf(client.GET("/flags/public"))).toMatchObject({
    message,
    body: { errorMessage: message },
  });
});

test("a short key takes nothing from what JSON itself is made of", async () => {
  const body = '{"isError":true,"errorMessage":"refused","data":[]}';
  const { baseUrl } = await openService((response) => response.writeHead(200).end(body));
  const error = await failureOf(createClient({ baseUrl, apiKey: "t" }).GET("/flags/public"));
  expect(error).toBeInstanceOf(EnvelopeError);
  expect(error).toMatchObject({ message: "refused", body: JSON.parse(body) });
});

test.each([
  [[null], "null in place of a record"],
  [[{}, { call_id: "1" }, null], "null in place of a record"],
  [["1"], "string in place of a record"],
  [[[]], "object in place of a record"],
])("a list with %j is a ProtocolError, and no record of it is returned", async (data, fault) => {
  const { client } = await openService((response) => sendSuccess(response, data));
  const range = { startDate: "2026-03-02", endDate: "2026-03-02" };
  const search = client.calls.search({ ...range, filter: { agent: "a" } });
  const found: unknown[] = [];
  const reading = (async () => {
    for await (const record of search) found.push(record);
  })();
  const failed = await failureOf(reading);
  const chat = await failureOf(client.getChatByCallId({ call_id: "1" }));
  for (const error of [failed, chat]) {
    expect(error).toMatchObject({ name: "ProtocolError", code: "CLIENT_UNEXPECTED_RESPONSE" });
    expect(String(error)).toContain(`was answered 200 with ${fault}`);
  }
  expect(found).toEqual([]);
  expect(search.report).toMatchObject({ rows: 0, verdict: "unfinished" });
});

test("a sentence of the service has no control characters in a message", async () => {
  const sentence = "\u001B[31mred\r\nERROR forged\u0000 \u202Etxt\u2028end\u0085";
  const { client } = await openService((response) => {
    response.setHeader("X-Request-Id", "a\u0085b");
    sendFailure(response, 400, sentence);
  });
  const error = await failureOf(client.listPublicFlags());
  expect(error).toMatchObject({
    message: " [31mred ERROR forged   txt end ",
    requestId: "ab",
    body: { errorMessage: sentence },
  });
});

const answering = (body: Uint8Array, type: string) =>
  createClient({
    baseUrl: "https://archive.example.com",
    apiKey: "k",
    fetch: async () => new Response(new Uint8Array(body), { headers: { "Content-Type": type } }),
  });

const FLAG = '{"isError":false,"errorMessage":null,"data":[{"Name":"Müller"}]}';

test.each([
  ["application/json", "utf8"],
  ["application/json; charset=UTF-8", "utf8"],
  ['application/json; charset="iso-8859-1"', "latin1"],
  ["application/json;charset=utf-16le", "utf16le"],
] as const)("an answer of %s is read as what it is", async (type, encoding) => {
  const client = answering(Buffer.from(FLAG, encoding), type);
  expect((await client.GET("/flags/public")).data.data).toEqual([{ Name: "Müller" }]);
});

test.each([
  ["application/json", "the answer has bytes that are not utf-8"],
  ["application/json; charset=x-klingon", "the answer is in x-klingon, which cannot be read here"],
])("a body of %s that cannot be decoded is a ProtocolError", async (type, fault) => {
  const error = await failureOf(answering(Buffer.from(FLAG, "latin1"), type).GET("/flags/public"));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error).toMatchObject({ code: "CLIENT_CHARSET", message: `GET /flags/public: ${fault}` });
});
