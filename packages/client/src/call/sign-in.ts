// What POST /Token gives, checked before it is relied on.
import { RENEW_EARLY_MS } from "../limits.ts";
import { isText, parseInstantMs } from "../values.ts";
import { parseSuccess, readText, toError } from "./answer.ts";
import type { Read } from "./exchange.ts";

/** A token that can be sent, and until when it is. */
export interface Token {
  readonly bearer: string;
  readonly renewAtMs: number;
}

/** What the contract has a token in, so far as it has been checked. */
interface Body {
  readonly access_token?: unknown;
  readonly expires?: unknown;
}

/** @throws ProtocolError where the token cannot be sent, or its expiry is unknown or past. */
export const readToken: Read<Token> = async (exchange) => {
  const text = await readText(exchange);
  // parseSuccess has checked that it is an object.
  const { access_token: bearer, expires } = parseSuccess(text, exchange) as Body;
  const nowMs = exchange.options.clock.now();
  // By its own clock the service's `expires` is right even where this machine's clock is not. Without an offset it is
  // in UTC, as the interface says.
  const lifetimeMs =
    parseInstantMs(expires, "+00") -
    (Date.parse(exchange.response.headers.get("Date") ?? "") || nowMs);
  if (isBearer(bearer) && lifetimeMs > 0)
    return { bearer, renewAtMs: nowMs + lifetimeMs - Math.min(RENEW_EARLY_MS, lifetimeMs / 10) };
  throw toError(exchange, "without a usable access_token and expires");
};

/** Whether `text` can be sent as `Authorization: Bearer`; RFC 6750, section 2.1 allows even less. */
export function isBearer(text: unknown): text is string {
  return isText(text) && /^[\x21-\x7e]+$/.test(text);
}
