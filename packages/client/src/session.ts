// Who the client is: a token that is fetched once for all callers and renewed in time, or a fixed key.
import { isObject, parseJson } from "./answer.ts";
import type { Call } from "./caller.ts";
import type { Wire } from "./exchange.ts";
import type { Credentials } from "./options.ts";
import { TOKEN_PATH, toOperation } from "./request.ts";
import { isBearer, readToken, type Token } from "./sign-in.ts";

/** Keeps tokens as a `Map`, Keyv or Redis does. A call fails with what the store throws. */
export interface TokenStore {
  get(key: string): Promise<string | null | undefined>;
  set(key: string, value: string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

/** The token or key to send, at once where it is at hand, and not `refused`, which got a 401. */
export type Session = (refused?: string) => string | Promise<string>;

export function createSession(wire: Wire, call: Call): Session {
  const { credentials, apiKey } = wire.options;
  // A key is sent as it is and never renewed (D19).
  return credentials ? createTokenSession(wire, call, credentials) : () => apiKey;
}

/** However many callers wait for a token, one is asked for. */
function createTokenSession(
  { options, emit }: Wire,
  call: Call,
  credentials: Credentials,
): Session {
  const { baseUrl, clock, tokenStore } = options;
  const { secretID, secretKey } = credentials;
  const operation = toOperation("POST", TOKEN_PATH);
  const key = `${baseUrl} ${secretID}`;
  let token: Token | undefined;
  let renewing: Promise<string> | undefined;
  let lastRefused: string | undefined;

  const isUsable = (one: Token | undefined): one is Token =>
    !!one && one.bearer !== lastRefused && clock.now() < one.renewAtMs;

  async function renew(): Promise<string> {
    const stored = parseToken(await tokenStore?.get(key));
    // Should the sign-in fail, no other process must be left with what the service refused.
    if (stored && stored.bearer === lastRefused) await tokenStore?.delete(key);
    const from = isUsable(stored) ? "store" : "sign-in";
    token = isUsable(stored) ? stored : await signIn();
    emit(
      { ...operation, url: baseUrl + TOKEN_PATH, attempts: 0, call: 0 },
      { type: "token", from },
    );
    return token.bearer;
  }

  async function signIn(): Promise<Token> {
    const fresh = await call(operation, { body: { secretID, secretKey } }, readToken);
    await tokenStore?.set(key, JSON.stringify(fresh));
    return fresh;
  }

  return (refused) => {
    lastRefused = refused ?? lastRefused;
    // A caller that was slow to see its 401 takes the token that others fetched since.
    if (isUsable(token)) return token.bearer;
    renewing ??= renew().finally(() => (renewing = undefined));
    return renewing;
  };
}

/** What another process, or another version of this package, left in the store may be anything. */
function parseToken(text: string | null | undefined): Token | undefined {
  const token = parseJson(text ?? "");
  if (!isObject(token)) return undefined;
  const { bearer, renewAtMs } = token;
  return isBearer(bearer) && typeof renewAtMs === "number" ? { bearer, renewAtMs } : undefined;
}
