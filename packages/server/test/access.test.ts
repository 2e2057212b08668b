// Who gets in, for how long, and how often one may try (D14, D18-D20, D23).
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { Schema } from "@call-media/api";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApiKey } from "../src/index.ts";
import {
  ALLOWED_ALL,
  createApplication,
  startTestService,
  type TestService,
  bodyOf,
} from "./support/service.ts";

let service: TestService;
let nowMs = Date.UTC(2026, 0, 1);

beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 1);
  service = await startTestService({ now: () => nowMs, tokenLifetimeSeconds: 600 });
});
afterEach(() => service[Symbol.asyncDispose]());

const signIn = (credentials: { secretID: string; secretKey: string }) =>
  fetch(`${service.baseUrl}/Token`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(credentials),
  });

async function tokenOf(credentials: { secretID: string; secretKey: string }): Promise<string> {
  return (await readToken(await signIn(credentials))).access_token;
}

async function readToken(response: Response): Promise<Schema<"TokenResponse">> {
  return (await response.json()) as Schema<"TokenResponse">; // its fields are checked below
}

const messageOf = async (response: Response) => (await bodyOf(response)).errorMessage;

describe("a token", () => {
  test("is an opaque bearer with its expiry in UTC, good until then and not after", async () => {
    const { user } = await service.addUser(ALLOWED_ALL);
    const response = await signIn(await createApplication(service.store, user.id));
    expect(response.headers.get("cache-control")).toBe("no-store");
    const body = await readToken(response);
    expect(Object.keys(body)).toEqual(["access_token", "type", "expires"]);
    expect(body).toMatchObject({ type: "Bearer", expires: "2026-01-01T00:10:00.000Z" });
    expect(Buffer.from(body.access_token, "base64url")).toHaveLength(32);

    nowMs += 599_999;
    expect((await service.get("/flags/public", body.access_token)).status).toBe(200);
    nowMs += 1;
    const expired = await service.get("/flags/public", body.access_token);
    expect(expired.status).toBe(401);
    expect(await messageOf(expired)).toBe("The access token expired");
  });

  test("of a clock that was ahead is over when that is set back, but for a minute", async () => {
    const { user } = await service.addUser(ALLOWED_ALL);
    nowMs += 60_000;
    const token = await tokenOf(await createApplication(service.store, user.id));
    nowMs -= 60_000;
    expect((await service.get("/flags/public", token)).status).toBe(200);
    nowMs -= 1;
    expect(await messageOf(await service.get("/flags/public", token))).toBe(
      "The access token expired",
    );
  });

  test("carries the rights of the application's user", async () => {
    const { user } = await service.addUser({ ...ALLOWED_ALL, username: "mia" });
    await service.addUser({ username: "other" });
    const token = await tokenOf(await createApplication(service.store, user.id));
    const { data } = await bodyOf<{ username: string }[]>(
      await service.get("/users/basic-info?status=all", token),
    );
    expect(data.map(({ username }) => username)).toEqual(["mia"]);
  });

  test("survives a restart, since the archive has it, as a hash and never as it is", async () => {
    const { user } = await service.addUser(ALLOWED_ALL);
    const credentials = await createApplication(service.store, user.id);
    const token = await tokenOf(credentials);
    using database = new DatabaseSync(join(service.directory, "access.db"));
    const kept = JSON.stringify([
      ...database.prepare("SELECT * FROM bearer").all(),
      ...database.prepare("SELECT * FROM application").all(),
    ]);
    expect(kept).toContain(credentials.secretID);
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(credentials.secretKey);
  });

  test("can be taken back alone, with its application, or with all of its user", async () => {
    const { user } = await service.addUser(ALLOWED_ALL);
    const [first, second] = [
      await createApplication(service.store, user.id),
      await createApplication(service.store, user.id),
    ];
    const tokens = [await tokenOf(first), await tokenOf(second)] as const;
    await service.store.credentials.revoke({ application: first.secretID });
    const refused = await service.get("/flags/public", tokens[0]);
    expect(await messageOf(refused)).toBe("The access token was revoked");
    expect((await signIn(first)).status).toBe(401);
    expect((await service.get("/flags/public", tokens[1])).status).toBe(200);
    await service.store.credentials.revoke({ tokensOf: { userId: user.id } });
    expect((await service.get("/flags/public", tokens[1])).status).toBe(401);
  });
});

test("a token is known as expired for a week, then it is forgotten", async () => {
  const { user } = await service.addUser(ALLOWED_ALL);
  const credentials = await createApplication(service.store, user.id);
  const token = await tokenOf(credentials);
  const fault = async () => messageOf(await service.get("/flags/public", token));
  const countTokens = () => {
    using database = new DatabaseSync(join(service.directory, "access.db"));
    return Number(
      database.prepare("SELECT count(*) AS n FROM bearer WHERE kind = 'token'").get()?.["n"],
    );
  };

  nowMs += 600_000 + 7 * 86_400_000;
  await tokenOf(credentials);
  expect(countTokens()).toBe(2);
  nowMs += 1;
  await tokenOf(credentials);
  expect(await fault()).toBe("The access token is unknown");
  expect(countTokens()).toBe(2);
});

describe("an API key", () => {
  test("is a bearer with its user's rights, without an end unless given one", async () => {
    const { user, key } = await service.addUser(ALLOWED_ALL);
    const dated = await createApiKey(service.store, user.id, nowMs + 1_000);
    nowMs += 999;
    expect((await service.get("/flags/public", dated.apiKey)).status).toBe(200);
    nowMs += 10 * 365 * 86_400_000;
    expect(await messageOf(await service.get("/flags/public", dated.apiKey))).toBe(
      "The access token expired",
    );
    expect((await service.get("/flags/public", key)).status).toBe(200);
  });

  test("can be taken back", async () => {
    const { user } = await service.addUser(ALLOWED_ALL);
    const { id, apiKey } = await createApiKey(service.store, user.id);
    expect(await service.store.credentials.revoke({ key: id })).toEqual({
      applications: 0,
      bearers: 1,
    });
    expect((await service.get("/flags/public", apiKey)).status).toBe(401);
  });
});

describe("a sign-in", () => {
  test("does not wait for an import, and neither does anybody else", async () => {
    const { user, key } = await service.addUser(ALLOWED_ALL);
    const credentials = await createApplication(service.store, user.id);
    using importing = new DatabaseSync(join(service.directory, "archive.db"));
    importing.exec("BEGIN IMMEDIATE");

    expect((await signIn(credentials)).status).toBe(200);
    expect((await service.get("/flags/public", key)).status).toBe(200);
  });

  test("is put off when too many others are being checked, and those are all answered", async () => {
    await using busy = await startTestService({ proxies: ["127.0.0.1"] });
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const credentials = { secretID: `app_${index}`, secretKey: "wrong" };
        const response = await busy.post("/Token", "none", credentials, fromAddress(index));
        return { status: response.status, retryAfter: response.headers.get("retry-after") };
      }),
    );
    const putOff = answers.filter(({ status }) => status !== 401);
    expect(putOff.length).toBeGreaterThan(0);
    expect(putOff).toEqual(putOff.map(() => ({ status: 429, retryAfter: "3" })));
  });

  test("with an unknown id and with a wrong key are answered alike", async () => {
    const { user } = await service.addUser(ALLOWED_ALL);
    const { secretID } = await createApplication(service.store, user.id);
    const answers = await Promise.all(
      [
        { secretID, secretKey: "wrong" },
        { secretID: "app_unknown", secretKey: "wrong" },
      ].map(async (credentials) => {
        const response = await signIn(credentials);
        const headers = [...response.headers].filter(
          ([name]) => !["x-request-id", "date"].includes(name),
        );
        return { status: response.status, headers, body: await response.text() };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ status: 401 });
    expect(JSON.parse(answers[0]?.body ?? "").errorMessage).toBe(
      "The secretID or the secretKey is wrong",
    );
  });

  test.each([
    ["inactive", 0],
    ["deleted", 2],
  ])("of an %s user is refused, and the tokens it has are too", async (_name, status) => {
    const { user, key } = await service.addUser(ALLOWED_ALL);
    const credentials = await createApplication(service.store, user.id);
    await service.add({ kind: "user", record: { ...user, status } });
    expect((await signIn(credentials)).status).toBe(401);
    expect((await service.get("/flags/public", key)).status).toBe(401);
  });

  test("waits after five failures, twice as long after each, and only from that address", async () => {
    const { user } = await service.addUser(ALLOWED_ALL);
    const credentials = await createApplication(service.store, user.id);
    const wrong = { ...credentials, secretKey: "wrong" };
    for (let failure = 1; failure <= 5; failure += 1)
      expect((await signIn(wrong)).status).toBe(401);
    const waits: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const response = await signIn(credentials);
      expect(response.status).toBe(429);
      waits.push(response.headers.get("retry-after") ?? "");
      expect(response.headers.get("ratelimit-policy")).toBe('"token";q=5;w=900');
      expect(response.headers.get("ratelimit")).toBe(`"token";r=0;t=${waits.at(-1)}`);
      nowMs += Number(waits.at(-1)) * 1_000;
      expect((await signIn(wrong)).status).toBe(401);
    }
    expect(waits).toEqual(["1", "2", "4"]);
    nowMs += 60_000;
    const response = await signIn(credentials);
    expect(response.status).toBe(200);
    expect(response.headers.get("ratelimit")).toBe('"token";r=5;t=900');
  });

  test("from one address that come at once are no more guesses than one after the other", async () => {
    await using guessed = await startTestService({ now: () => nowMs, proxies: ["127.0.0.1"] });
    const { user } = await guessed.addUser(ALLOWED_ALL);
    const { secretID } = await createApplication(guessed.store, user.id);
    const guess = async (count: number) => {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, n) =>
          guessed.post(
            "/Token",
            "none",
            { secretID: n % 2 === 0 ? secretID : `app_${n}`, secretKey: `guess ${n}` },
            fromAddress(1),
          ),
        ),
      );
      return answers.filter(({ status }) => status !== 429).map(({ status }) => status);
    };
    expect(await guess(60)).toEqual([401, 401, 401, 401, 401]);
    for (const seconds of [1, 2]) {
      nowMs += seconds * 1_000;
      expect(await guess(60)).toEqual([401]);
    }
  });

  test.each([
    ["from many addresses", (n: number) => fromAddress(n)],
    ["from one address", () => fromAddress(1)],
    ["behind a proxy that names nobody", () => ({ "X-Forwarded-Proto": "https" })],
  ])(
    "with the right key is answered elsewhere, whoever fails with its secretID %s",
    async (_what, from) => {
      await using tried = await startTestService({ now: () => nowMs, proxies: ["127.0.0.1"] });
      const { user } = await tried.addUser(ALLOWED_ALL);
      const credentials = await createApplication(tried.store, user.id);
      const wrong = { ...credentials, secretKey: "wrong" };
      await Promise.all(
        Array.from({ length: 60 }, (_, n) => tried.post("/Token", "none", wrong, from(n))),
      );
      const unnamed = { "X-Forwarded-Proto": "https" };
      for (const headers of [fromAddress(200), unnamed]) {
        const right = await tried.post("/Token", "none", credentials, headers);
        expect(right.status).toBe(200);
      }
    },
  );

  test("is not kept out of the queue by all that another address sends, even with a right key", async () => {
    await using busy = await startTestService({ proxies: ["127.0.0.1"] });
    const { user } = await busy.addUser(ALLOWED_ALL);
    const credentials = await createApplication(busy.store, user.id);
    const flood = Array.from({ length: 300 }, async () => {
      const { status } = await busy.post("/Token", "none", credentials, fromAddress(1));
      return status;
    });
    await Promise.any(flood);
    const other = await busy.post("/Token", "none", credentials, fromAddress(2));
    expect(other.status).toBe(200);
    const statuses = await Promise.all(flood);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  test("with the right key is not held up by others with it that come at once", async () => {
    const { user } = await service.addUser(ALLOWED_ALL);
    const credentials = await createApplication(service.store, user.id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(credentials)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

const fromAddress = (n: number) => ({
  "X-Forwarded-For": `192.0.2.${n % 250}`,
  "X-Forwarded-Proto": "https",
});

test("data requests are limited for each credential when the operator says so", async () => {
  await using limited = await startTestService({ now: () => nowMs, requestsPerMinute: 2 });
  const { user, key } = await limited.addUser(ALLOWED_ALL);
  const { apiKey: other } = await createApiKey(limited.store, user.id);
  const first = await limited.get("/flags/public", key);
  expect(first.headers.get("ratelimit-policy")).toBe('"requests";q=2;w=60');
  expect(first.headers.get("ratelimit")).toBe('"requests";r=1;t=60');
  nowMs += 20_000;
  expect((await limited.get("/flags/public", key)).status).toBe(200);
  const refused = await limited.get("/flags/public", key);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("40");
  expect(await messageOf(refused)).toBe("Too many requests; try again in 40 seconds");
  expect((await limited.get("/flags/public", other)).status).toBe(200);
  nowMs += 40_000;
  expect((await limited.get("/flags/public", key)).status).toBe(200);
});
