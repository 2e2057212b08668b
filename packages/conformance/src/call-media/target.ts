// The service of Call Media to check, and what to hold it to.
import type { OperationId } from "@call-media/api";
import type { ApiOptions, ApiTarget } from "../report.ts";

export interface Credentials {
  readonly secretID: string;
  readonly secretKey: string;
}

/** The service to check. One of `credentials` and `apiKey` is needed. */
export interface Target {
  /** URL that the 15 paths are relative to, for example `https://archive.example.com`. */
  readonly baseUrl: string;
  readonly credentials?: Credentials;
  readonly apiKey?: string;
  /** A second caller with fewer rights. Their view is compared with that of the first caller. */
  readonly restricted?: Credentials | { readonly apiKey: string };
  /** A token that the service issued and that has expired: the service must refuse it. */
  readonly expiredToken?: string;
  /** Sends the requests; default: the built-in `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface CheckOptions extends ApiOptions {
  /**
   * `interface` (default) fails only on what the interface states; `decisions` also holds the
   * service to the decisions.
   */
  readonly against?: Yardstick;
  readonly only?: readonly OperationId[];
  /** Identifiers known to exist; they spare the search for some. */
  readonly hints?: Hints;
}

export type Yardstick = "interface" | "decisions";

export interface Hints {
  readonly call_ids?: readonly string[];
  readonly ref_ids?: readonly string[];
  readonly chat_call_ids?: readonly string[];
}

/** The scheme of the document for API keys. */
export const KEY_SCHEME = "ApiKey";

const toBearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

/** Throws `TypeError` for a target without credentials. */
export function toApiTarget(target: Target): ApiTarget {
  const { baseUrl, credentials, apiKey, restricted, expiredToken, fetch } = target;
  if (credentials === undefined && apiKey === undefined)
    throw new TypeError("target needs credentials or apiKey");
  return {
    baseUrl,
    ...(credentials === undefined && apiKey !== undefined && { first: toBearer(apiKey) }),
    ...(credentials && { bodies: { createToken: { ...credentials } } }),
    ...(restricted &&
      ("apiKey" in restricted
        ? { second: toBearer(restricted.apiKey) }
        : { secondBody: { ...restricted } })),
    ...(expiredToken !== undefined && { expired: toBearer(expiredToken) }),
    ...(apiKey !== undefined && { schemes: { [KEY_SCHEME]: toBearer(apiKey) } }),
    ...(fetch && { fetch }),
  };
}
