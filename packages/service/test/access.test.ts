// Who gets in, for how long, and how often one may try (D14, D18-D20, D23).
import type { Schema } from "@call-media/api";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ALLOWED_ALL,
  createApplication,
  issueKey,
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

type Credentials = Schema<"TokenRequest">;

/** `from`: its address; null when nobody knows whose it is. */
const signIn = (body: Credentials, from: string | null = "192.0.2.1") =>
  service.send("/Token", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
    from,
  });

async function tokenOf(credentials: Credentials): Promise<string> {
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
    expect(Buffer.from(body.access_token.slice("cmt_".length), "base64url")).toHaveLength(32);

    nowMs += 599_999;
    expect((await service.get("/flags/public", body.access_token)).status).toBe(200);
    nowMs += 1;
    const expired = await service.get("/flags/public", body.access_token);
    expect(expired.status).toBe(401);
    expect(await messageOf(expired)).toBe("The access token expired");
  });

  test("from a clock that was ahead expires when the clock is set back by more than a minute", async () => {
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

  test("can be revoked alone, with its application, or with all credentials of its user", async () => {
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

describe("an API key", () => {
  test("is a bearer with its user's rights, without an end unless given one", async () => {
    const { user, key } = await service.addUser(ALLOWED_ALL);
    const dated = await issueKey(service.store, user.id, nowMs + 1_000);
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
    const { id, apiKey } = await issueKey(service.store, user.id);
    expect(await service.store.credentials.revoke({ key: id })).toEqual({
      applications: 0,
      bearers: 1,
    });
    expect((await service.get("/flags/public", apiKey)).status).toBe(401);
  });
});

describe("a sign-in", () => {
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
  ])("of an %s user is rejected, and so are the user's tokens", async (_name, status) => {
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
    const { user } = await service.addUser(ALLOWED_ALL);
    const { secretID } = await createApplication(service.store, user.id);
    const guess = async (count: number) => {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, n) =>
          signIn({ secretID: n % 2 === 0 ? secretID : `app_${n}`, secretKey: `guess ${n}` }),
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

  test.each([["from one address", "192.0.2.1"]])(
    "with the right key is answered elsewhere, whoever fails with its secretID %s",
    async (_what, from) => {
      const { user } = await service.addUser(ALLOWED_ALL);
      const credentials = await createApplication(service.store, user.id);
      const wrong = { ...credentials, secretKey: "wrong" };
      await Promise.all(Array.from({ length: 60 }, () => signIn(wrong, from)));
      for (const address of ["192.0.2.200", null])
        expect((await signIn(credentials, address)).status).toBe(200);
    },
  );

  test("with the right key is not held up by others with it that come at once", async () => {
    const { user } = await service.addUser(ALLOWED_ALL);
    const credentials = await createApplication(service.store, user.id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(credentials)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

test("data requests are limited for each credential when the operator says so", async () => {
  await using limited = await startTestService({ now: () => nowMs, requestsPerMinute: 2 });
  const { user, key } = await limited.addUser(ALLOWED_ALL);
  const { apiKey: other } = await issueKey(limited.store, user.id);
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
