// What a client is made from, checked once.
import type { TokenStore } from "./call/session.ts";
import { check, checkInteger } from "./check.ts";
import type { Clock } from "./clock.ts";
import type { Operation } from "./errors.ts";
import { isBearer } from "./call/sign-in.ts";
import { MAX_BASE64_JSON_BYTES } from "./limits.ts";
import { type ClientEvent, type Emit } from "./events.ts";
import { createLoopbackFetch, isBelowLocalhost } from "./loopback.ts";
import { isText } from "./values.ts";

/** What an application was issued in the developer settings. */
export interface Credentials {
  readonly secretID: string;
  readonly secretKey: string;
}

/** Sends a request as the built-in `fetch` does. It must honour `redirect` and `signal`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Looks at the JSON of a success, that of POST /Token too. A sentence about what is wrong with it, such as "without a
 * call_id", fails the call with a ProtocolError.
 */
export type Validate = (body: unknown, operation: Operation) => string | undefined;

/** Where the service is and who calls: `credentials` or an `apiKey`. */
export type ContractOptions = {
  /** {base_url} of the interface: https, or http to a loopback host. In browsers it may be relative to the page. */
  readonly baseUrl: string;
  /** How often a call is sent again after a fault that may pass, 0 to 10. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** Longest time for one request until its JSON, or the head of its stream, is there. Default: 30,000. */
  readonly tryTimeoutMs?: number | undefined;
  /** Longest time for a call with all its requests and waits; a stream's body is not counted. Default: none. */
  readonly totalTimeoutMs?: number | undefined;
  /** Longest silence between two pieces of a stream that is being read. Default: 30,000. */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Longest JSON of an answer in bytes, after decompression, up to 512,000,000; a longer one is a ProtocolError. Default:
   * 64,000,000, and 512,000,000 for the two operations that give a recording as base64.
   */
  readonly maxJsonBytes?: number | undefined;
  /** Where tokens are kept besides memory, to share them between processes. Default: nowhere. */
  readonly tokenStore?: TokenStore | undefined;
  /** Is told of every request, retry, sign-in and resumed download. What it throws or rejects with is ignored. */
  readonly onEvent?: ((event: ClientEvent) => unknown) | undefined;
  /** Checks answers beyond the envelope: see `@call-media/client/validate`. Default: nothing does. */
  readonly validate?: Validate | undefined;
  /**
   * Whether credentials or a key may be used in a browser, where every user of the page can read
   * them. Default: false, which refuses them there.
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
      /** Of an application: the client signs in with them when it first has to. */
      readonly credentials: Credentials;
      readonly apiKey?: never;
    }
  | {
      /** Of a user, as an administrator issued it; sent as it is. */
      readonly apiKey: string;
      readonly credentials?: never;
    }
  | {
      /** In browsers: the page's cookies sign each request, and no Authorization header is sent. `baseUrl` is of its origin. */
      readonly credentials: "same-origin";
      readonly apiKey?: never;
    }
);

type Defaults =
  | "maxRetries"
  | "tryTimeoutMs"
  | "totalTimeoutMs"
  | "idleTimeoutMs"
  | "fetch"
  | "clock"
  | "random";

/** Options with every default filled in, and a base address that has no slash at its end. */
export type ParsedOptions = ContractOptions & {
  readonly [Name in Defaults]-?: NonNullable<ContractOptions[Name]>;
} & { readonly emit: Emit | undefined };

/** Time of the platform. */
export const platformClock: Clock = {
  now: () => Date.now(),
  schedule(task, afterMs) {
    const timer = setTimeout(task, afterMs);
    return () => {
      // Node.js keeps its list of timers of one length when the last one was unref'd, else the next call pays for
      // another: 4 microseconds.
      timer.unref?.();
      clearTimeout(timer);
    };
  },
};

/** In milliseconds. The most is the longest that a timer of JavaScript runs; a longer one ends at once. */
const TIMER_RANGE = [1, 2 ** 31 - 1] as const;

/** @throws TypeError naming the option and its fault, never a secret. */
export function parseOptions(options: ContractOptions): ParsedOptions {
  checkSecrets(options);
  const baseUrl = parseBaseUrl("baseUrl", options.baseUrl);
  const {
    maxRetries = 2,
    tryTimeoutMs = 30_000,
    totalTimeoutMs = Infinity,
    idleTimeoutMs = 30_000,
    onEvent,
  } = options;
  checkInteger("maxRetries", maxRetries, [0, 10]);
  checkInteger("tryTimeoutMs", tryTimeoutMs, TIMER_RANGE);
  checkInteger("idleTimeoutMs", idleTimeoutMs, TIMER_RANGE);
  if (options.maxJsonBytes !== undefined)
    checkInteger("maxJsonBytes", options.maxJsonBytes, [1, MAX_BASE64_JSON_BYTES]);
  if (totalTimeoutMs !== Infinity) checkInteger("totalTimeoutMs", totalTimeoutMs, TIMER_RANGE);
  return {
    ...options,
    baseUrl,
    maxRetries,
    tryTimeoutMs,
    totalTimeoutMs,
    idleTimeoutMs,
    // Looked up at each call, so that whatever replaces the global later is used.
    fetch:
      options.fetch ??
      (isBelowLocalhost(baseUrl) ? createLoopbackFetch() : undefined) ??
      ((url, init) => fetch(url, init)),
    clock: options.clock ?? platformClock,
    random: options.random ?? Math.random,
    // Undefined where nobody listens, so that `emit?.()` does not even make what would be told.
    emit:
      onEvent &&
      (async (about, fields) => {
        // Telling must not break what is told of, so what `onEvent` throws is dropped.
        try {
          await onEvent({ ...about, ...fields });
        } catch {
          // Nobody to tell.
        }
      }),
  };
}

function checkSecrets({ credentials, apiKey, allowSecretInBrowser }: ContractOptions): void {
  check(!credentials === (apiKey !== undefined), "Give credentials or apiKey");
  check(credentials || isBearer(apiKey), "apiKey must be visible ASCII");
  if (credentials === "same-origin") return;
  if (credentials)
    for (const name of ["secretID", "secretKey"] as const)
      check(isText(credentials[name]), `credentials.${name} must be a string, not empty`);
  check(
    allowSecretInBrowser || !("document" in globalThis),
    "allowSecretInBrowser must be true in browsers",
  );
}

/**
 * `given` without a slash at its end.
 *
 * @throws TypeError where a secret would travel unencrypted, or the address cannot be a base.
 */
export function parseBaseUrl(name: string, given: unknown): string {
  // The page's address, where there is a page. URL makes text of whatever it gets.
  const location: { readonly href?: unknown } = Object(Reflect.get(globalThis, "location"));
  const page = "document" in globalThis && isText(location.href) ? location.href : undefined;
  const href = URL.canParse(given as string, page) ? new URL(given as string, page).href : "";
  // As the WHATWG parser normalises it: the host in lower case, IPv4 as four decimals, IPv6 compressed.
  const pattern =
    /^(https:\/\/[^/@]+|http:\/\/(([^/@]+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?)\/[^?#]*$/;
  const must = "https, or http to a loopback host, without user, query or fragment";
  check(pattern.test(href), `${name} must be ${must}`);
  return href.replace(/\/+$/, "");
}
