// Sending a request: as whom, the one replay after a 401, and every failure as a typed error.
import { type Exchange, readFailure, toConnectionError } from "./answer.ts";
import { AuthenticationError } from "./errors.ts";
import type { Fetch } from "./options.ts";
import type { Session } from "./session.ts";

/** Resolves with a success or, where the request has If-None-Match, with a 304. */
export type Send = (request: Request, exchange: Exchange) => Promise<Response>;

/** Sends requests as they are. */
export function createSend(fetch: Fetch): Send {
  return async (request, exchange) => {
    let response: Response;
    try {
      response = await fetch(request);
    } catch (cause) {
      throw toConnectionError(cause, exchange);
    }
    const isCurrent = response.status === 304 && request.headers.has("If-None-Match");
    if (response.ok || isCurrent) return response;
    throw await readFailure(response, exchange);
  };
}

/**
 * Sends requests with the token or key of `session`. One that is answered 401 is sent once more with
 * a new token, and then the answer stands.
 */
export function createSessionSend(send: Send, session: Session): Send {
  const sendWith = (secret: string, request: Request, exchange: Exchange) => {
    request.headers.set("Authorization", `Bearer ${secret}`);
    exchange.secret = secret;
    return send(request, exchange);
  };
  return async (request, exchange) => {
    // Sending uses up a body. A request without one can be sent again as it is.
    const replay = exchange.method === "GET" ? request : request.clone();
    const bearer = await bearerOf(session, exchange.signal);
    try {
      return await sendWith(bearer, request, exchange);
    } catch (error) {
      if (!(error instanceof AuthenticationError) || !session.drop(bearer)) throw error;
    }
    return sendWith(await bearerOf(session, exchange.signal), replay, exchange);
  };
}

/** The token or key to send, or at once the reason of `signal`. A sign-in goes on for the others. */
async function bearerOf(session: Session, signal: AbortSignal | undefined): Promise<string> {
  signal?.throwIfAborted();
  const bearer = session.bearer();
  if (signal === undefined) return bearer;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    bearer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
