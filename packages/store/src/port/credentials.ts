// Applications, tokens, API keys and sessions. Only their hashes are stored, with the user they act for.
import type { OperatorAct } from "./access-log.ts";
import type { OnDamaged, UserRecord } from "./users.ts";

/** An application of a user: the credentials for POST /Token. Only a hash of its key is stored (D18). */
export interface Application {
  readonly secretID: string;
  readonly keyHash: string;
  readonly userId: number;
  readonly createdMs: number;
}

/** A token of an application, an API key of a user (D18, D19), or a session of the console (D35). */
export interface Bearer {
  /** Identifies the bearer in lists and in `revoke`; not secret. */
  readonly id: string;
  readonly kind: "token" | "key" | "session";
  /** SHA-256 of the secret, hexadecimal. The secret itself is random and not stored. */
  readonly hash: string;
  readonly userId: number;
  /** The application that the token was issued to, or that the session was opened with. */
  readonly secretID?: string;
  /** The API key that a session was opened with. */
  readonly keyId?: string;
  readonly createdMs: number;
  readonly expiresMs?: number;
}

/** A credential with its user, and whether it was revoked. */
export type Issued<T> = T & { readonly user: UserRecord; readonly isRevoked: boolean };

/** A credential that may be shown: without the secret and its hash. */
export type ListedApplication = Omit<Application, "keyHash"> &
  Listed & {
    /** Its tokens that are still valid. */
    readonly tokens: number;
  };

export type ListedKey = Pick<Bearer, "id" | "userId" | "createdMs" | "expiresMs"> & Listed;

interface Listed {
  /** The owner; undefined if the archive has no such user. */
  readonly user: UserRecord | undefined;
  readonly revokedMs?: number;
}

export interface Credentials {
  /** `act`: the operator's command that adds it. Its row is in the access log if, and only if, the application was added. */
  addApplication(application: Application, act?: OperatorAct): Promise<void>;
  application(secretID: string): Promise<Issued<Application> | undefined>;
  /**
   * Every application there ever was, oldest first; with `userId` only those of that user. Calls `onDamaged` with the name of each
   * damaged credential, of any kind and of any user, and leaves it out. Without `onDamaged` it throws `StoreFault`.
   */
  applications(userId?: number, onDamaged?: OnDamaged): Promise<ListedApplication[]>;
  /** The same for API keys. */
  keys(userId?: number, onDamaged?: OnDamaged): Promise<ListedKey[]>;
  /** `act`: see `addApplication`. */
  addBearer(bearer: Bearer, act?: OperatorAct): Promise<void>;
  bearer(hash: string): Promise<Issued<Bearer> | undefined>;
  /** Changes the expiry of a session that is not revoked, ms since 1970 (D35). */
  extendSession(hash: string, expiresMs: number): Promise<void>;
  /**
   * Revokes the credential that `which` names: an application with its tokens and sessions, a key with its sessions. Counts what it
   * names. If that is nothing, `act` leaves no row.
   */
  revoke(which: Revocation, act?: OperatorAct): Promise<{ applications: number; bearers: number }>;
}

export type Revocation =
  | { readonly application: string }
  | { readonly key: string }
  /** A token or a session. */
  | { readonly tokenHash: string }
  /** All sessions of a user. */
  | { readonly sessionsOf: number }
  | { readonly tokensOf: { readonly userId: number } | { readonly secretID: string } };
