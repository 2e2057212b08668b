// Who is asking (D14, D18-D20): sign-in with an application's credentials, and the bearer of every other request.
import type { OutgoingHttpHeaders } from "node:http";
import type { Bearer, CallStore, UserRecord, Visibility } from "@call-media/store";
import { isActive, toVisibility } from "@call-media/store";
import type { Schema } from "@call-media/api";
import { credentialsRefused, tokenMissing, tokenRefused } from "../http/errors.ts";
import { type Attempt, createRequestLimit, createSignInLimit } from "./limits.ts";
import { createName, createSecret, isKeyOf, toBearerHash } from "./secrets.ts";

/** The user that a request acts for, with what that user may see. */
export interface Caller {
  readonly user: UserRecord;
  readonly visibility: Visibility;
  /** The secretID of the application, or the id of the API key, that the request was made with. */
  readonly credential: string;
}

export interface AccessSettings {
  /** Seconds that a token is good for (D18). */
  readonly tokenLifetimeSeconds: number;
  /** Data requests a minute for each credential; undefined: unlimited (D23). */
  readonly requestsPerMinute?: number | undefined;
  readonly now: () => number;
}

// RFC 6750, section 2.1; the scheme in any letter case (RFC 9110, section 11.1).
const AUTHORIZATION = /^bearer +([\w\-.~+/]+=*) *$/i;

export function createAccess(store: CallStore, settings: AccessSettings) {
  const signInLimit = createSignInLimit(settings.now);
  const requestLimit = createRequestLimit(settings.requestsPerMinute, settings.now);
  const visibilities = new WeakMap<UserRecord, Visibility>();
  const toKnownVisibility = (user: UserRecord): Visibility => {
    const known = visibilities.get(user) ?? toVisibility(user);
    visibilities.set(user, known);
    return known;
  };
  return {
    /** Exchanges credentials for a token. Throws 401, and 429 after too many failures from this origin (D23). */
    signIn: async ({ secretID, secretKey }: Schema<"TokenRequest">, origin: Attempt["origin"]) => {
      const attempt = { secretID, origin };
      const application = await store.credentials.application(secretID);
      const isGood = application?.isRevoked === false && isActive(application.user);
      // Whatever else is wrong, the key is checked, so that time tells nothing (D14).
      const isRight = await signInLimit.attempt(
        attempt,
        async () => (await isKeyOf(application?.keyHash, secretKey)) && isGood,
      );
      if (application === undefined || !isRight) throw credentialsRefused();
      return {
        token: await issueToken(store, application, settings),
        headers: signInLimit.toHeaders(attempt),
      };
    },
    /** Whose token or API key the Authorization header bears. Throws 401. */
    authenticate: async (authorization: string | undefined): Promise<Caller> => {
      if (authorization === undefined) throw tokenMissing();
      const secret = AUTHORIZATION.exec(authorization)?.[1];
      if (secret === undefined) throw tokenRefused("is malformed");
      const bearer = await store.credentials.bearer(toBearerHash(secret));
      if (bearer === undefined) throw tokenRefused("is unknown");
      if (bearer.isRevoked || !isActive(bearer.user)) throw tokenRefused("was revoked");
      if (isOver(bearer, settings.now())) throw tokenRefused("expired");
      const { user, secretID, id } = bearer;
      return { user, visibility: toKnownVisibility(user), credential: secretID ?? id };
    },
    /** Counts a request; returns where the caller stands as headers of the answer. Throws 429 when a limit is used up. */
    count: ({ credential }: Caller): OutgoingHttpHeaders => requestLimit(credential),
  };
}

// What the clocks of two machines that serve one archive may be apart.
const CLOCK_TOLERANCE_MS = 60_000;

// A token from the future was issued by a clock that has been set back since: it would be good for as long as that was ahead.
function isOver({ kind, createdMs, expiresMs }: Bearer, nowMs: number): boolean {
  if (kind === "token" && createdMs > nowMs + CLOCK_TOLERANCE_MS) return true;
  return expiresMs !== undefined && expiresMs <= nowMs;
}

export type Access = ReturnType<typeof createAccess>;

async function issueToken(
  store: CallStore,
  application: { readonly secretID: string; readonly userId: number },
  { tokenLifetimeSeconds, now }: AccessSettings,
): Promise<Schema<"TokenResponse">> {
  const secret = createSecret();
  const createdMs = now();
  const expiresMs = createdMs + tokenLifetimeSeconds * 1000;
  const { secretID, userId } = application;
  await store.credentials.addBearer({
    id: createName("token"),
    kind: "token",
    hash: toBearerHash(secret),
    userId,
    secretID,
    createdMs,
    expiresMs,
  });
  return { access_token: secret, type: "Bearer", expires: new Date(expiresMs).toISOString() };
}
