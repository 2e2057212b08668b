// One request and its answer: sent, timed, and every way it can fail as a typed error.
import { type Exchange, toFailure, toFault } from "./answer.ts";
import { openWatch, type Watch } from "./clock.ts";
import type { Emit } from "./events.ts";
import type { ParsedOptions } from "./options.ts";

/** A request that can be sent any number of times. */
export interface Outgoing {
  readonly exchange: Exchange;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** Makes a result of a success, or of a 304 that was asked for. What it throws fails the attempt. */
export interface Reader<Result> {
  /** Whether the result is a stream, which goes on under `watch` and releases it at its end. */
  readonly isStream: boolean;
  read(response: Response, exchange: Exchange, watch: Watch): Promise<Result> | Result;
}

/** What all requests of a client have in common. */
export interface Wire {
  readonly options: ParsedOptions;
  readonly emit: Emit;
}

/** What an attempt may do. */
export interface Turn {
  readonly allowMs: number;
  /** Whether an answer with that status ends the call, so that its body is worth reading. */
  readonly isFinal: (status: number) => boolean;
}

export type Attempt = <Result>(
  request: Outgoing,
  reader: Reader<Result>,
  turn: Turn,
) => Promise<Result>;

export function createAttempt({ options, emit }: Wire): Attempt {
  const { clock } = options;

  async function ask({ exchange, headers, body }: Outgoing, { signal }: Watch): Promise<Response> {
    const attempt = ++exchange.attempts;
    const askedAtMs = clock.now();
    emit(exchange, { type: "request", attempt });
    // No operation redirects, and a redirect would take the token or the secret to another address.
    const init = { method: exchange.method, headers, signal, redirect: "manual" } as const;
    const response = await options.fetch(
      exchange.url,
      body === undefined ? init : { ...init, body },
    );
    const afterMs = clock.now() - askedAtMs;
    const requestId = response.headers.get("X-Request-Id") ?? undefined;
    emit(exchange, { type: "response", attempt, status: response.status, requestId, afterMs });
    return response;
  }

  return async (request, reader, { allowMs, isFinal }) => {
    const { exchange } = request;
    const watch = openWatch(exchange, clock);
    let isKept = false;
    try {
      watch.allow(allowMs);
      const response = await ask(request, watch);
      if (!isSuccess(response, request)) {
        const about = { isFinal: isFinal(response.status), nowMs: clock.now() };
        throw await toFailure(response, exchange, about);
      }
      const result = await reader.read(response, exchange, watch);
      isKept = reader.isStream;
      return result;
    } catch (cause) {
      throw toFault(cause, exchange, watch);
    } finally {
      if (!isKept) watch.release();
    }
  };
}

function isSuccess({ ok, status }: Response, { headers }: Outgoing): boolean {
  return ok || (status === 304 && headers.has("If-None-Match"));
}
