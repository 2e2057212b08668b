// What POST /Token gives, checked before it is relied on.
import { type Exchange, isObject, readSuccess, toName } from "./answer.ts";
import type { Reader } from "./attempt.ts";
import type { Clock } from "./clock.ts";
import { ProtocolError } from "./errors.ts";
import { isBearer } from "./session.ts";

/** A token that can be sent, and for how long from now on. */
export interface SignIn {
  readonly bearer: string;
  readonly lifetimeMs: number;
}

// ISO 8601, to the second or finer.
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** @throws ProtocolError where the token cannot be sent, or its expiry is unknown or past. */
export function createSignInReader(clock: Clock): Reader<SignIn> {
  return {
    isStream: false,
    async read(response, exchange) {
      const body = await readSuccess(response, exchange);
      const { access_token: bearer, expires } = isObject(body) ? body : {};
      // By its own clock the service's `expires` is right even where this machine's clock is not.
      const answeredAtMs = Date.parse(response.headers.get("Date") ?? "") || clock.now();
      const lifetimeMs = parseInstantMs(expires) - answeredAtMs;
      if (!isBearer(bearer)) throw toFault("no usable access_token", exchange);
      if (Number.isNaN(lifetimeMs))
        throw toFault("expires that is no ISO 8601 timestamp", exchange);
      if (lifetimeMs <= 0) throw toFault("expires that is already past", exchange);
      return { bearer, lifetimeMs };
    },
  };
}

/** Without an offset the text is in UTC, as the interface says of `expires`. */
function parseInstantMs(text: unknown): number {
  const match = typeof text === "string" ? TIMESTAMP.exec(text) : null;
  if (match === null) return Number.NaN;
  return Date.parse(match[1] === undefined ? `${match[0]}Z` : match[0]);
}

function toFault(fault: string, exchange: Exchange): ProtocolError {
  return new ProtocolError(`${toName(exchange)} was answered with ${fault}`, exchange, {
    status: 200,
  });
}
