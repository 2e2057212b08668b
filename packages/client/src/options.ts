// What a client is made from, checked once.
import { checkProfile, type Profile } from "./profile.ts";
import { isBearer } from "./session.ts";

/** What an application was issued in the developer settings. */
export interface Credentials {
  readonly secretID: string;
  readonly secretKey: string;
}

/** Sends a request as the built-in `fetch` does. It must honour `redirect` and `signal`. */
export type Fetch = (request: Request) => Promise<Response>;

/** Where the service is and who calls: either `credentials` or an `apiKey`. */
export type ClientOptions = {
  /** {base_url} of the interface: https, or http to a loopback host. */
  readonly baseUrl: string;
  /** Default: the built-in `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** How the service answers what the interface leaves open; default: as D01-D28 have it. */
  readonly profile?: Profile | undefined;
} & (
  | { readonly credentials: Credentials; readonly apiKey?: never }
  | { readonly apiKey: string; readonly credentials?: never }
);

/** Options with a base address that has no slash at its end, and the `fetch` to use. */
export type ParsedOptions = ClientOptions & { readonly fetch: Fetch };

/** @throws TypeError naming the option and its fault, never a secret. */
export function parseOptions(options: ClientOptions): ParsedOptions {
  const { credentials, apiKey, fetch = (request) => globalThis.fetch(request) } = options;
  if ((credentials === undefined) === (apiKey === undefined))
    throw new TypeError("Give either credentials or apiKey");
  if (apiKey !== undefined && !isBearer(apiKey))
    throw new TypeError("apiKey must be visible ASCII characters without a space");
  for (const name of ["secretID", "secretKey"] as const) {
    const value: unknown = credentials?.[name];
    if (credentials !== undefined && (typeof value !== "string" || value === ""))
      throw new TypeError(`credentials.${name} must be a string that is not empty`);
  }
  const baseUrl = parseBaseUrl(options.baseUrl);
  if (options.profile !== undefined) checkProfile(options.profile, baseUrl);
  return { ...options, fetch, baseUrl };
}

/**
 * `baseUrl` without a slash at its end.
 *
 * @throws TypeError where a secret would travel unencrypted, or the address cannot be a base.
 */
function parseBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) throw new TypeError("baseUrl must be an absolute URL");
  const url = new URL(baseUrl);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new TypeError("baseUrl must not have a user, a password, a query or a fragment");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname)))
    throw new TypeError("baseUrl must be https; http is for a loopback host alone");
  return url.href.replace(/\/+$/, "");
}

// The WHATWG parser has normalised the host: lower case, IPv4 as four decimals, IPv6 compressed.
function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
