// Who the client is: a token that is fetched once for all callers and renewed in time, or a fixed key.
import { ProtocolError } from "./errors.ts";

export interface Session {
  /** The token or key to send with the next request. */
  bearer(): Promise<string>;
  /** Takes note that the service refused `bearer`. Returns whether another can be had. */
  drop(bearer: string): boolean;
}

/** A token as POST /Token gave it, with the moment it was given. */
export interface SignIn {
  readonly accessToken: unknown;
  readonly expires: unknown;
  /** When the answer was made, in ms since 1970, by the clock that `expires` is counted on. */
  readonly answeredAtMs: number;
}

interface Token {
  readonly bearer: string;
  readonly renewAtMs: number;
}

/**
 * A token is renewed this long before it expires, so that a request under way is not overtaken; of a
 * token that lives less than five minutes, the last tenth.
 */
const RENEW_EARLY_MS = 30_000;

// RFC 6750, section 2.1 allows less; a space or a control character would break the header.
const BEARER = /^[\x21-\x7e]+$/;

// ISO 8601, to the second or finer.
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** Whether `text` can be sent as `Authorization: Bearer`. */
export function isBearer(text: unknown): text is string {
  return typeof text === "string" && BEARER.test(text);
}

/** A session on an API key, which is sent as it is and never renewed (D19). */
export function createKeySession(apiKey: string): Session {
  return { bearer: async () => apiKey, drop: () => false };
}

/** A session on tokens. However many callers wait for a token, `signIn` runs once. */
export function createTokenSession(signIn: () => Promise<SignIn>): Session {
  let token: Token | undefined;
  let signingIn: Promise<Token> | undefined;

  async function renew(): Promise<Token> {
    try {
      token = parseToken(await signIn());
      return token;
    } finally {
      signingIn = undefined;
    }
  }

  return {
    async bearer() {
      if (token !== undefined && Date.now() < token.renewAtMs) return token.bearer;
      signingIn ??= renew();
      return (await signingIn).bearer;
    },
    drop(bearer) {
      // A caller that was slow to see its 401 must not throw away the token others fetched since.
      if (token?.bearer === bearer) token = undefined;
      return true;
    },
  };
}

function parseToken({ accessToken, expires, answeredAtMs }: SignIn): Token {
  if (!isBearer(accessToken)) throw toTokenError("no usable access_token");
  const lifetimeMs = parseInstantMs(expires) - answeredAtMs;
  if (Number.isNaN(lifetimeMs)) throw toTokenError("expires that is no ISO 8601 timestamp");
  if (lifetimeMs <= 0) throw toTokenError("expires that is already past");
  const earlyMs = Math.min(RENEW_EARLY_MS, lifetimeMs / 10);
  return { bearer: accessToken, renewAtMs: Date.now() + lifetimeMs - earlyMs };
}

/** Without an offset the text is in UTC, as the interface says of `expires`. */
function parseInstantMs(text: unknown): number {
  const match = typeof text === "string" ? TIMESTAMP.exec(text) : null;
  if (match === null) return Number.NaN;
  return Date.parse(match[1] === undefined ? `${match[0]}Z` : match[0]);
}

function toTokenError(fault: string): ProtocolError {
  const operation = { method: "POST", path: "/Token" } as const;
  return new ProtocolError(`POST /Token was answered with ${fault}`, operation, { status: 200 });
}
