// What POST /Token gives, checked before it is relied on.
import { isObject, readSuccess } from "./answer.ts";
import type { Clock } from "./clock.ts";
import { ProtocolError, toName } from "./errors.ts";
import type { Read } from "./exchange.ts";
import { isBearer } from "./session.ts";
import { parseInstantMs } from "./values.ts";

/** A token that can be sent, and for how long from now on. */
export interface SignIn {
  readonly bearer: string;
  readonly lifetimeMs: number;
}

/** @throws ProtocolError where the token cannot be sent, or its expiry is unknown or past. */
export function createSignInReader(clock: Clock): Read<SignIn> {
  return async (response, exchange) => {
    const body = await readSuccess(response, exchange);
    const { access_token: bearer, expires } = isObject(body) ? body : {};
    // By its own clock the service's `expires` is right even where this machine's clock is not.
    const answeredAtMs = Date.parse(response.headers.get("Date") ?? "") || clock.now();
    // Without an offset it is in UTC, as the interface says.
    const lifetimeMs = parseInstantMs(expires, "Z") - answeredAtMs;
    if (isBearer(bearer) && lifetimeMs > 0) return { bearer, lifetimeMs };
    const fault = isBearer(bearer) ? "expires that is no moment to come" : "no usable access_token";
    throw new ProtocolError(`${toName(exchange)} was answered with ${fault}`, exchange, {
      status: response.status,
    });
  };
}
