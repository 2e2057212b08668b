// How requests are signed: by the cookie of the server's session, or by a secret that only this module's memory holds.
import { type CallMediaClient, createClient, type Credentials } from "@call-media/client";
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

/** Marks a request as the console's own: no page of another origin can send this header. */
export const OWN = { "X-Call-Media-Console": "1" } as const;

/** Everything by the cookie, which no script can read. */
export function openSessionAccess(baseUrl: string): Access {
  const client = createClient({
    baseUrl,
    validate,
    credentials: "same-origin",
    fetch: (url, init) => fetch(url, { ...init, headers: withOwn(init.headers) }),
  });
  return { kind: "session", baseUrl, client, headers: () => Promise.resolve(OWN) };
}

function withOwn(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(OWN)) headers.set(name, value);
  return headers;
}

/** A key or the credentials of an application; gone with the tab. */
export function openSecretAccess(baseUrl: string, secret: Secret): Access {
  const common = { baseUrl, validate, allowSecretInBrowser: true };
  const client =
    "apiKey" in secret
      ? createClient({ ...common, apiKey: secret.apiKey })
      : createClient({ ...common, credentials: secret });
  return {
    kind: "secret",
    baseUrl,
    client,
    headers: async (refused) => ({ Authorization: await client.authorization(refused) }),
  };
}
