// Tokens that processes share, and clocks that differ.
import { expect, test } from "vitest";

import { createClient, type TokenStore } from "../src/index.ts";
import {
  bearerOf,
  credentials,
  failureOf,
  hourlyTokens,
  openService,
  sendFailure,
  sendSuccess,
} from "./service.ts";
import { createVirtualClock } from "./support/virtual-clock.ts";

function createStore() {
  const values = new Map<string, string>();
  const store: TokenStore = {
    get: async (key) => values.get(key),
    set: async (key, value) => values.set(key, value),
    delete: async (key) => values.delete(key),
  };
  return { values, store };
}

test("clients that share a store use its token", async () => {
  const { values, store } = createStore();
  const { baseUrl, asked, signIns } = await openService((response) => sendSuccess(response));
  for (let process = 0; process < 3; process++)
    await createClient({ baseUrl, credentials, tokenStore: store }).GET("/flags/public");
  expect(signIns).toHaveLength(1);
  expect(new Set(asked.map(bearerOf))).toEqual(new Set(["Bearer token-1"]));
  expect([...values.keys()]).toEqual([`${baseUrl} app-7`]);
  expect([...values.values()].join()).not.toContain(credentials.secretKey);
});

test("a token that was refused is replaced, and one that another process renewed is taken", async () => {
  const { store } = createStore();
  const revoked = new Set<string | undefined>();
  const { baseUrl, signIns } = await openService((response, one) =>
    revoked.has(bearerOf(one)) ? sendFailure(response, 401, "Revoked") : sendSuccess(response),
  );
  const [one, other] = [1, 2].map(() => createClient({ baseUrl, credentials, tokenStore: store }));
  await one?.GET("/flags/public");
  await other?.GET("/flags/public");
  revoked.add("Bearer token-1");
  await one?.GET("/flags/public");
  await other?.GET("/flags/public");
  expect(signIns).toHaveLength(2);
});

test("a refused token does not stay in the store when the sign-in fails", async () => {
  const { values, store } = createStore();
  const token = hourlyTokens();
  let count = 0;
  const { baseUrl } = await openService(
    (response) => sendFailure(response, 401, "Revoked"),
    (response, one) =>
      ++count === 1 ? token(response, one) : sendFailure(response, 403, "Closed"),
  );
  const client = createClient({ baseUrl, credentials, tokenStore: store });
  await failureOf(client.GET("/flags/public"));
  expect(values.size).toBe(0);
});

test.each([
  "",
  "null",
  "[]",
  "{}",
  "not JSON",
  '{"bearer":"a b","renewAtMs":9e15}',
  '{"bearer":"t","renewAtMs":"9"}',
  '{"bearer":"t","renewAtMs":1}', // long past
])("the invalid stored value %j is not sent", async (value) => {
  const { values, store } = createStore();
  const { baseUrl, asked } = await openService((response) => sendSuccess(response));
  values.set(`${baseUrl} app-7`, value);
  await createClient({ baseUrl, credentials, tokenStore: store }).GET("/flags/public");
  expect(asked.map(bearerOf)).toEqual(["Bearer token-1"]);
});

test("a call fails with what the store throws, and the next one asks it again", async () => {
  const { store } = createStore();
  let isDown = true;
  const get = async (key: string) => {
    if (isDown) throw new Error("The store is down");
    return store.get(key);
  };
  const { baseUrl } = await openService((response) => sendSuccess(response));
  const client = createClient({ baseUrl, credentials, tokenStore: { ...store, get } });
  expect(await failureOf(client.GET("/flags/public"))).toHaveProperty(
    "message",
    "The store is down",
  );
  isDown = false;
  await client.GET("/flags/public");
});

test("a token is renewed in time by the service's clock, however wrong this machine's is", async () => {
  const clock = createVirtualClock();
  const serviceMs = clock.now() + 5 * 3_600_000; // five hours ahead
  let count = 0;
  const { baseUrl, signIns } = await openService(
    (response) => sendSuccess(response),
    (response) => {
      const expires = new Date(serviceMs + 600_000).toISOString();
      response.setHeader("Date", new Date(serviceMs).toUTCString());
      response.end(JSON.stringify({ access_token: `t-${++count}`, type: "Bearer", expires }));
    },
  );
  const client = createClient({ baseUrl, credentials, clock });
  for (const afterMs of [0, 569_000, 2000]) {
    await clock.advance(afterMs);
    await client.GET("/flags/public");
    expect(signIns).toHaveLength(afterMs === 2000 ? 2 : 1);
  }
});
