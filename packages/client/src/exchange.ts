// One call until it is answered or has failed: as whom, how often and how long it is tried.
import { toFailure, toFault, toRequestId } from "./answer.ts";
import { checkGoesOn, openWatch, sleep, until, type Watch } from "./clock.ts";
import { AuthenticationError, type ErrorSubject } from "./errors.ts";
import type { Emit } from "./events.ts";
import type { ParsedOptions, Validate } from "./options.ts";
import type { Written } from "./request.ts";
import { isPassing, isPassingStatus, toWaitMs } from "./retry.ts";
import type { Session } from "./session.ts";

/** A call under way: what is sent, any number of times, and how far it has come. */
export interface Exchange extends ErrorSubject, Written {
  /** Number of the call within its client. */
  readonly call: number;
  readonly validate: Validate | undefined;
  attempts: number;
  retries: number;
  /** What goes out with the request and must not come back in an error. */
  secret: string | undefined;
  /** The bearer that got a 401. There is one replay for it. */
  refused?: string | undefined;
  /** The head of the latest answer. */
  response?: Response;
  /** Of the request under way. Who reads its answer on as a stream takes it away. */
  watch?: Watch | undefined;
}

/** Makes a result of a success, or of a 304 that was asked for. What it throws fails the attempt. */
export type Read<Result> = (response: Response, exchange: Exchange) => Promise<Result>;

/** Sends a request as often as it takes, and gives what `read` makes of the success. */
export type Send = <Result>(exchange: Exchange, read: Read<Result>) => Promise<Result>;

/** What all requests of a client have in common. */
export interface Wire {
  readonly options: ParsedOptions;
  readonly emit: Emit;
}

export function createSend({ options, emit }: Wire, session: Session): Send {
  const { clock, maxRetries } = options;
  // A sign-in goes out as it is.
  const isSignIn = ({ operationId }: Exchange) => operationId === "createToken";
  const canReplay = (exchange: Exchange) =>
    session.isRenewable && exchange.refused === undefined && !isSignIn(exchange);

  async function authorize(exchange: Exchange, leftMs: number): Promise<void> {
    if (isSignIn(exchange)) return;
    let bearer = session.bearer(exchange.refused);
    if (typeof bearer !== "string") {
      const watch = openWatch(exchange, clock);
      watch.allow(leftMs);
      bearer = await until(bearer, watch);
    }
    exchange.headers.set("Authorization", `Bearer ${bearer}`);
    exchange.secret = bearer;
  }

  async function ask(exchange: Exchange, signal: AbortSignal): Promise<Response> {
    const { url, method, headers, body = null } = exchange;
    const attempt = ++exchange.attempts;
    const askedAtMs = clock.now();
    emit(exchange, { type: "request", attempt });
    // No operation redirects, and a redirect would take the token or the secret to another address.
    const init = { method, headers, body, signal, redirect: "manual" } as const;
    const response = await options.fetch(url, init);
    exchange.response = response;
    emit(exchange, {
      type: "response",
      attempt,
      status: response.status,
      requestId: toRequestId(response),
      afterMs: clock.now() - askedAtMs,
    });
    return response;
  }

  async function tryOnce<Result>(exchange: Exchange, read: Read<Result>, leftMs: number) {
    const watch = openWatch(exchange, clock);
    exchange.watch = watch;
    try {
      watch.allow(Math.min(options.tryTimeoutMs, leftMs));
      const response = await ask(exchange, watch.signal);
      const { status } = response;
      if (response.ok || (status === 304 && exchange.headers.has("If-None-Match")))
        return await read(response, exchange);
      const isFinal =
        status === 401
          ? !canReplay(exchange)
          : exchange.retries >= maxRetries || !isPassingStatus(status);
      throw await toFailure(response, exchange, { isFinal, nowMs: clock.now() });
    } catch (cause) {
      throw toFault(cause, exchange, watch);
    } finally {
      exchange.watch?.release();
    }
  }

  /** Waits for the next attempt, or throws `error` where there is none. */
  async function prepareNext(error: unknown, exchange: Exchange, leftMs: number): Promise<void> {
    let waitMs = 0;
    if (error instanceof AuthenticationError && canReplay(exchange))
      exchange.refused = exchange.secret;
    else if (isPassing(error) && exchange.retries < maxRetries)
      waitMs = toWaitMs(exchange.retries++, error.retryAfterMs, options.random);
    else throw error;
    if (waitMs >= leftMs) throw error;
    emit(exchange, { type: "retry", waitMs, error });
    if (waitMs > 0) await sleep(waitMs, exchange, clock);
  }

  async function tryAll<Result>(exchange: Exchange, read: Read<Result>): Promise<Result> {
    const endsAtMs = clock.now() + options.totalTimeoutMs;
    const leftMs = () => endsAtMs - clock.now();
    for (;;) {
      checkGoesOn(exchange);
      await authorize(exchange, leftMs());
      try {
        return await tryOnce(exchange, read, leftMs());
      } catch (error) {
        await prepareNext(error, exchange, leftMs());
      }
    }
  }

  return async (exchange, read) => {
    let fault: unknown;
    emit(exchange, { type: "start" });
    try {
      return await tryAll(exchange, read);
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      emit(exchange, { type: "end", error: fault });
    }
  };
}
