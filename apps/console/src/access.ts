// How requests are signed: by the cookie of the server's session, or by a secret that lives in this module's memory alone.
import {
  type CallMediaClient,
  type ClientOptions,
  createClient,
  type Credentials,
} from "@call-media/client";
import type { Drift, Validate } from "@call-media/client/validate";
import { signal } from "@preact/signals";

export type Secret = { readonly apiKey: string } | Credentials;

export interface Access {
  readonly kind: "session" | "secret";
  readonly baseUrl: string;
  readonly client: CallMediaClient;
  /** The headers of requests that do not go by the client. After a 401 `refused` has what it was asked with. */
  readonly headers: (refused?: string) => Promise<Readonly<Record<string, string>>>;
}

const MOST_DRIFTS = 50;

/** Where answers left the contract, each way once; no value of any answer is in it. */
export const drifts = signal<readonly Drift[]>([]);

let check: Validate | undefined;

/** Begins to check answers: the schemas are loaded when the page is there, which is the sooner for it. */
export async function startValidation(): Promise<void> {
  const { createValidator } = await import("@call-media/client/validate");
  check = createValidator({ onDrift: note });
}

function note(drift: Drift): void {
  const isKnown = drifts.value.some(
    (one) => one.operationId === drift.operationId && one.pointer === drift.pointer,
  );
  if (!isKnown && drifts.value.length < MOST_DRIFTS) drifts.value = [...drifts.value, drift];
}

const validate: Validate = (body, operation) => check?.(body, operation);

/** What tells the server that a request is the console's own: no page of another origin can send it. */
export const OWN = { "X-Call-Media-Console": "1" } as const;

const COMMON = { allowSecretInBrowser: true, validate } as const;

/** Everything by the cookie, which no script can read. */
export function openSessionAccess(baseUrl: string): Access {
  const client = createClient({
    ...COMMON,
    baseUrl,
    // The client does not know of cookies, so that it gets a key that is none and is taken off again.
    apiKey: "session",
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      headers.delete("Authorization");
      headers.set("X-Call-Media-Console", "1");
      return fetch(url, { ...init, headers, credentials: "same-origin" });
    },
  });
  return { kind: "session", baseUrl, client, headers: () => Promise.resolve(OWN) };
}

/** A key or the credentials of an application; gone with the tab. */
export function openSecretAccess(baseUrl: string, secret: Secret): Access {
  let latest = "";
  const options: ClientOptions = {
    ...COMMON,
    baseUrl,
    ...("apiKey" in secret ? { apiKey: secret.apiKey } : { credentials: secret }),
    // What the client signs a request with is good for sound as well.
    fetch: (url, init) => {
      latest = new Headers(init.headers).get("Authorization") ?? latest;
      return fetch(url, { ...init, credentials: "omit" });
    },
  };
  const client = createClient(options);
  return {
    kind: "secret",
    baseUrl,
    client,
    async headers(refused) {
      // Any call makes the client sign in anew where it has to.
      if (latest === "" || latest === refused) await client.GET("/flags/public");
      return { Authorization: latest };
    },
  };
}
