// What an error says besides its class: a stable code, the headers, the reason, and whose error it is.
import { expect, onTestFinished, test, vi } from "vitest";

import { CallMediaError, createClient, isCallMediaError, NotFoundError } from "../src/index.ts";
import {
  credentials,
  failureOf,
  isPage,
  openService,
  sendFailure,
  sendSuccess,
} from "./service.ts";

const apiKey = "key-1";

/** What a call fails with whose `fetch` throws `cause`. */
async function failureBy(cause: unknown, baseUrl = "https://archive.example") {
  const fetch = async () => {
    throw cause;
  };
  return failureOf(createClient({ baseUrl, apiKey, fetch, maxRetries: 0 }).GET("/flags/public"));
}

test.each([
  [403, { "X-Error-Code": "CM_RIGHT_MISSING" }, "CM_RIGHT_MISSING"],
  [404, {}, "HTTP_404"],
  [503, { "X-Error-Code": "no code of ours" }, "HTTP_503"],
  [200, { "X-Error-Code": "CM_ARCHIVE_CLOSED" }, "CM_ARCHIVE_CLOSED"],
  [200, {}, "HTTP_200"],
])("%i with the headers %j has the code %s", async (status, headers, code) => {
  const { baseUrl } = await openService((response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    sendFailure(response, status, "No");
  });
  const client = createClient({ baseUrl, apiKey, maxRetries: 0 });
  expect(await failureOf(client.GET("/flags/public"))).toMatchObject({ status, code });
});

test("each fault that the client finds has its own code", async () => {
  const redirecting = await openService((response) =>
    response.writeHead(302, { Location: "/x" }).end(),
  );
  const page = await openService((response) => response.end("<html>"));
  const params = { path: { call_id: ".." } };
  const failures = [
    redirecting.client.GET("/flags/public"),
    page.client.GET("/flags/public"),
    page.client.GET("/chat/by-call-id/{call_id}", { params }),
    page.client.GET("/flags/public", { signal: AbortSignal.abort() }),
  ];
  const codes = await Promise.all(failures.map(async (one) => toCode(await failureOf(one))));
  expect(codes).toEqual([
    "CLIENT_REDIRECTED",
    "CLIENT_UNEXPECTED_RESPONSE",
    "CLIENT_INVALID_REQUEST",
    "CLIENT_ABORTED",
  ]);
});

const toCode = (error: unknown) => (isCallMediaError(error) ? error.code : undefined);

test("a time-out says whether the response began", async () => {
  const silent = await openService(() => {});
  const endless = await openService((response) => response.writeHead(200).write('{"isError":'));
  const limits = { tryTimeoutMs: 200, maxRetries: 0 };
  const [first, second] = await Promise.all(
    [silent, endless].map(({ baseUrl }) =>
      failureOf(createClient({ baseUrl, apiKey, ...limits }).GET("/flags/public")),
    ),
  );
  expect(first).toMatchObject({ name: "TimeoutError", code: "CLIENT_TIMEOUT" });
  expect(second).toMatchObject({ name: "TimeoutError", code: "CLIENT_BODY_TIMEOUT" });
  expect(second).toHaveProperty(
    "message",
    "GET /flags/public: no complete answer came within 0.2 s",
  );
});

test.skipIf(isPage)(
  "an error has the headers of the response, without cookies and secrets",
  async () => {
    const { baseUrl } = await openService((response) => {
      response.setHeader("Set-Cookie", "session=1").setHeader("X-Quoted", `the key ${apiKey}`);
      sendFailure(response.setHeader("Allow", "GET"), 405, "No");
    });
    const error = await failureOf(createClient({ baseUrl, apiKey }).GET("/flags/public"));
    if (!isCallMediaError(error)) throw error;
    expect(error.headers?.get("Allow")).toBe("GET");
    expect(error.headers?.get("X-Quoted") ?? "").not.toContain(apiKey);
    expect(error.headers?.has("Set-Cookie")).toBe(false);
    expect(Object.keys(error)).not.toContain("headers");
  },
);

const dns = Object.assign(new Error("getaddrinfo ENOTFOUND archive.example"), {
  code: "ENOTFOUND",
});
const refused = Object.assign(new Error("connect ECONNREFUSED ::1:1"), { code: "ECONNREFUSED" });
const circle = new Error("around");
circle.cause = circle;

// A page adds its origin.
test.skipIf(isPage).each([
  [new TypeError("fetch failed", { cause: dns }), dns.message],
  [new TypeError("fetch failed", { cause: new AggregateError([refused]) }), refused.message],
  [new TypeError(`Bearer ${apiKey} is not a header`), "Bearer [redacted] is not a header"],
  [circle, "around"],
])("the message has the innermost reason of %s", async (cause, reason) => {
  expect(await failureBy(cause)).toMatchObject({
    code: "CLIENT_CONNECTION_FAILED",
    message: `GET /flags/public: no complete answer came (${reason})`,
    cause,
  });
});

test.skipIf(isPage)("without a reason the message has none", async () => {
  const message = "GET /flags/public: no complete answer came";
  expect(await failureBy(undefined)).toHaveProperty("message", message);
});

test("an error of another copy of the package is recognised, anything else is not", async () => {
  const about = { operationId: "listPublicFlags", method: "GET", path: "/flags/public" } as const;
  const own = new NotFoundError("No", { ...about, url: "", attempts: 1 }, { status: 404 });
  // Another copy of the package has a class of the same name, which is not a parent of this copy's class.
  class Other extends Error {
    override readonly name = "NotFoundError";
    get [Symbol.for("@call-media/client/error")]() {
      return true;
    }
  }
  for (const error of [own, new Other()]) {
    expect(isCallMediaError(error)).toBe(true);
    expect(isCallMediaError(error, "NotFoundError")).toBe(true);
    expect(isCallMediaError(error, "TimeoutError")).toBe(false);
  }
  expect(new Other()).not.toBeInstanceOf(CallMediaError);
  expect(isCallMediaError(new Error("no"))).toBe(false);
  expect(isCallMediaError({ name: "NotFoundError" })).toBe(false);
});

test("Retry-After beyond a minute fails at once, and says how long to wait", async () => {
  const { client, asked } = await openService((response) =>
    sendFailure(response.setHeader("Retry-After", "900"), 429, "Locked"),
  );
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toMatchObject({ name: "RateLimitError", retryAfterMs: 900_000, attempts: 1 });
  expect(asked).toHaveLength(1);
});

test("a call may have limits of its own", async () => {
  const { client, asked } = await openService((response, { url }) =>
    url === "/flags/public" ? sendFailure(response, 503, "No") : undefined,
  );
  await failureOf(client.GET("/flags/public", { maxRetries: 0 }));
  expect(asked).toHaveLength(1);
  const params = { path: { call_id: "1" } };
  const chat = client.GET("/chat/by-call-id/{call_id}", { params, totalTimeoutMs: 200 });
  expect(await failureOf(chat)).toMatchObject({ name: "TimeoutError", attempts: 1 });
  const wrong = client.GET("/flags/public", { maxRetries: 11 });
  await expect(wrong).rejects.toThrow("maxRetries must be an integer from 0 to 10");
});

test("limits of a call leave those of the client alone", async () => {
  const { baseUrl, asked } = await openService((response) =>
    asked.length < 3 ? sendFailure(response, 503, "No") : sendSuccess(response),
  );
  const client = createClient({ baseUrl, credentials, maxRetries: 4, random: () => 0 });
  await client.GET("/flags/public", { tryTimeoutMs: 20_000 });
  expect(asked).toHaveLength(3);
});

test.each([
  [{ credentials: { secretID: "a", secretKey: undefined } }, "CALL_MEDIA_SECRET_KEY"],
  [{ credentials: { secretID: undefined, secretKey: "b" } }, "CALL_MEDIA_SECRET_ID"],
  [{ apiKey: undefined }, "CALL_MEDIA_API_KEY"],
  [{ apiKey, baseUrl: undefined }, "CALL_MEDIA_BASE_URL"],
])("%j names the variable that is usually missing", (options, variable) => {
  const given = { baseUrl: "https://archive.example", ...options } as Parameters<
    typeof createClient
  >[0];
  expect(() => createClient(given)).toThrow(variable);
});

test.skipIf(isPage)("a page names its origin if it is not the service's", async () => {
  vi.stubGlobal("document", {});
  vi.stubGlobal("location", { origin: "https://page.example", href: "https://page.example/" });
  onTestFinished(() => void vi.unstubAllGlobals());
  const fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  const create = (baseUrl: string) =>
    createClient({ baseUrl, apiKey, fetch, maxRetries: 0, allowSecretInBrowser: true });
  const other = await failureOf(create("https://archive.example").GET("/flags/public"));
  expect(String(other)).toContain("does the service allow the origin https://page.example?");
  const own = await failureOf(create("https://page.example/api").GET("/flags/public"));
  expect(String(own)).not.toContain("origin");
});
