// Sessions of the console (D35): opened with credentials, carried by a cookie, extended by use, ended by inactivity or on request.
import type { IncomingMessage } from "node:http";
import type { Bearer, CallStore, Issued, UserRecord } from "@call-media/store";
import { isActive, isFault } from "@call-media/store";
import {
  type Access,
  bodyInvalid,
  type Caller,
  type Holder,
  NAMED_BY_PROXY,
  toTriedID,
} from "@call-media/service";
import { proxyAdminRefused, proxyUserUnknown } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { ProxyNaming } from "../http/proxy.ts";

export interface SessionOptions {
  /** True if browsers reach the service over HTTPS, its own or that of a proxy. */
  readonly isSecure: boolean;
  /** The lifetime of a session without use, in ms. Default: 30 minutes. */
  readonly idleMs?: number | undefined;
  /** How a known proxy names the user it has signed in; undefined: no proxy signs users in. */
  readonly naming?: (ProxyNaming & { readonly mayNameAdmins: boolean }) | undefined;
}

/** The session of a request. */
export interface Session {
  readonly secret: string;
  readonly bearer: Issued<Bearer>;
}

/** A parsed sign-in that is still to be checked. */
interface Attempt {
  /** The attempted secretID, as logs may show it. */
  readonly triedID: string;
  /** Throws 401, and 429 as POST /Token does. */
  readonly check: () => Promise<Holder>;
}

export const DEFAULT_IDLE_SECONDS = 30 * 60;
// The maximum, however much a session is used.
const LONGEST_MS = 12 * 3_600_000;
// Each extension makes every instance read its bearers again.
const EXTEND_AFTER_MS = 60_000;

interface Parts {
  readonly store: CallStore;
  readonly access: Access;
  readonly now: () => number;
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ store, access, now }: Parts, options: SessionOptions) {
  const { isSecure, naming, idleMs = DEFAULT_IDLE_SECONDS * 1_000 } = options;
  const mayName = ({ is_admin }: UserRecord) => !is_admin || naming?.mayNameAdmins === true;

  const read = async ({ request, namedUser }: Exchange): Promise<Session | undefined> => {
    const secret = readCookie(request, isSecure);
    const bearer = secret === undefined ? undefined : await access.findSession(secret);
    if (secret === undefined || bearer === undefined) return undefined;
    // A user who signed out at the proxy, or signed in as another user, still has the cookie.
    const isNamed = namedUser !== undefined && bearer.user.username === namedUser;
    const isValid = toOrigin(bearer) !== "proxy" || (isNamed && mayName(bearer.user));
    return isValid ? { secret, bearer } : undefined;
  };

  const checkNamedUser = async (name: string): Promise<Holder> => {
    const user = await store.users.byName(name).catch((error: unknown) => {
      throw isFault(error, "damaged") ? proxyUserUnknown(error) : error;
    });
    if (user === undefined || !isActive(user)) throw proxyUserUnknown();
    if (!mayName(user)) throw proxyAdminRefused();
    return { userId: user.id };
  };

  return {
    /**
     * The session of the request's cookie; undefined without one, or if it has ended. The session of a user named by the proxy
     * is valid only while the proxy names the same user.
     */
    read,
    /** The sign-in in the body. An empty object means the proxy's user. Throws 400. */
    parse: (exchange: Exchange, body: unknown): Attempt => {
      const given = toCredentials(body);
      const { origin } = exchange;
      if (given === undefined) {
        const { namedUser } = exchange;
        if (namedUser === undefined) throw bodyInvalid(WHAT_TO_SEND);
        return {
          triedID: `${toTriedID(namedUser)}, ${NAMED_BY_PROXY}`,
          check: () => checkNamedUser(namedUser),
        };
      }
      if ("apiKey" in given)
        return {
          triedID: "(an API key)",
          check: async () => {
            const { id, userId } = await access.checkKey(given.apiKey, origin);
            return { userId, keyId: id };
          },
        };
      return {
        triedID: toTriedID(given.secretID),
        check: async () => {
          const { userId, secretID } = await access.checkApplication(given, origin);
          return { userId, secretID };
        },
      };
    },
    /** Opens a session; returns its secret. */
    open: (holder: Holder): Promise<string> =>
      access.openSession(holder, Math.min(idleMs, LONGEST_MS)),
    /** The session's caller. Extends the session, unless the page marks the request as idle. */
    use: async ({ secret, bearer }: Session, { headers }: IncomingMessage): Promise<Caller> => {
      const { createdMs, expiresMs = 0 } = bearer;
      const endMs = Math.min(now() + idleMs, createdMs + LONGEST_MS);
      const isIdle = headers["x-call-media-console"] === "idle";
      if (!isIdle && endMs - expiresMs >= Math.min(EXTEND_AFTER_MS, idleMs / 2))
        await store.credentials.extendSession(bearer.hash, endMs);
      return access.toCaller(bearer, secret);
    },
    end: ({ bearer }: Session) => store.credentials.revoke({ tokenHash: bearer.hash }),
    endAll: ({ bearer }: Session) => store.credentials.revoke({ sessionsOf: bearer.userId }),
    /** A Set-Cookie with the secret; without a secret, one that deletes the cookie. */
    toCookie: ({ socket }: IncomingMessage, secret = "") =>
      [
        `${toCookieName(isSecure, socket.localPort)}=${secret}`,
        "Path=/",
        "HttpOnly",
        "SameSite=Strict",
        ...(isSecure ? ["Secure"] : []),
        ...(secret === "" ? ["Max-Age=0"] : []),
      ].join("; "),
    /** The session as the page sees it: user, credential, and both ends in UTC. */
    toDescription: ({ bearer }: Session) => ({
      user: { id: bearer.user.id, username: bearer.user.username, is_admin: bearer.user.is_admin },
      by: toOrigin(bearer),
      expires: new Date(bearer.expiresMs ?? 0).toISOString(),
      ends: new Date(bearer.createdMs + LONGEST_MS).toISOString(),
    }),
  };
}

function toOrigin({ secretID, keyId }: Holder): "application" | "API key" | "proxy" {
  if (secretID !== undefined) return "application";
  return keyId === undefined ? "proxy" : "API key";
}

// Cookies are not limited to a port (RFC 6265, section 8.5): two services on one host would read each other's. A name with __Host-
// needs Secure, which browsers reject over plain HTTP except on this machine.
function toCookieName(isSecure: boolean, port: number | undefined): string {
  return isSecure ? "__Host-call-media" : `call-media-${port ?? 0}`;
}

/** Undefined without the cookie, and with two of its name: another origin of this host has planted one. */
function readCookie({ headers, socket }: IncomingMessage, isSecure: boolean): string | undefined {
  const start = `${toCookieName(isSecure, socket.localPort)}=`;
  const cookies = (headers.cookie ?? "").split(";").map((cookie) => cookie.trim());
  const own = cookies.filter((cookie) => cookie.startsWith(start));
  return own.length === 1 ? own[0]?.slice(start.length) : undefined;
}

const WHAT_TO_SEND = "Send apiKey, or secretID and secretKey, as non-empty texts";

type Credentials =
  | { readonly apiKey: string }
  | { readonly secretID: string; readonly secretKey: string };

/** Undefined for an empty object. Throws 400 naming the missing field. */
function toCredentials(body: unknown): Credentials | undefined {
  if (typeof body !== "object" || body === null)
    throw bodyInvalid("The body must be a JSON object");
  if (Object.keys(body).length === 0) return undefined;
  const { apiKey, secretID, secretKey } = body as Record<string, unknown>; // an object; its values are checked here
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  if (isText(apiKey)) return { apiKey: String(apiKey) };
  if (isText(secretID) && isText(secretKey))
    return { secretID: String(secretID), secretKey: String(secretKey) };
  throw bodyInvalid(WHAT_TO_SEND);
}
