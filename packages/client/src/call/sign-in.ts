// Parses the response of POST /Token.
import { RENEW_EARLY_MS } from "../limits.ts";
import { isBearer, isObject, parseInstantMs } from "../values.ts";
import { parseSuccess, readText } from "./answer.ts";
import type { Exchange, Read } from "./exchange.ts";
import { toResponseError } from "./response-error.ts";

/** A token that can be sent, and when to replace it. */
export interface Token {
  readonly bearer: string;
  /** Milliseconds since 1970. */
  readonly renewAtMs: number;
}

/** @throws ProtocolError if the token cannot be sent, or its expiry is unknown or past. */
export const readToken: Read<Token> = async (exchange) => {
  const body = parseSuccess(await readText(exchange), exchange);
  const { access_token: bearer, expires } = isObject(body) ? body : {};
  const lifetimeMs = toLifetimeMs(expires, exchange);
  if (!isBearer(bearer) || !(lifetimeMs > 0))
    throw toResponseError(exchange, { fault: "without a usable access_token and expires" });
  const earlyMs = Math.min(RENEW_EARLY_MS, lifetimeMs / 10);
  return { bearer, renewAtMs: exchange.options.clock.now() + lifetimeMs - earlyMs };
};

/** NaN if `expires` is not a datetime. Without an offset it is in UTC, as the interface says. */
function toLifetimeMs(expires: unknown, { options, response }: Exchange): number {
  // By the service's own clock `expires` is right even if the clock of this machine is not.
  const serviceNowMs = Date.parse(response.headers.get("Date") ?? "");
  return parseInstantMs(expires, "+00") - (serviceNowMs || options.clock.now());
}
