// The service over the demo archive, with callers of different rights, on a free port of this machine.
import { createApiKey, createListener, listen } from "@call-media/server";
import type { CallStore } from "@call-media/store";
import { openStore } from "@call-media/store/sqlite";
import { makeDemoArchive } from "../support/archive.ts";
import { type Known, readValues } from "./known.ts";

export interface FuzzedService extends AsyncDisposable {
  readonly baseUrl: string;
  readonly known: Known;
  /** The API key of the administrator. */
  readonly apiKey: string;
  /** The service's clock goes on until wrong sign-ins are forgotten. */
  readonly forgetFailures: () => void;
}

// Failed sign-ins are forgotten after a quarter of an hour (D23).
const FORGOTTEN_MS = 16 * 60_000;

// Beside the administrator: who sees a part of the calls, and who may not download.
const CALLERS = ["riley.restricted", "quinn.analyst"];

export async function startFuzzedService(): Promise<FuzzedService> {
  const { directory, apiKey, credentials } = await makeDemoArchive();
  const store = await openStore({ directory });
  let leapMs = 0;
  const service = createListener({ store, now: () => Date.now() + leapMs });
  const { baseUrl, close } = await listen(service, { host: "127.0.0.1", port: 0 });
  const keys = await Promise.all(CALLERS.map((name) => createKey(store, name)));
  return {
    baseUrl,
    known: { values: await readValues(store), credentials, bearers: [apiKey, ...keys] },
    apiKey,
    forgetFailures: () => void (leapMs += FORGOTTEN_MS),
    [Symbol.asyncDispose]: async () => {
      await close();
      await store[Symbol.asyncDispose]();
    },
  };
}

async function createKey(store: CallStore, name: string): Promise<string> {
  const user = await store.users.byName(name);
  if (user === undefined) throw new Error(`the demo archive has no user ${name}`);
  return (await createApiKey(store, user.id)).apiKey;
}
