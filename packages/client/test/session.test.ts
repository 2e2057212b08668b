// Signing in: once for all, in time, and once more when the service no longer knows the token.
import { expect, test, vi } from "vitest";

import { createVirtualClock } from "./support/virtual-clock.ts";
import { AuthenticationError, createClient, ProtocolError } from "../src/index.ts";
import {
  bearerOf,
  credentials,
  failureOf,
  openService,
  sendFailure,
  sendJson,
  sendSuccess,
  isPage,
} from "./service.ts";

const search = { query: { pageIndex: 0, startDate: "2026-01-01", endDate: "2026-01-31" } };

function expiring(inMs: number) {
  let count = 0;
  return (response: Parameters<typeof sendJson>[0]) => {
    // By the test's own clock, which Node.js would not ask for the time of its header.
    response.setHeader("Date", new Date().toUTCString());
    sendJson(response, 200, {
      access_token: `token-${++count}`,
      type: "Bearer",
      expires: new Date(Date.now() + inMs).toISOString(),
    });
  };
}

test("a hundred calls at once on a cold client make one sign-in", async () => {
  const { client, asked, signIns } = await openService((response) => sendSuccess(response));
  await Promise.all(Array.from({ length: 100 }, () => client.GET("/flags/public")));
  expect(signIns).toHaveLength(1);
  expect(asked.map(bearerOf)).toEqual(Array.from({ length: 100 }, () => "Bearer token-1"));
});

test("so do a thousand, where the network costs nothing", async () => {
  const sent: string[] = [];
  const expires = new Date(Date.now() + 600_000).toISOString();
  const answer = { isError: false, data: [], access_token: "t", expires };
  const fetch = async (url: string) => {
    sent.push(url);
    return Response.json(answer);
  };
  const baseUrl = "https://archive.example";
  const client = createClient({ baseUrl, credentials, fetch });
  await Promise.all(Array.from({ length: 1000 }, () => client.GET("/flags/public")));
  expect(sent).toHaveLength(1001);
  expect(sent.filter((url) => url.endsWith("/Token"))).toHaveLength(1);
});

test("nothing is sent before the first call", async () => {
  const { signIns } = await openService((response) => sendSuccess(response));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(signIns).toEqual([]);
});

test("a token is kept until shortly before it expires, then renewed", async () => {
  // Only the clock is turned; requests and their timers stay real.
  vi.useFakeTimers({ toFake: ["Date"] });
  const { client, asked } = await openService(
    (response) => sendSuccess(response),
    expiring(3_600_000),
  );
  const start = Date.now();
  // The client counts on the service's Date header, which is a whole second.
  for (const afterMs of [0, 3_568_000, 3_571_000]) {
    vi.setSystemTime(start + afterMs);
    await client.GET("/flags/public");
  }
  vi.useRealTimers();
  expect(asked.map(bearerOf)).toEqual(["Bearer token-1", "Bearer token-1", "Bearer token-2"]);
});

test("a token that lives a minute is not renewed for every call", async () => {
  const { client, signIns } = await openService(
    (response) => sendSuccess(response),
    expiring(60_000),
  );
  await client.GET("/flags/public");
  await client.GET("/flags/public");
  expect(signIns).toHaveLength(1);
});

test("this machine's clock may be wrong by hours", async () => {
  const { client, signIns } = await openService(
    (response) => sendSuccess(response),
    (response) => {
      const expires = "2020-01-01T01:00:00Z";
      response.setHeader("Date", "Wed, 01 Jan 2020 00:00:00 GMT");
      sendJson(response, 200, { access_token: "t", type: "Bearer", expires });
    },
  );
  await client.GET("/flags/public");
  await client.GET("/flags/public");
  expect(signIns).toHaveLength(1);
});

test.skipIf(isPage)("expires without an offset is read as UTC", async () => {
  const { client, signIns } = await openService(
    (response) => sendSuccess(response),
    (response) => {
      const expires = new Date(Date.now() + 600_000).toISOString().slice(0, 19);
      sendJson(response, 200, { access_token: "t", type: "Bearer", expires });
    },
  );
  const timeZone = process.env["TZ"];
  process.env["TZ"] = "Asia/Tokyo";
  try {
    await client.GET("/flags/public");
    await client.GET("/flags/public");
  } finally {
    if (timeZone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = timeZone;
  }
  expect(signIns).toHaveLength(1);
});

test("after a 401 a call is sent once more with a new token, its body too", async () => {
  const { client, asked } = await openService((response, one) => {
    if (bearerOf(one) === "Bearer token-1") sendFailure(response, 401, "The token was revoked");
    else sendSuccess(response, [{ call_id: "1" }]);
  });
  const { data } = await client.POST("/metadata/search", {
    params: search,
    body: { agent: "ana" },
  });
  expect(data.data).toEqual([{ call_id: "1" }]);
  expect(asked.map((one) => [bearerOf(one), one.body])).toEqual([
    ["Bearer token-1", '{"agent":"ana"}'],
    ["Bearer token-2", '{"agent":"ana"}'],
  ]);
});

test("calls that are refused together share one new token", async () => {
  const { client, asked, signIns } = await openService((response, one) => {
    if (bearerOf(one) === "Bearer token-1") sendFailure(response, 401, "The token was revoked");
    else sendSuccess(response);
  });
  await Promise.all(Array.from({ length: 20 }, () => client.GET("/flags/public")));
  expect(signIns).toHaveLength(2);
  expect(asked).toHaveLength(40);
});

test("a second 401 stands", async () => {
  const { client, asked, signIns } = await openService((response) =>
    sendFailure(response, 401, "No such token"),
  );
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({ path: "/flags/public", message: "No such token" });
  expect([asked.length, signIns.length]).toEqual([2, 2]);
});

test.each([400, 401, 403])(
  "credentials that were answered %d fail each call, and are not sent again for a minute",
  async (status) => {
    let isRefused = true;
    const clock = createVirtualClock();
    const { baseUrl, asked, signIns } = await openService(
      (response) => sendSuccess(response),
      (response) => {
        if (isRefused) sendFailure(response, status, "Wrong credentials");
        else expiring(60_000)(response);
      },
    );
    const client = createClient({ baseUrl, credentials, clock });
    const fault = { method: "POST", path: "/Token", message: "Wrong credentials", status };
    for (let count = 0; count < 20; count++)
      expect(await failureOf(client.GET("/flags/public"))).toMatchObject(fault);
    expect([asked.length, signIns.length]).toEqual([0, 1]);
    isRefused = false;
    await clock.advance(60_000);
    await client.GET("/flags/public");
    expect([asked.length, signIns.length]).toEqual([1, 2]);
  },
);

test("a caller that gives up the wait for a sign-in leaves it to the others", async () => {
  const gate = Promise.withResolvers<void>();
  const { client, signIns } = await openService(
    (response) => sendSuccess(response),
    async (response) => {
      await gate.promise;
      expiring(60_000)(response);
    },
  );
  const controller = new AbortController();
  const patient = client.GET("/flags/public");
  const impatient = failureOf(client.GET("/flags/public", { signal: controller.signal }));
  await expect.poll(() => signIns.length).toBe(1);
  controller.abort();
  expect(await impatient).toMatchObject({ name: "AbortError" });
  gate.resolve();
  expect((await patient).response.status).toBe(200);
  expect(signIns).toHaveLength(1);
});

test("an API key is sent unchanged and never renewed", async () => {
  const { baseUrl, asked, signIns } = await openService((response) =>
    sendFailure(response, 401, "The key was revoked"),
  );
  const client = createClient({ baseUrl, apiKey: "key-1" });
  expect(await failureOf(client.GET("/flags/public"))).toBeInstanceOf(AuthenticationError);
  expect(asked.map(bearerOf)).toEqual(["Bearer key-1"]);
  expect(signIns).toEqual([]);
});

test.each([
  ["a comma", (iso: string) => iso.replace(".", ",")],
  ["hours alone in its offset", (iso: string) => iso.replace("Z", "+00")],
])("expires may be written with %s", async (_form, write) => {
  const expires = write(new Date(Date.now() + 3_600_000).toISOString());
  const { client, signIns } = await openService(
    (response) => sendSuccess(response),
    (response) => sendJson(response, 200, { access_token: "t", type: "Bearer", expires }),
  );
  await client.GET("/flags/public");
  await client.GET("/flags/public");
  expect(signIns).toHaveLength(1);
});

const soon = new Date(Date.now() + 600_000).toISOString();
test.each([
  ["no expires", { access_token: "t" }, "a usable access_token and expires"],
  [
    "expires as a number",
    { access_token: "t", expires: 1893456000 },
    "a usable access_token and expires",
  ],
  [
    "expires in words",
    { access_token: "t", expires: "in an hour" },
    "a usable access_token and expires",
  ],
  [
    "a date that is none",
    { access_token: "t", expires: "2030-13-01T00:00:00Z" },
    "a usable access_token and expires",
  ],
  [
    "expires in the past",
    { access_token: "t", expires: "2020-01-01T00:00:00Z" },
    "a usable access_token and expires",
  ],
  ["no access_token", { expires: soon }, "a usable access_token"],
  ["an empty access_token", { access_token: "", expires: soon }, "a usable access_token"],
  [
    "a line break in access_token",
    { access_token: "a\r\nX: 1", expires: soon },
    "a usable access_token",
  ],
  ["an array", [], "without the JSON of a success"],
])("a sign-in that is answered with %s is refused", async (_case, answer, fault) => {
  const { client, asked } = await openService(
    (response) => sendSuccess(response),
    (response) => sendJson(response, 200, answer),
  );
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error).toMatchObject({ path: "/Token", status: 200 });
  expect(String(error)).toContain(fault);
  expect(asked).toEqual([]);
});

test("a sign-in that failed for another reason is tried by the next call", async () => {
  let isBusy = true;
  const { baseUrl, signIns } = await openService(
    (response) => sendSuccess(response),
    (response) => {
      if (isBusy) sendFailure(response, 503, "Later");
      else expiring(60_000)(response);
    },
  );
  const client = createClient({ baseUrl, credentials, maxRetries: 0 });
  await failureOf(client.listPublicFlags());
  isBusy = false;
  expect(await client.listPublicFlags()).toEqual([]);
  expect(signIns).toHaveLength(2);
});
