// One call until it is answered or has failed: as whom, how often and how long it is tried.
import { toFailure, toFault, toRequestId } from "./answer.ts";
import { checkGoesOn, openWatch, sleep, until, type Watch } from "./clock.ts";
import { AuthenticationError, type Operation } from "./errors.ts";
import type { Emit, EventSubject } from "./events.ts";
import type { ParsedOptions } from "./options.ts";
import { TOKEN_PATH, type Written } from "./request.ts";
import { isPassing, isPassingStatus, toWaitMs } from "./retry.ts";
import type { Session } from "./session.ts";

/** What all requests of a client have in common. */
export interface Wire {
  readonly options: ParsedOptions;
  readonly emit: Emit;
}

/** A call under way: what is sent, any number of times, and how far it has come. */
export interface Exchange extends Wire, Omit<Written, "url"> {
  readonly operation: Operation;
  /** What events and errors say of the call. All else in an exchange may be secret. */
  readonly about: EventSubject & { attempts: number };
  retries: number;
  /** Whether a 401 is answered with another token, which happens once. */
  canReplay: boolean;
  /** The token that got the 401. */
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

export function createSend({ options, emit }: Wire, session: Session): Send {
  const { clock, maxRetries } = options;

  async function authorize(exchange: Exchange, leftMs: number): Promise<void> {
    // A sign-in goes out as it is.
    if (exchange.operation.path === TOKEN_PATH) return;
    const bearer = session(exchange.refused);
    exchange.secret = typeof bearer === "string" ? bearer : await until(bearer, exchange, leftMs);
    exchange.headers.set("Authorization", `Bearer ${exchange.secret}`);
  }

  async function ask(exchange: Exchange, signal: AbortSignal): Promise<Response> {
    const { about, headers, body = null } = exchange;
    const attempt = ++about.attempts;
    const askedAtMs = clock.now();
    emit(about, { type: "request", attempt });
    // No operation redirects, and a redirect would take the token or the secret to another address.
    const { url, method } = about;
    const init = { method, headers, body, signal, redirect: "manual" } as const;
    const response = await options.fetch(url, init);
    const { status } = response;
    const [requestId, afterMs] = [toRequestId(response), clock.now() - askedAtMs];
    emit(about, { type: "response", attempt, status, requestId, afterMs });
    return (exchange.response = response);
  }

  async function tryOnce<Result>(exchange: Exchange, read: Read<Result>, leftMs: number) {
    const watch = openWatch(exchange, Math.min(options.tryTimeoutMs, leftMs));
    exchange.watch = watch;
    try {
      const response = await ask(exchange, watch.signal);
      const { ok, status } = response;
      if (ok || (status === 304 && exchange.headers.has("If-None-Match")))
        return await read(response, exchange);
      throw await toFailure(response, exchange, !mayPass(status, exchange));
    } catch (cause) {
      throw toFault(cause, exchange, watch.signal);
    } finally {
      exchange.watch?.release();
    }
  }

  function mayPass(status: number, { canReplay, retries }: Exchange): boolean {
    return status === 401 ? canReplay : retries < maxRetries && isPassingStatus(status);
  }

  /** Waits for the next attempt, or throws `error` where there is none. */
  async function prepareNext(error: unknown, exchange: Exchange, leftMs: number): Promise<void> {
    let waitMs = 0;
    if (error instanceof AuthenticationError && exchange.canReplay) {
      exchange.canReplay = false;
      exchange.refused = exchange.secret;
    } else if (isPassing(error) && exchange.retries < maxRetries)
      waitMs = toWaitMs(exchange.retries++, error.retryAfterMs, options.random);
    else throw error;
    if (waitMs >= leftMs) throw error;
    emit(exchange.about, { type: "retry", waitMs, error });
    if (waitMs > 0) await sleep(exchange, waitMs);
  }

  return async (exchange, read) => {
    const endsAtMs = clock.now() + options.totalTimeoutMs;
    const leftMs = () => endsAtMs - clock.now();
    let fault: unknown;
    emit(exchange.about, { type: "start" });
    try {
      for (;;) {
        checkGoesOn(exchange);
        await authorize(exchange, leftMs());
        try {
          return await tryOnce(exchange, read, leftMs());
        } catch (error) {
          await prepareNext(error, exchange, leftMs());
        }
      }
    } catch (error) {
      throw (fault = error);
    } finally {
      emit(exchange.about, { type: "end", error: fault });
    }
  };
}
