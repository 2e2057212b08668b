// The console's session over HTTP (D35): how it is opened, what it opens, whom it refuses, and when it ends.
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { UserRecord } from "@call-media/store";
import {
  ALLOWED_ALL,
  createApplication,
  startInMemory,
  type TestOptions,
  type Served,
  toCall,
} from "./support/service.ts";

const MINUTE_MS = 60_000;
const MARKED = { "X-Call-Media-Console": "1" };
const SESSION = "/console/session";
const CALL = "/console/api/metadata/by-call-id/solo";

let service: Served;
let nowMs = Date.now();
let user: UserRecord;
let key: string;

async function start(options: TestOptions = {}): Promise<void> {
  nowMs = Date.now();
  service = await startInMemory({ console: { isSecure: false }, now: () => nowMs, ...options });
  ({ user, key } = await service.addUser({ ...ALLOWED_ALL, username: "ana" }));
  await service.add(toCall({ call_id: "solo", datetime: "2026-03-01T10:00:00Z" }));
}
beforeEach(() => start());
afterEach(() => service[Symbol.asyncDispose]());

const send = (path: string, init: RequestInit = {}) => fetch(`${service.baseUrl}${path}`, init);
const post = (body: unknown, headers: Record<string, string> = {}) =>
  send(SESSION, {
    method: "POST",
    headers: { ...MARKED, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
const toCookie = (response: Response) => response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
const open = async (body: unknown = { apiKey: key }) => toCookie(await post(body));
const get = (path: string, Cookie: string, headers: Record<string, string> = {}) =>
  send(path, { headers: { Cookie, ...headers } });
const close = (Cookie: string, query = "") =>
  send(`${SESSION}${query}`, { method: "DELETE", headers: { Cookie, ...MARKED } });

/** Rows are written in groups, a moment after the answer. */
function readLog(rows: number) {
  return vi.waitFor(async () => {
    const found = [];
    // Requests for data; the key and the sign-in have rows as well.
    for await (const row of service.store.accessLog.read({}))
      if (row.session !== undefined) found.push(row);
    expect(found).toHaveLength(rows);
    return found;
  });
}

describe("opening", () => {
  test("an API key opens a session that reads what its user may see", async () => {
    const response = await post({ apiKey: key });
    const { port } = new URL(service.baseUrl);
    expect(response.headers.get("Set-Cookie")).toMatch(
      new RegExp(`^call-media-${port}=cms_[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    const answer = await get(CALL, toCookie(response));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: [{ call_id: "solo" }] });
  });

  test("the page learns whom the session acts for, how it was opened and when it ends", async () => {
    const cookie = await open(await createApplication(service.store, user.id));
    expect(await (await get(SESSION, cookie)).json()).toEqual({
      user: { id: user.id, username: "ana", is_admin: false },
      by: "application",
      expires: new Date(nowMs + 30 * MINUTE_MS).toISOString(),
      ends: new Date(nowMs + 720 * MINUTE_MS).toISOString(),
    });
    expect(await (await send(SESSION)).json()).toEqual({ user: null });
  });

  test("over HTTPS the cookie is bound to the host", async () => {
    await service[Symbol.asyncDispose]();
    await start({ console: { isSecure: true } });
    expect((await post({ apiKey: key })).headers.get("Set-Cookie")).toMatch(
      /^__Host-call-media=cms_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  test.each<[what: string, body: unknown, status: number]>([
    ["a wrong key", { apiKey: "no-such-key" }, 401],
    ["a wrong secret", { secretID: "app_none", secretKey: "x" }, 401],
    ["nothing", {}, 400],
    ["half of it", { secretID: "app_none" }, 400],
    ["a list", [], 400],
  ])("%s opens none", async (_what, body, status) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(response.headers.get("Set-Cookie")).toBeNull();
    expect(await response.json()).toMatchObject({ isError: true, data: [] });
  });

  test("an access token opens none, and wrong keys are delayed as sign-ins are (D23)", async () => {
    const token = await send("/Token", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(await createApplication(service.store, user.id)),
    });
    const { access_token } = (await token.json()) as { access_token: string };
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1)
      statuses.push((await post({ apiKey: access_token })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("signing in over a session ends that one", async () => {
    const before = await open();
    const response = await post({ apiKey: key }, { Cookie: before });
    expect((await get(CALL, before)).status).toBe(401);
    expect((await get(CALL, toCookie(response))).status).toBe(200);
  });
});

const USER = "X-Forwarded-User";
const PROOF = "X-Call-Media-Proxy-Secret";

describe("a user whom a proxy names", () => {
  const secret = "s".repeat(32);
  const ANA = { [USER]: "ana", [PROOF]: secret, "X-Forwarded-For": "192.0.2.1" };
  const startBehind = async ({ proxies = ["127.0.0.1"], mayNameAdmins = false } = {}) => {
    await service[Symbol.asyncDispose]();
    const naming = { userHeader: USER, secret, mayNameAdmins };
    await start({ console: { isSecure: false, naming }, proxies });
    await service.addUser({ ...ALLOWED_ALL, username: "bo" });
    await service.addUser({ ...ALLOWED_ALL, username: "root", is_admin: true });
  };
  const sentenceOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { errorMessage: string }).errorMessage,
  ];

  test("is signed in without anything to type, by the proxy's secret", async () => {
    await startBehind();
    expect(await (await send(SESSION, { headers: ANA })).json()).toEqual({
      user: null,
      proxyUser: "ana",
    });
    const response = await post({}, ANA);
    expect(await (await get(SESSION, toCookie(response), ANA)).json()).toMatchObject({
      by: "proxy",
    });
    expect(await sentenceOf(await post({}, { ...ANA, [USER]: "nobody" }))).toEqual([
      401,
      expect.stringContaining("no active user with the name"),
    ]);
  });

  test.each<[what: string, headers: [string, string][]]>([
    ["without the secret", [[USER, "ana"]]],
    [
      "with an empty one",
      [
        [USER, "ana"],
        [PROOF, ""],
      ],
    ],
    [
      "with a wrong one",
      [
        [USER, "ana"],
        [PROOF, `${secret.slice(1)}x`],
      ],
    ],
    [
      "with the beginning of it",
      [
        [USER, "ana"],
        [PROOF, secret.slice(1)],
      ],
    ],
    [
      "with two of them",
      [
        [USER, "ana"],
        [PROOF, secret],
        [PROOF, secret],
      ],
    ],
    [
      "by two names",
      [
        [USER, "bo"],
        [USER, "ana"],
        [PROOF, secret],
      ],
    ],
    [
      "by an empty name",
      [
        [USER, ""],
        [PROOF, secret],
      ],
    ],
  ])("is not signed in %s", async (_what, headers) => {
    await startBehind();
    const raw = [
      ...headers,
      ...Object.entries(MARKED),
      ["Content-Type", "application/json"],
    ].flat();
    expect(await askRaw("POST", SESSION, raw, "{}")).toContain("Send apiKey");
    expect(await askRaw("GET", SESSION, headers.flat())).toBe('{"user":null}');
  });

  test("is not signed in from an address outside the proxies, even with the secret", async () => {
    await startBehind({ proxies: ["192.0.2.7"] });
    expect((await post({}, ANA)).status).toBe(400);
  });

  test("is believed to be an administrator only if that was said", async () => {
    await startBehind();
    const root = { ...ANA, [USER]: "root" };
    expect(await sentenceOf(await post({}, root))).toEqual([
      401,
      "The proxy names an administrator, whom it may not sign in: sign in with an API key, or with secretID and secretKey",
    ]);
    await startBehind({ mayNameAdmins: true });
    expect((await post({}, root)).status).toBe(200);
  });

  test("has a session only while the proxy names the same one", async () => {
    await startBehind();
    const cookie = await openBy(ANA);
    expect((await get(CALL, cookie, ANA)).status).toBe(200);
    const others = [{}, { ...ANA, [USER]: "bo" }, { ...ANA, [PROOF]: "x" }, { [USER]: "ana" }];
    for (const headers of others) {
      expect((await get(CALL, cookie, headers)).status).toBe(401);
      expect(await (await get(SESSION, cookie, headers)).json()).toMatchObject({ user: null });
    }
    await service.add({ kind: "user", record: { ...user, is_admin: true } });
    expect((await get(CALL, cookie, ANA)).status).toBe(401);
  });

  test("is one credential to the limits, and said to be the proxy's word in the access log", async () => {
    await startBehind();
    for (let count = 0; count < 2; count += 1) await get(CALL, await openBy(ANA), ANA);
    await post({}, { ...ANA, [USER]: "nobody" });
    const read = async () => {
      const found: unknown[] = [];
      for await (const { operation, credential, status } of service.store.accessLog.read({}))
        if (status !== undefined) found.push([operation, credential, status]);
      return found;
    };
    const byProxy = `user ${user.id}, named by the proxy`;
    await expect.poll(read).toEqual([
      ["console sign-in", byProxy, 200],
      ["getMetadataByCallId", byProxy, 200],
      ["console sign-in", byProxy, 200],
      ["getMetadataByCallId", byProxy, 200],
      ["console sign-in", "nobody, named by the proxy", 401],
    ]);
  });

  const openBy = async (headers: Record<string, string>) => toCookie(await post({}, headers));

  /** With headers that are there twice; returns the body. */
  async function askRaw(method: string, path: string, headers: string[], body?: string) {
    const { port } = new URL(service.baseUrl);
    const host = ["Host", "127.0.0.1", "Content-Length", String(body?.length ?? 0)];
    const sent = request({ port, method, path, headers: [...host, ...headers] }).end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage]; // so the event is documented
    return text(response);
  }
});

describe("the operations of a session", () => {
  test("POST /Token is not there, so that no page gets a token of a session", async () => {
    const response = await send("/console/api/Token", {
      method: "POST",
      headers: { Cookie: await open(), ...MARKED, "Content-Type": "application/json" },
      body: "{}",
    });
    expect(response.status).toBe(404);
  });

  test.each([
    ["a key in an Authorization header", () => ({ Authorization: `Bearer ${key}` })],
    ["no cookie", () => ({})],
  ])("%s does not count as a session", async (_what, headers) => {
    expect((await send(CALL, { headers: headers() })).status).toBe(401);
  });

  test("its secret in an Authorization header is unknown", async () => {
    const [, secret = ""] = (await open()).split("=");
    const response = await service.get("/metadata/by-call-id/solo", secret);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ errorMessage: "The access token is unknown" });
  });

  test("the contract's own paths do not read the cookie", async () => {
    expect((await get("/metadata/by-call-id/solo", await open())).status).toBe(401);
  });

  test("two cookies of its name are none", async () => {
    const cookie = await open();
    expect((await get(CALL, `${cookie}; ${cookie}`)).status).toBe(401);
  });

  test("every answer is data that no browser keeps, shows or shares", async () => {
    await service[Symbol.asyncDispose]();
    await start({ corsOrigins: ["https://app.example.com"] });
    const cookie = await open();
    const origin = { Origin: "https://app.example.com", ...MARKED };
    for (const path of [SESSION, CALL, "/console/api/no-such-path"]) {
      const { headers } = await get(path, cookie, origin);
      expect(headers.get("Content-Security-Policy")).toBe(
        "default-src 'none'; frame-ancestors 'none'; sandbox",
      );
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
    }
  });

  test("rows of the access log and lines of the log say that it was a session", async () => {
    await get(CALL, await open());
    expect((await readLog(1))[0]).toMatchObject({
      callIds: ["solo"],
      credential: expect.stringMatching(/^key_/),
      session: expect.stringMatching(/^session_/),
    });
    expect(service.accounts.at(-1)).toMatchObject({ isSession: true, userId: user.id });
  });

  test("sign-ins have rows of the access log, good and bad, without what was sent as a secret", async () => {
    await open();
    await post({ apiKey: "wrong" });
    await post({ secretID: key, secretKey: "wrong" });
    const rows = await vi.waitFor(async () => {
      const found = [];
      for await (const row of service.store.accessLog.read({}))
        if (row.operation === "console sign-in") found.push(row);
      expect(found).toHaveLength(3);
      return found;
    });
    expect(rows).toMatchObject([
      { status: 200, credential: expect.stringMatching(/^key_/), userId: user.id },
      { status: 401, credential: "(an API key)" },
      { status: 401, credential: expect.stringContaining("withheld") },
    ]);
    for (const { userId } of rows.slice(1)) expect(userId).toBeUndefined();
  });

  test("without the setting there is none", async () => {
    await service[Symbol.asyncDispose]();
    await start({ console: undefined });
    expect((await post({ apiKey: key })).status).toBe(404);
    expect((await send(SESSION)).status).toBe(404);
  });
});

describe("forged requests are rejected before a user is looked up", () => {
  const FORGED: readonly [what: string, method: string, headers: Record<string, string>][] = [
    ["an image on another site", "GET", { "Sec-Fetch-Site": "cross-site" }],
    ["a page of another port", "GET", { "Sec-Fetch-Site": "same-site" }],
    ["a link", "GET", { "Sec-Fetch-Site": "none" }],
    ["a WebSocket handshake", "GET", { Origin: "http://localhost:1234" }],
    ["a worker", "GET", { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "serviceworker" }],
    ["a form", "POST", { "Sec-Fetch-Site": "same-origin" }],
    ["a form of an old browser", "POST", {}],
    ["a preflight", "OPTIONS", { Origin: "https://app.example.com" }],
    ["a deletion", "DELETE", {}],
  ];
  test.each(FORGED)("%s", async (_what, method, headers) => {
    const Cookie = await open();
    for (const path of [SESSION, CALL]) {
      const response = await send(path, { method, headers: { Cookie, ...headers } });
      expect(response.status).toBe(403);
    }
    expect((await get(CALL, Cookie)).status).toBe(200);
    await readLog(1);
  });
});

describe("its end", () => {
  test("without use for half an hour", async () => {
    const cookie = await open();
    nowMs += 29 * MINUTE_MS;
    expect((await get(CALL, cookie)).status).toBe(200);
    nowMs += 29 * MINUTE_MS;
    expect((await get(CALL, cookie)).status).toBe(200);
    nowMs += 31 * MINUTE_MS;
    const ended = await get(CALL, cookie);
    expect(ended.status).toBe(401);
    expect(ended.headers.get("Set-Cookie")).toBeNull();
  });

  test("requests of a page that nobody uses do not extend it", async () => {
    const cookie = await open();
    nowMs += 20 * MINUTE_MS;
    expect((await get(CALL, cookie, { "X-Call-Media-Console": "idle" })).status).toBe(200);
    nowMs += 11 * MINUTE_MS;
    expect((await get(CALL, cookie)).status).toBe(401);
  });

  test("after twelve hours, however much it is used", async () => {
    const cookie = await open();
    for (let minutes = 0; minutes < 715; minutes += 25) {
      expect((await get(CALL, cookie)).status).toBe(200);
      nowMs += 25 * MINUTE_MS;
    }
    expect((await get(CALL, cookie)).status).toBe(401);
  });

  test("by signing out, here or everywhere", async () => {
    const [first, second] = [await open(), await open()];
    const response = await close(first);
    expect(response.headers.get("Set-Cookie")).toMatch(/Max-Age=0$/);
    expect((await get(CALL, first)).status).toBe(401);
    const third = await open();
    await close(second, "?everywhere");
    expect((await get(CALL, third)).status).toBe(401);
    expect((await service.get("/metadata/by-call-id/solo", key)).status).toBe(200);
  });

  test.each([
    ["of a session", "/console/api", async () => ({ Cookie: await open() })],
    ["of the contract's own paths", "", () => ({ Authorization: `Bearer ${key}` })],
  ])("an answer %s ends within five seconds of its credential", async (_what, base, identify) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const content = Buffer.alloc(100_000_000);
    const media = await service.store.media.put({ name: "long.wav", content });
    await service.add(toCall({ call_id: "long" }, [{ filename: "long.wav", media }]));
    const headers = await identify();
    const { body } = await send(`${base}/recording/stream-by-call-id/long`, { headers });
    const reader = body?.getReader();
    const first = await reader?.read();
    const [issued] = await service.store.credentials.keys(user.id);
    await service.store.credentials.revoke({ key: issued?.id ?? "" });
    await vi.advanceTimersByTimeAsync(5_000);
    let bytes = first?.value?.length ?? 0;
    const readOn = async () => {
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) return;
        bytes += value?.length ?? 0;
      }
    };
    await expect(readOn()).rejects.toThrow("terminated");
    expect(bytes).toBeLessThan(content.length);
  });

  test("with the key that opened it", async () => {
    const cookie = await open();
    const [issued] = await service.store.credentials.keys(user.id);
    await service.store.credentials.revoke({ key: issued?.id ?? "" });
    expect((await get(CALL, cookie)).status).toBe(401);
  });
});
