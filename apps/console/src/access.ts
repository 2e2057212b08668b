// Signs requests: with the cookie of the server's session, or with a secret that only this module holds in memory.
import { type CallMediaClient, createClient, type Credentials } from "@call-media/client";
import type { Drift, Validate } from "@call-media/client/validate";
import { signal } from "@preact/signals";

export type Secret = { readonly apiKey: string } | Credentials;

export interface Access {
  readonly kind: "session" | "secret";
  readonly baseUrl: string;
  readonly client: CallMediaClient;
  /** The headers of requests that bypass the client. After a 401, pass the rejected authorization as `refused`. */
  readonly headers: (refused?: string) => Promise<Readonly<Record<string, string>>>;
}

const MOST_DRIFTS = 50;

/** Deviations of responses from the contract, one entry per kind; none contains a value of a response. */
export const drifts = signal<readonly Drift[]>([]);

let check: Validate | undefined;

/** Starts validation of responses. The schemas are loaded after the page, so that it appears sooner. */
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

/** The header by which the page says that a request is its own. */
export const MARK = "X-Call-Media-Console";

/** Marks a request as the console's own: no page of another origin can send this header. */
export const OWN = { [MARK]: "1" } as const;

/** Signs every request with the cookie, which no script can read. */
export function openSessionAccess(baseUrl: string, mark: string = OWN[MARK]): Access {
  const client = createClient({
    baseUrl,
    validate,
    credentials: "same-origin",
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      headers.set(MARK, mark);
      return fetch(url, { ...init, headers });
    },
  });
  return { kind: "session", baseUrl, client, headers: async () => ({ [MARK]: mark }) };
}

/** Uses an API key or the credentials of an application; they are lost when the tab closes. */
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
