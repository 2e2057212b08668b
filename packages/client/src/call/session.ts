// Authenticates calls: a token that is fetched once for all of them and renewed in time, or a fixed key.
import { isCallMediaError } from "../errors.ts";
import { REJECTED_MS } from "../limits.ts";
import type { Credentials, ParsedOptions } from "../options.ts";
import { isBearer, parseJson } from "../values.ts";
import { TOKEN_PATH, toOperation } from "./request.ts";
import type { Token } from "./sign-in.ts";

/**
 * Returns the token or key to send, or a function that fetches one. Never returns `refused`, which the service rejected with 401. Empty if
 * the browser's cookies authenticate.
 */
export type Session = (refused?: string) => string | (() => Promise<string>);

/** True if the service would reject the same credentials again. */
function isRejected(error: unknown): boolean {
  return isCallMediaError(error) && [400, 401, 403].includes(Number(error.status));
}

/**
 * However many calls wait for a token, one is requested. Rejected credentials are not sent again for a minute: services count
 * failed sign-ins, and lock out. A key is sent unchanged and never renewed (D19).
 */
export function createSession(
  options: ParsedOptions,
  signIn: (credentials: Credentials) => Promise<Token>,
): Session {
  const { baseUrl, clock, credentials, tokenStore } = options;
  if (credentials === undefined) return () => options.apiKey ?? "";
  if (credentials === "same-origin") return () => "";
  const { secretID, secretKey } = credentials;
  const key = `${baseUrl} ${secretID}`;
  let token: Token | undefined;
  let renewing: Promise<string> | undefined;
  let lastRefused: string | undefined;
  /** The error of the last sign-in, if the service rejected the credentials. */
  let rejection: { readonly error: unknown; readonly untilMs: number } | undefined;

  const isUsable = (one: Partial<Token> | undefined): one is Token =>
    isBearer(one?.bearer) && one.bearer !== lastRefused && clock.now() < Number(one.renewAtMs);

  async function renew(): Promise<string> {
    const stored = await readStored();
    token = stored ?? (await signInAndStore());
    const about = { ...toOperation("POST", TOKEN_PATH), url: baseUrl + TOKEN_PATH };
    const from = stored === undefined ? "sign-in" : "store";
    options.emit?.({ ...about, attempts: 0, call: 0 }, { type: "token", from });
    return token.bearer;
  }

  async function readStored(): Promise<Token | undefined> {
    // Another process, or another version of this package, may have stored anything.
    const stored: Partial<Token> = Object(parseJson((await tokenStore?.get(key)) ?? ""));
    if (isUsable(stored)) return stored;
    // If the sign-in fails, other processes must not find the rejected token.
    if (lastRefused !== undefined && stored.bearer === lastRefused) await tokenStore?.delete(key);
    return undefined;
  }

  async function signInAndStore(): Promise<Token> {
    if (rejection && clock.now() < rejection.untilMs) throw rejection.error;
    const fresh = await signIn({ secretID, secretKey }).catch((error: unknown) => {
      if (isRejected(error)) rejection = { error, untilMs: clock.now() + REJECTED_MS };
      throw error;
    });
    await tokenStore?.set(key, JSON.stringify(fresh));
    return fresh;
  }

  function renewOnce(): Promise<string> {
    renewing ??= renew().finally(() => (renewing = undefined));
    return renewing;
  }

  return (refused) => {
    lastRefused = refused ?? lastRefused;
    // A call that saw its 401 late gets the token that others fetched since.
    return isUsable(token) ? token.bearer : renewOnce;
  };
}
