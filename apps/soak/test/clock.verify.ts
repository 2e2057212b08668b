// A clock that jumps: tokens end by it and not otherwise, and nobody is shut out until it has caught up with itself.
import { createListener, listen } from "@call-media/server";
import { openStore } from "@call-media/store/sqlite";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type DemoArchive, makeDemoArchive } from "./support/archive.ts";
import { ask, type Reply } from "./support/serving.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEAR_MS = 365 * 24 * HOUR_MS;
const LIFETIME_SECONDS = 600;
const REQUESTS_PER_MINUTE = 5;

let archive: DemoArchive;
let baseUrl: string;
let clockMs: number;

beforeEach(async () => {
  archive = await makeDemoArchive();
  clockMs = Date.now();
  const now = () => clockMs;
  const store = await openStore({ directory: archive.directory, now });
  const limits = { tokenLifetimeSeconds: LIFETIME_SECONDS, requestsPerMinute: REQUESTS_PER_MINUTE };
  const service = createListener({ store, now, ...limits });
  const listening = await listen(service, { host: "127.0.0.1", port: 0 });
  ({ baseUrl } = listening);
  onTestFinished(async () => {
    await listening.close();
    await store[Symbol.asyncDispose]();
  });
});

const signIn = (secretKey = archive.credentials.secretKey): Promise<Reply> =>
  ask(`${baseUrl}/Token`, { json: { ...archive.credentials, secretKey } });
const read = (bearer: string): Promise<Reply> => ask(`${baseUrl}/flags/public`, { bearer });
const toToken = ({ body }: Reply): string => JSON.parse(body.toString()).access_token;

test("a token is good until its time by the clock at hand, and over where that says it was never issued", async () => {
  const token = toToken(await signIn());
  const startMs = clockMs;
  const statusAt = async (ms: number) => {
    clockMs = startMs + ms;
    return (await read(token)).status;
  };
  expect(await statusAt(LIFETIME_SECONDS * 1_000 - 1)).toBe(200);
  expect(await statusAt(LIFETIME_SECONDS * 1_000)).toBe(401);
  expect(await statusAt(YEAR_MS)).toBe(401);
  expect(await statusAt(-MINUTE_MS)).toBe(200);
  expect(await statusAt(-YEAR_MS)).toBe(401);
});

test("a token that is given after a jump is good for as long as it says", async () => {
  for (const jumpMs of [YEAR_MS, -2 * YEAR_MS, YEAR_MS]) {
    clockMs += jumpMs;
    const reply = await signIn();
    const { expires } = JSON.parse(reply.body.toString());
    expect(Date.parse(expires)).toBe(clockMs + LIFETIME_SECONDS * 1_000);
    expect((await read(toToken(reply))).status).toBe(200);
  }
});

test("a clock that is set back delays sign-ins no longer than without that", async () => {
  for (let failure = 0; failure < 12; failure += 1) await signIn("wrong");
  expect((await signIn()).status).toBe(429);
  clockMs -= YEAR_MS;
  expect((await signIn()).status).toBe(429);
  clockMs += 60_000;
  expect((await signIn()).status).toBe(200);
});

test("a clock that is set back renews the limit of requests no later", async () => {
  const statuses = async () => {
    const replies = [];
    for (let request = 0; request <= REQUESTS_PER_MINUTE; request += 1)
      replies.push((await read(archive.apiKey)).status);
    return replies.at(-1);
  };
  expect(await statuses()).toBe(429);
  clockMs -= YEAR_MS;
  expect((await read(archive.apiKey)).status).toBe(429);
  clockMs += 60_000;
  expect((await read(archive.apiKey)).status).toBe(200);
});
