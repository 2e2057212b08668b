// The services that return the document's examples: over the demo archive, in the states that the examples need.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Schema } from "@call-media/api";
import { createApiKey } from "@call-media/server";
import { openStore } from "@call-media/store/sqlite";
import { makeDemoArchive, startService } from "./demo-service.ts";

/**
 * `later` is `open` after a token has expired. At `limited`, the requests of a minute are used up; at `barred`, too many
 * sign-ins have failed. The archive of `damaged` has lost its recordings, that of `broken` its database.
 */
export type ExampleService = "open" | "later" | "limited" | "barred" | "damaged" | "broken";

/** The administrator has an API key, other callers a token. */
export type ExampleCaller = "administrator" | "signed in" | "restricted" | "without downloads";

/** The URLs of the services, and the callers. */
export interface ExampleAccess {
  readonly baseUrls: Readonly<Record<ExampleService, string>>;
  readonly bearers: Readonly<Record<ExampleCaller, string>>;
  readonly credentials: Schema<"TokenRequest">;
}

export interface ExampleServices extends ExampleAccess, AsyncDisposable {}

const HOUR_MS = 3_600_000;
const REQUESTS_PER_MINUTE = 60;

export async function startExampleServices(): Promise<ExampleServices> {
  await using stack = new AsyncDisposableStack();
  const { directory, access, copy } = stack.use(await makeDemoArchive());
  const store = stack.use(await openStore({ directory }));
  const { baseUrl: open } = stack.use(await startService(store));
  const { baseUrl: later } = stack.use(
    await startService(store, { now: () => Date.now() + 2 * HOUR_MS }),
  );

  const clock = { ms: 0 };
  const settings = { now: () => clock.ms, requestsPerMinute: REQUESTS_PER_MINUTE };
  const { baseUrl: limited } = stack.use(await startService(store, settings));
  await useUpMinute(limited, access.apiKey, clock);

  const otherClock = { ms: 0 };
  const { baseUrl: barred } = stack.use(await startService(store, { now: () => otherClock.ms }));
  await failToSignIn(barred, otherClock);

  const { directory: lossy } = stack.use(await copy());
  await rm(join(lossy, "media"), { recursive: true });
  const lossyStore = stack.use(await openStore({ directory: lossy }));
  const { baseUrl: damaged } = stack.use(await startService(lossyStore));

  const closedStore = await openStore({ directory });
  await closedStore[Symbol.asyncDispose]();
  const { baseUrl: broken } = stack.use(await startService(closedStore));

  const analyst = await store.users.byName("quinn.analyst");
  if (analyst === undefined) throw new Error("the demo archive has no user quinn.analyst");
  const bearers = {
    administrator: access.apiKey,
    "signed in": await signIn(open, access.credentials),
    restricted: await signIn(open, access.restricted),
    "without downloads": (await createApiKey(store, analyst.id)).apiKey,
  };
  const baseUrls = { open, later, limited, barred, damaged, broken };
  const owned = stack.move();
  const { credentials } = access;
  return { baseUrls, bearers, credentials, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function signIn(baseUrl: string, credentials: object): Promise<string> {
  const response = await postToken(baseUrl, credentials);
  return ((await response.json()) as Schema<"TokenResponse">).access_token; // the demo's credentials are valid
}

/** Uses up the limit, and leaves the service in the middle of a minute. */
async function useUpMinute(baseUrl: string, apiKey: string, clock: { ms: number }): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  for (let request = 1; request <= REQUESTS_PER_MINUTE; request += 1)
    await fetch(`${baseUrl}/flags/public`, { headers });
  clock.ms += 30_000;
}

/** Fails ten times, each time as soon as allowed (D23), and leaves the service two seconds after the last failure. */
async function failToSignIn(baseUrl: string, clock: { ms: number }): Promise<void> {
  for (let failures = 1; failures <= 10; failures += 1) {
    await postToken(baseUrl, { secretID: "unknown", secretKey: "wrong" });
    if (failures >= 5 && failures < 10) clock.ms += 1_000 * 2 ** (failures - 5);
  }
  clock.ms += 2_000;
}

function postToken(baseUrl: string, credentials: object): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  return fetch(`${baseUrl}/Token`, { method: "POST", headers, body: JSON.stringify(credentials) });
}
