// Finds the caller (D14, D18-D20): sign-in with an application's credentials, and the bearer of every other request.
import {
  type Bearer,
  type CallStore,
  type ConsoleUse,
  type Issued,
  type UserRecord,
  type Visibility,
  isActive,
  isFault,
  toVisibility,
} from "@call-media/store";
import type { Schema } from "@call-media/api";
import {
  type ResponseHeaders,
  credentialsRefused,
  keyRefused,
  tokenMissing,
  tokenRefused,
} from "../errors.ts";
import {
  type Attempt,
  createRequestLimit,
  createSignInLimit,
  SIGNED_IN_HEADERS,
} from "./limits.ts";
import { createName, createSecret, isKeyOf, toBearerHash } from "./secrets.ts";

/** The user that a request acts for, with the user's rights. */
export interface Caller {
  readonly user: UserRecord;
  readonly visibility: Visibility;
  /** The secretID of the application, or the id of the API key, that the request was made with. */
  readonly credential: string;
  /** The id of the console's session, if the request used one (D35). */
  readonly session?: string;
  /** The use that the console's page states for its request (D40). */
  readonly use?: ConsoleUse;
  readonly purpose?: string;
  /** True if the bearer would still be accepted. Checked again because sending a recording takes long. */
  readonly isStillValid: () => Promise<boolean>;
}

export interface AccessSettings {
  /** The token lifetime in seconds (D18). */
  readonly tokenLifetimeSeconds: number;
  /** Data requests a minute for each credential; undefined: unlimited (D23). */
  readonly requestsPerMinute?: number | undefined;
  readonly now: () => number;
}

type Origin = Attempt["origin"];

/** The reason why a bearer is rejected. */
interface Refused {
  readonly reason: "is unknown" | "was revoked" | "expired";
  /** The damage, for the log. */
  readonly cause?: unknown;
}

/** An accepted bearer, or the reason for rejecting it. */
type Found = Issued<Bearer> | Refused;

// RFC 6750, section 2.1; the scheme is case-insensitive (RFC 9110, section 11.1).
const AUTHORIZATION = /^bearer +([\w\-.~+/]+=*) *$/i;

export function createAccess(store: CallStore, settings: AccessSettings) {
  const attemptSignIn = createSignInLimit(settings.now, store.signIns);
  const requestLimit = createRequestLimit(settings.requestsPerMinute, settings.now);
  const visibilities = new WeakMap<UserRecord, Visibility>();
  const toKnownVisibility = (user: UserRecord): Visibility => {
    const known = visibilities.get(user) ?? toVisibility(user);
    visibilities.set(user, known);
    return known;
  };
  const find = async (secret: string): Promise<Found> => {
    const { issued, cause } = await readIssued(store.credentials.bearer(toBearerHash(secret)));
    if (issued === undefined) return { reason: "is unknown", cause };
    if (issued.isRevoked || !isActive(issued.user)) return { reason: "was revoked" };
    return isOver(issued, settings.now()) ? { reason: "expired" } : issued;
  };
  const checkApplication = async (
    { secretID, secretKey }: Schema<"TokenRequest">,
    from: Origin,
  ) => {
    const { issued: application, cause } = await readIssued(
      store.credentials.application(secretID),
    );
    const isGood = application?.isRevoked === false && isActive(application.user);
    // The key is checked in any case, so that the time reveals nothing (D14).
    const isRight = await attemptSignIn(
      { secretID, origin: from },
      async () => (await isKeyOf(application?.keyHash, secretKey)) && isGood,
    );
    if (application === undefined || !isRight) throw credentialsRefused(cause);
    return application;
  };
  const toCaller = (bearer: Issued<Bearer>, secret: string): Caller => ({
    user: bearer.user,
    visibility: toKnownVisibility(bearer.user),
    credential: bearer.kind === "session" ? toCredential(bearer) : (bearer.secretID ?? bearer.id),
    ...(bearer.kind === "session" && { session: bearer.id }),
    isStillValid: async () => !("reason" in (await find(secret))),
  });
  return {
    /** Exchanges credentials for a token. Throws 401, and 429 after too many failures from this origin (D23). */
    signIn: async (given: Schema<"TokenRequest">, origin: Origin) => {
      const application = await checkApplication(given, origin);
      return {
        token: await issueToken(store, application, settings),
        userId: application.userId,
        headers: SIGNED_IN_HEADERS,
      };
    },
    /** The application with these credentials. Throws like `signIn`. */
    checkApplication,
    /** The API key with this secret. Throws 401, and 429 after too many failures from this origin (D23). */
    checkKey: async (secret: string, origin: Origin): Promise<Issued<Bearer>> => {
      let key: Found = { reason: "is unknown" };
      const isRight = await attemptSignIn({ secretID: "", origin }, async () => {
        key = await find(secret);
        return !("reason" in key) && key.kind === "key";
      });
      if ("reason" in key) throw keyRefused(key.cause);
      if (!isRight) throw keyRefused();
      return key;
    },
    /** The caller of the token or API key in the Authorization header. Throws 401. */
    authenticate: async (authorization: string | undefined): Promise<Caller> => {
      if (authorization === undefined) throw tokenMissing();
      const secret = AUTHORIZATION.exec(authorization)?.[1];
      if (secret === undefined) throw tokenRefused("is malformed");
      const found = await find(secret);
      if ("reason" in found) throw tokenRefused(found.reason, found.cause);
      // The secret of a session is accepted only in its cookie (D35).
      if (found.kind === "session") throw tokenRefused("is unknown");
      return toCaller(found, secret);
    },
    /** The session with this secret, if it is valid (D35). */
    findSession: async (secret: string): Promise<Issued<Bearer> | undefined> => {
      const found = await find(secret);
      return "reason" in found || found.kind !== "session" ? undefined : found;
    },
    /** Opens a session of the console for this user, with this credential if there is one; returns its secret (D35). */
    openSession: async (by: Holder, lifetimeMs: number): Promise<string> => {
      const secret = createSecret("session");
      const createdMs = settings.now();
      await store.credentials.addBearer({
        ...by,
        id: createName("session"),
        kind: "session",
        hash: toBearerHash(secret),
        createdMs,
        expiresMs: createdMs + lifetimeMs,
      });
      return secret;
    },
    toCaller,
    /** Counts a request; returns the caller's remaining quota as response headers. Throws 429 if a limit is used up. */
    count: ({ credential }: Caller): ResponseHeaders => requestLimit(credential),
  };
}

/** A damaged credential, or one of a damaged user, grants no rights: the response is the same as for a missing one. */
async function readIssued<T>(
  read: Promise<T | undefined>,
): Promise<{ readonly issued?: T | undefined; readonly cause?: unknown }> {
  try {
    return { issued: await read };
  } catch (cause) {
    if (!isFault(cause, "damaged")) throw cause;
    return { cause };
  }
}

// The tolerated difference between the clocks of two machines that serve one archive.
const CLOCK_TOLERANCE_MS = 60_000;

// A token from the future was issued before a clock was set back, and would be valid for that much longer.
function isOver({ kind, createdMs, expiresMs }: Bearer, nowMs: number): boolean {
  if (kind !== "key" && createdMs > nowMs + CLOCK_TOLERANCE_MS) return true;
  return expiresMs !== undefined && expiresMs <= nowMs;
}

/** The credential by which a caller was admitted, as in the access log: the application, the key, or the proxy that named the user. */
export function toCredential({ secretID, keyId, userId }: Holder): string {
  return secretID ?? keyId ?? `user ${userId}, ${NAMED_BY_PROXY}`;
}

/** Used in the access log for a user who has shown no credential of this service (D35). */
export const NAMED_BY_PROXY = "named by the proxy";

/** The user of a session, and the credential that opened it. Without either credential a proxy named the user. */
export type Holder = Pick<Bearer, "userId" | "secretID" | "keyId">;

export type Access = ReturnType<typeof createAccess>;

async function issueToken(
  store: CallStore,
  application: { readonly secretID: string; readonly userId: number },
  { tokenLifetimeSeconds, now }: AccessSettings,
): Promise<Schema<"TokenResponse">> {
  const secret = createSecret("token");
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
