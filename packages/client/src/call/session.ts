// Who the client is: a token that is fetched once for all callers and renewed in time, or a fixed key.
import type { ParsedOptions } from "../options.ts";
import { parseJson } from "./answer.ts";
import type { Call } from "./caller.ts";
import { TOKEN_PATH, toOperation } from "./request.ts";
import { isBearer, readToken, type Token } from "./sign-in.ts";

/** Keeps tokens as a `Map`, Keyv or Redis does. A call fails with what the store throws. */
export interface TokenStore {
  get(key: string): Promise<string | null | undefined>;
  set(key: string, value: string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

/**
 * The token or key to send, which is not `refused`, that got a 401; where none is at hand, how to get one; "" where the
 * browser's cookies sign.
 */
export type Session = (refused?: string) => string | (() => Promise<string>);

/** However many callers wait for a token, one is asked for. A key is sent as it is and never renewed (D19). */
export function createSession(options: ParsedOptions, call: Call): Session {
  const { baseUrl, credentials, tokenStore } = options;
  if (!credentials) return () => options.apiKey;
  if (credentials === "same-origin") return () => "";
  const { secretID, secretKey } = credentials;
  const operation = toOperation("POST", TOKEN_PATH);
  const key = `${baseUrl} ${secretID}`;
  let token: Token | undefined;
  let renewing: Promise<string> | undefined;
  let lastRefused: string | undefined;

  const isUsable = (one: Partial<Token> | undefined): one is Token =>
    isBearer(one?.bearer) &&
    one.bearer !== lastRefused &&
    options.clock.now() < Number(one.renewAtMs);

  async function renew(): Promise<string> {
    // What another process, or another version of this package, left there may be anything.
    const stored: Partial<Token> = Object(parseJson((await tokenStore?.get(key)) ?? ""));
    // Should the sign-in fail, no other process must be left with what the service refused.
    if (lastRefused && stored.bearer === lastRefused) await tokenStore?.delete(key);
    const isStored = isUsable(stored);
    const fresh = isStored
      ? stored
      : await call(operation, { body: { secretID, secretKey } }, readToken);
    if (!isStored) await tokenStore?.set(key, JSON.stringify(fresh));
    token = fresh;
    options.emit?.(
      { ...operation, url: baseUrl + TOKEN_PATH, attempts: 0, call: 0 },
      { type: "token", from: isStored ? "store" : "sign-in" },
    );
    return token.bearer;
  }

  return (refused) => {
    lastRefused = refused ?? lastRefused;
    // A caller that was slow to see its 401 takes the token that others fetched since.
    if (isUsable(token)) return token.bearer;
    return () => (renewing ??= renew().finally(() => (renewing = undefined)));
  };
}
