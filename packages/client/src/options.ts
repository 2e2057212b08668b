// Options of a client, checked once.
import { check, checkInteger } from "./check.ts";
import { type Clock, platformClock } from "./clock.ts";
import type { Operation } from "./errors.ts";
import type { ClientEvent, Emit } from "./events.ts";
import { MAX_BASE64_JSON_BYTES } from "./limits.ts";
import type { Fetch } from "./fetch.ts";
import { isDebugging, logEvent } from "#debug";
import { createLoopbackFetch } from "#loopback-fetch";
import { isPage, readPageUrl } from "./page.ts";
import { isBearer, isText } from "./values.ts";

/**
 * Secret of an application, as issued in the developer settings. Undefined is accepted for unset variables, as for `baseUrl` and `apiKey`:
 * the client then throws an error that names the variable.
 */
export interface Credentials {
  readonly secretID: string | undefined;
  readonly secretKey: string | undefined;
}

/** Stores tokens as a `Map`, Keyv or Redis does. If it throws, the call fails with that error. */
export interface TokenStore {
  get(key: string): Promise<string | null | undefined>;
  set(key: string, value: string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

/**
 * Checks the JSON of a success, that of POST /Token too. If it returns what is wrong with it, such as "without a call_id",
 * the call fails with a ProtocolError.
 */
export type Validate = (body: unknown, operation: Operation) => string | undefined;

/**
 * Time limits and retries of a call. `fetch` may allow less: that of Node.js allows 10 s for a connection, and 300 s for the headers or
 * between two chunks. Its time-outs are also reported as a TimeoutError.
 */
export interface CallLimits {
  /** How often a request is sent again after a transient failure, 0 to 10. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds for one request until its JSON, or the head of its stream, is there. Default: 30,000. */
  readonly tryTimeoutMs?: number | undefined;
  /** Milliseconds for a call with all its requests and waits, without the body of a stream. Default: none. */
  readonly totalTimeoutMs?: number | undefined;
  /** Milliseconds of silence between two chunks of a stream that is being read. Default: 30,000. */
  readonly idleTimeoutMs?: number | undefined;
}

/** Options of one call: limits, which replace those of the client, additional headers, and a signal. */
export interface CallOptions extends CallLimits {
  /** Stops the call, which then fails with an AbortError. */
  readonly signal?: AbortSignal | undefined;
  /** Additional headers. The client always sets `Authorization` itself. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of `given` that every call accepts. */
export function toCallOptions(given: CallOptions): CallOptions {
  const { maxRetries, tryTimeoutMs, totalTimeoutMs, idleTimeoutMs, signal, headers } = given;
  return { maxRetries, tryTimeoutMs, totalTimeoutMs, idleTimeoutMs, signal, headers };
}

/** The URL of the service, and the credentials: `credentials` or an `apiKey`. */
export type ContractOptions = CallLimits & {
  /** {base_url} of the interface: https, or http to a loopback host. In browsers it may be relative to the page. */
  readonly baseUrl: string | undefined;
  /**
   * Most bytes of a JSON response, after decompression, up to 512,000,000. A longer one is a ProtocolError. Default:
   * 64,000,000, and 512,000,000 for the two operations that return a recording as base64.
   */
  readonly maxJsonBytes?: number | undefined;
  /** Additional storage for tokens, to share them between processes. Default: only memory. */
  readonly tokenStore?: TokenStore | undefined;
  /** Name and version of your program for the log of the service, such as `nightly/1.2`. Browsers send their own. */
  readonly userAgent?: string | undefined;
  /**
   * Called on every request, retry, sign-in and resumed download. Its errors are ignored. With CALL_MEDIA_DEBUG=1 in the
   * environment, events are also written to the standard error.
   */
  readonly onEvent?: ((event: ClientEvent) => unknown) | undefined;
  /** Checks responses beyond the envelope: see `@call-media/client/validate`. Default: none. */
  readonly validate?: Validate | undefined;
  /**
   * Allows credentials or a key in a browser, where every user of the page can read them. Default: false, which is a
   * TypeError there.
   */
  readonly allowSecretInBrowser?: boolean | undefined;
  /** Default: the built-in `fetch`; for a name below `localhost` under Node.js, node:http without DNS (RFC 6761, 6.3). */
  readonly fetch?: Fetch | undefined;
  /** Time of day and timers. Default: those of the platform. */
  readonly clock?: Clock | undefined;
  /** From 0 up to but not 1; spreads the waits before retries. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
} & (
    | {
        /** The client signs in with them before the first call. */
        readonly credentials: Credentials;
        readonly apiKey?: undefined;
      }
    | {
        /** Key of a user, sent unchanged. */
        readonly apiKey: string | undefined;
        readonly credentials?: undefined;
      }
    | {
        /** In browsers: the page's cookies sign each request, and no Authorization header is sent. `baseUrl` is of its origin. */
        readonly credentials: "same-origin";
        readonly apiKey?: undefined;
      }
  );

type Defaults = keyof CallLimits | "fetch" | "clock" | "random";

/** Options with every default filled in, and a base URL without a slash at its end. */
export type ParsedOptions = ContractOptions & {
  readonly [Name in Defaults]-?: NonNullable<ContractOptions[Name]>;
} & { readonly baseUrl: string; readonly emit: Emit | undefined };

/** @throws TypeError naming the option and its fault, never a secret. */
export function parseOptions(options: ContractOptions): ParsedOptions {
  checkSecrets(options);
  const baseUrl = parseBaseUrl("baseUrl", options.baseUrl);
  if (options.maxJsonBytes !== undefined)
    checkInteger("maxJsonBytes", options.maxJsonBytes, [1, MAX_BASE64_JSON_BYTES]);
  const { userAgent = "" } = options;
  check(/^[\x20-\x7e]*$/.test(userAgent), "userAgent must be visible ASCII");
  return {
    ...options,
    baseUrl,
    ...parseLimits(options, DEFAULT_LIMITS),
    fetch: options.fetch ?? createLoopbackFetch(baseUrl) ?? globalFetch,
    clock: options.clock ?? platformClock,
    random: options.random ?? Math.random,
    emit: toEmit([
      ...(isDebugging() ? [logEvent] : []),
      ...(options.onEvent ? [options.onEvent] : []),
    ]),
  };
}

/** Resolved at each call, so that a later replacement of the global is used. */
const globalFetch: Fetch = (url, init) => fetch(url, init);

const DEFAULT_LIMITS = {
  maxRetries: 2,
  tryTimeoutMs: 30_000,
  totalTimeoutMs: Infinity,
  idleTimeoutMs: 30_000,
};

/** Milliseconds. The maximum of a JavaScript timer: a longer one fires immediately. */
const TIMER_RANGE = [1, 2 ** 31 - 1] as const;

/** `given`, with what it leaves out from `defaults`. */
function parseLimits(given: CallLimits, defaults: typeof DEFAULT_LIMITS) {
  const {
    maxRetries = defaults.maxRetries,
    tryTimeoutMs = defaults.tryTimeoutMs,
    totalTimeoutMs = defaults.totalTimeoutMs,
    idleTimeoutMs = defaults.idleTimeoutMs,
  } = given;
  checkInteger("maxRetries", maxRetries, [0, 10]);
  checkInteger("tryTimeoutMs", tryTimeoutMs, TIMER_RANGE);
  checkInteger("idleTimeoutMs", idleTimeoutMs, TIMER_RANGE);
  if (totalTimeoutMs !== Infinity) checkInteger("totalTimeoutMs", totalTimeoutMs, TIMER_RANGE);
  return { maxRetries, tryTimeoutMs, totalTimeoutMs, idleTimeoutMs };
}

/**
 * The options of one call that may have limits of its own.
 *
 * @throws TypeError naming the limit that is wrong.
 */
export function withLimits(options: ParsedOptions, limits: CallLimits): ParsedOptions {
  const { maxRetries, tryTimeoutMs, totalTimeoutMs, idleTimeoutMs } = limits;
  const own = maxRetries ?? tryTimeoutMs ?? totalTimeoutMs ?? idleTimeoutMs;
  // Most calls have no limits of their own, and need no copy.
  return own === undefined ? options : { ...options, ...parseLimits(limits, options) };
}

function toEmit(listeners: ((event: ClientEvent) => unknown)[]): Emit | undefined {
  if (listeners.length === 0) return undefined;
  return (about, fields) => {
    for (const listen of listeners) void notify(listen, { ...about, ...fields });
  };
}

async function notify(listen: (event: ClientEvent) => unknown, event: ClientEvent): Promise<void> {
  try {
    await listen(event);
  } catch {
    // A listener must not break the call.
  }
}

function checkSecrets({ credentials, apiKey, allowSecretInBrowser }: ContractOptions): void {
  const isGivenOnce = (credentials === undefined) === (apiKey !== undefined);
  check(isGivenOnce, `Give credentials or apiKey${toHint(apiKey, "CALL_MEDIA_API_KEY")}`);
  if (credentials === "same-origin") return;
  if (credentials === undefined) check(isBearer(apiKey), "apiKey must be visible ASCII");
  else {
    checkSecret("secretID", credentials.secretID, "CALL_MEDIA_SECRET_ID");
    checkSecret("secretKey", credentials.secretKey, "CALL_MEDIA_SECRET_KEY");
  }
  check(allowSecretInBrowser || !isPage(), "allowSecretInBrowser must be true in browsers");
}

function checkSecret(name: keyof Credentials, value: unknown, variable: string): void {
  const hint = toHint(value, variable);
  check(isText(value), `credentials.${name} must be a string, not empty${hint}`);
}

/** `variable` is the usual source of the value, and often unset. */
function toHint(value: unknown, variable: string): string {
  return value === undefined ? `; is ${variable} set?` : "";
}

/**
 * `given` without a slash at its end.
 *
 * @throws TypeError if a secret would travel unencrypted, or the URL cannot be a base.
 */
export function parseBaseUrl(name: string, given: unknown): string {
  const href = toHref(given);
  const rule = "https, or http to a loopback host, without user, query or fragment";
  check(BASE_URL.test(href), `${name} must be ${rule}${toHint(given, "CALL_MEDIA_BASE_URL")}`);
  return href.replace(/\/+$/, "");
}

/** Matches URLs that the WHATWG parser normalised: the host in lower case, IPv4 as four decimals, IPv6 compressed. */
const BASE_URL =
  /^(https:\/\/[^/@]+|http:\/\/(([^/@]+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?)\/[^?#]*$/;

/** The absolute URL, in a browser relative to the page; empty if it is invalid. */
function toHref(given: unknown): string {
  if (given === undefined) return "";
  // `URL` converts other values to text.
  const text = given as string;
  const base = readPageUrl();
  return URL.canParse(text, base) ? new URL(text, base).href : "";
}
