// The environment of the service's checks: the demo archive, the callers, and the service in the four states that its responses need.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createApiKey } from "@call-media/server";
import { openStore } from "@call-media/store/sqlite";
import { type DemoAccess, makeDemoArchive, startService } from "./demo-service.ts";

/**
 * `open` serves the demo archive. So does `limited`, where every caller has used up the limit. The archive of `damaged` has lost
 * its recordings, that of `broken` its database.
 */
export type ServiceName = "open" | "limited" | "damaged" | "broken";

/** Administrator and restricted user with a token, the administrator's API key, and a user who may not download. */
export type CallerName = "administrator" | "restricted user" | "API key" | "user without downloads";

export interface Caller {
  readonly bearer: string;
  readonly userId: number;
}

export interface World extends AsyncDisposable {
  readonly access: DemoAccess;
  readonly baseUrls: Readonly<Record<ServiceName, string>>;
  readonly callers: Readonly<Record<CallerName, Caller>>;
}

export async function createWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const { directory, access, copy } = stack.use(await makeDemoArchive());
  const store = stack.use(await openStore({ directory }));
  const { baseUrl } = stack.use(await startService(store));

  // The clock stands still, so that a limit stays used up.
  const now = () => 0;
  const limited = stack.use(await startService(store, { requestsPerMinute: 1, now }));
  await useUpLimits(limited.baseUrl, access.apiKey);

  const { directory: otherDirectory } = stack.use(await copy());
  await rm(join(otherDirectory, "media"), { recursive: true });
  const otherStore = stack.use(await openStore({ directory: otherDirectory }));
  const damaged = stack.use(await startService(otherStore));

  const closedStore = await openStore({ directory });
  await closedStore[Symbol.asyncDispose]();
  const broken = stack.use(await startService(closedStore));

  const analyst = await store.users.byName("quinn.analyst");
  if (analyst === undefined) throw new Error("the demo archive has no user quinn.analyst");
  const callers = {
    administrator: await toCaller(baseUrl, await signIn(baseUrl, access.credentials)),
    "restricted user": await toCaller(baseUrl, await signIn(baseUrl, access.restricted)),
    "API key": await toCaller(baseUrl, access.apiKey),
    "user without downloads": {
      bearer: (await createApiKey(store, analyst.id)).apiKey,
      userId: analyst.id,
    },
  };
  const baseUrls = {
    open: baseUrl,
    limited: limited.baseUrl,
    damaged: damaged.baseUrl,
    broken: broken.baseUrl,
  };
  const owned = stack.move();
  return { access, baseUrls, callers, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function signIn(baseUrl: string, credentials: object): Promise<string> {
  const response = await postToken(baseUrl, credentials);
  return ((await response.json()) as { access_token: string }).access_token; // every call needs valid credentials
}

// A user who is not an administrator sees only himself in the users list; in an administrator's list, the administrator is first.
async function toCaller(baseUrl: string, bearer: string): Promise<Caller> {
  const headers = { Authorization: `Bearer ${bearer}` };
  const response = await fetch(`${baseUrl}/users/basic-info?status=active`, { headers });
  const { data } = (await response.json()) as { data: { id: number }[] }; // the contract's form
  return { bearer, userId: data[0]?.id ?? Number.NaN };
}

/** D23 allows five wrong sign-ins without delay; this service allows one request a minute. */
async function useUpLimits(baseUrl: string, apiKey: string): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}` };
  await fetch(`${baseUrl}/flags/public`, { headers });
  for (let failure = 1; failure <= 5; failure += 1)
    await postToken(baseUrl, { secretID: "unknown", secretKey: "wrong" });
}

function postToken(baseUrl: string, credentials: object): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  return fetch(`${baseUrl}/Token`, { method: "POST", headers, body: JSON.stringify(credentials) });
}
