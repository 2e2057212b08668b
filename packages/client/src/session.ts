// Who the client is: a token that is fetched once for all callers and renewed in time, or a fixed key.
import { isObject, parseJson } from "./answer.ts";
import type { Clock } from "./clock.ts";
import type { SignIn } from "./sign-in.ts";

/** Keeps tokens as a `Map`, Keyv or Redis does. A call fails with what the store throws. */
export interface TokenStore {
  get(key: string): Promise<string | null | undefined>;
  set(key: string, value: string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

export interface Session {
  /** Whether another bearer can be had in place of one that was refused. */
  readonly isRenewable: boolean;
  /** The token or key to send, at once where it is at hand, and not `refused`, which got a 401. */
  bearer(refused?: string): string | Promise<string>;
}

interface Token {
  readonly bearer: string;
  readonly renewAtMs: number;
}

export interface TokenSource {
  readonly clock: Clock;
  readonly store: TokenStore | undefined;
  /** Under which name the token is in the store. */
  readonly key: string;
  signIn(): Promise<SignIn>;
  /** Called for each token that was had. */
  tell(from: "sign-in" | "store"): void;
}

/**
 * A token is renewed this long before it expires, so that a request under way is not overtaken; of a
 * token that lives less than five minutes, the last tenth.
 */
const RENEW_EARLY_MS = 30_000;

/** Whether `text` can be sent as `Authorization: Bearer`; RFC 6750, section 2.1 allows even less. */
export function isBearer(text: unknown): text is string {
  return typeof text === "string" && /^[\x21-\x7e]+$/.test(text);
}

/** A session on an API key, which is sent as it is and never renewed (D19). */
export function createKeySession(apiKey: string): Session {
  return { isRenewable: false, bearer: () => apiKey };
}

/** A session on tokens. However many callers wait for a token, one is asked for. */
export function createTokenSession(source: TokenSource): Session {
  const { clock, store, key } = source;
  let token: Token | undefined;
  let renewing: Promise<string> | undefined;
  let lastRefused: string | undefined;

  const isUsable = (one: Token | undefined): one is Token =>
    one !== undefined && one.bearer !== lastRefused && clock.now() < one.renewAtMs;

  async function renew(): Promise<string> {
    const stored = parseToken(await store?.get(key));
    // Should the sign-in fail, no other process must be left with what the service refused.
    if (stored && stored.bearer === lastRefused) await store?.delete(key);
    token = isUsable(stored) ? stored : await signIn();
    source.tell(token === stored ? "store" : "sign-in");
    return token.bearer;
  }

  async function signIn(): Promise<Token> {
    const { bearer, lifetimeMs } = await source.signIn();
    const renewAtMs = clock.now() + lifetimeMs - Math.min(RENEW_EARLY_MS, lifetimeMs / 10);
    await store?.set(key, JSON.stringify({ bearer, renewAtMs }));
    return { bearer, renewAtMs };
  }

  return {
    isRenewable: true,
    bearer(refused) {
      lastRefused = refused ?? lastRefused;
      // A caller that was slow to see its 401 takes the token that others fetched since.
      if (isUsable(token)) return token.bearer;
      renewing ??= renew().finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}

/** What another process, or another version of this package, left in the store may be anything. */
function parseToken(text: string | null | undefined): Token | undefined {
  const token = parseJson(text ?? "");
  if (!isObject(token)) return undefined;
  const { bearer, renewAtMs } = token;
  return isBearer(bearer) && typeof renewAtMs === "number" ? { bearer, renewAtMs } : undefined;
}
