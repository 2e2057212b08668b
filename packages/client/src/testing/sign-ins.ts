// Who is asking: applications and their tokens, API keys, and how often a sign-in may fail (D14, D18-D20, D23).
import type { Schema } from "@call-media/api";

import type { Credentials } from "../options.ts";
import { refuse } from "./refusal.ts";
import type { User } from "./seed.ts";

export interface SignIns {
  /** @throws Refusal of 401, or of 429 after too many failures. */
  signIn(given: Credentials): { token: Schema<"TokenResponse">; headers: Record<string, string> };
  /** @throws Refusal of 401. */
  authenticate(authorization: string | null): User;
  /** Makes every token unknown; API keys stay. */
  forgetTokens(): void;
}

interface SignInSettings {
  readonly users: readonly User[];
  readonly tokenLifeS: number;
  readonly now: () => number;
}

interface Bearer {
  readonly user: User;
  readonly expiresMs: number;
}

const ACTIVE = 1;
const FREE_FAILURES = 5;
const WINDOW_S = 900;

// RFC 6750, section 2.1; the scheme in any letter case (RFC 9110, section 11.1).
const AUTHORIZATION = /^bearer +([\w\-.~+/]+=*) *$/i;

export function createSignIns({ users, tokenLifeS, now }: SignInSettings): SignIns {
  const keys = new Map(users.map((user) => [user.apiKey, user]));
  const tokens = new Map<string, Bearer>();
  const failures = new Map<string, number>();

  const find = ({ secretID, secretKey }: Credentials) =>
    users.find(
      ({ status, credentials: own }) =>
        status === ACTIVE && own.secretID === secretID && own.secretKey === secretKey,
    );

  const issue = (user: User): Schema<"TokenResponse"> => {
    const token = createSecret();
    const expiresMs = now() + tokenLifeS * 1000;
    tokens.set(token, { user, expiresMs });
    return { access_token: token, type: "Bearer", expires: new Date(expiresMs).toISOString() };
  };

  return {
    signIn(given) {
      const failed = failures.get(given.secretID) ?? 0;
      const user = find(given);
      if (failed >= FREE_FAILURES) {
        // The next attempt is free again: a test need not wait.
        failures.set(given.secretID, FREE_FAILURES - 1);
        const message = "Too many requests; try again in 1 seconds";
        throw refuse(429, message, { ...toLimitHeaders(failed), "Retry-After": "1" });
      }
      if (user === undefined) {
        failures.set(given.secretID, failed + 1);
        const challenge = { "WWW-Authenticate": "Bearer" };
        throw refuse(401, "The secretID or the secretKey is wrong", challenge);
      }
      failures.delete(given.secretID);
      return { token: issue(user), headers: toLimitHeaders(0) };
    },
    authenticate(authorization) {
      if (authorization === null)
        throw refuse(401, "The Authorization header is missing", { "WWW-Authenticate": "Bearer" });
      const secret = AUTHORIZATION.exec(authorization)?.[1];
      if (secret === undefined) throw refuseToken("is malformed");
      const bearer = tokens.get(secret);
      const user = bearer?.user ?? keys.get(secret);
      if (user === undefined) throw refuseToken("is unknown");
      if (bearer !== undefined && bearer.expiresMs <= now()) throw refuseToken("expired");
      if (user.status !== ACTIVE) throw refuseToken("was revoked");
      return user;
    },
    forgetTokens: () => tokens.clear(),
  };
}

function refuseToken(reason: string) {
  const description = `The access token ${reason}`;
  const challenge = `Bearer error="invalid_token", error_description="${description}"`;
  return refuse(401, description, { "WWW-Authenticate": challenge });
}

// draft-ietf-httpapi-ratelimit-headers.
function toLimitHeaders(failed: number): Record<string, string> {
  return {
    "RateLimit-Policy": `"token";q=${FREE_FAILURES};w=${WINDOW_S}`,
    RateLimit: `"token";r=${Math.max(0, FREE_FAILURES - failed)};t=${WINDOW_S}`,
  };
}

/** 256 random bits (D18). */
function createSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
