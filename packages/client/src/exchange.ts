// One call until it is answered or has failed: as whom, how often and how long it is tried.
import { toError, toFault } from "./answer.ts";
import { checkGoesOn, openWatch, sleep, until, type Watch } from "./clock.ts";
import { AuthenticationError, type CallMediaError, type Operation } from "./errors.ts";
import type { Emit, EventSubject } from "./events.ts";
import type { ParsedOptions } from "./options.ts";
import { TOKEN_PATH, type Written } from "./request.ts";
import { isPassing, toWaitMs } from "./retry.ts";
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
  /** The head of the latest answer. */
  response?: Response | undefined;
  /** Of the request under way. Who reads its answer on as a stream takes it away. */
  watch?: Watch | undefined;
}

/** A call whose latest request has an answer. */
export interface Answered extends Exchange {
  readonly response: Response;
  /** What to quote to the operator of the service (D13). */
  readonly requestId: string | undefined;
}

/** Makes a result of a success, or of a 304 that was asked for. What it throws fails the attempt. */
export type Read<Result> = (exchange: Answered) => Promise<Result>;

/** Sends a request as often as it takes, and gives what `read` makes of the success. */
export type Send = <Result>(exchange: Exchange, read: Read<Result>) => Promise<Result>;

export function createSend({ options, emit }: Wire, session: Session): Send {
  const { clock } = options;

  return async (exchange, read) => {
    const { about, headers, body = null } = exchange;
    const { method, path, url } = about;
    const endsAtMs = clock.now() + options.totalTimeoutMs;
    const leftMs = () => endsAtMs - clock.now();
    const isSignIn = path === TOKEN_PATH;
    let retries = 0;
    // The token that got a 401. There is one replay for it.
    let refused: string | undefined;

    function authorize(bearer: string): void {
      exchange.secret = bearer;
      headers.set("Authorization", `Bearer ${bearer}`);
    }

    /** Whether another request follows one that failed with `error`. */
    function goesOn(error: CallMediaError): boolean {
      if (error instanceof AuthenticationError)
        return !!options.credentials && !isSignIn && !refused;
      return isPassing(error) && retries < options.maxRetries;
    }

    /** Takes down the head of an answer. */
    function note(response: Response, askedAtMs: number): Answered {
      const requestId = response.headers.get("X-Request-Id") ?? undefined;
      const [attempt, afterMs] = [about.attempts, clock.now() - askedAtMs];
      emit(about, { type: "response", attempt, status: response.status, requestId, afterMs });
      return Object.assign(exchange, { response, requestId });
    }

    async function tryOnce() {
      const controller = new AbortController();
      const { signal } = controller;
      const allowedMs = Math.min(options.tryTimeoutMs, leftMs());
      const watch = openWatch(exchange, allowedMs, (error) => controller.abort(error));
      exchange.watch = watch;
      const askedAtMs = clock.now();
      try {
        emit(about, { type: "request", attempt: ++about.attempts });
        // No operation redirects, and a redirect would take the token or the secret to another address.
        const init = { method, headers, body, signal, redirect: "manual" } as const;
        const answered = note(await options.fetch(url, init), askedAtMs);
        const { ok, status } = answered.response;
        const isSuccess = ok || (status === 304 && headers.has("If-None-Match"));
        return await (isSuccess ? read(answered) : refuse(answered));
      } catch (cause) {
        watch.release();
        // What of the answer was not read, nobody reads any more.
        controller.abort();
        throw toFault(cause, exchange, watch);
      } finally {
        exchange.watch?.release();
      }
    }

    /** Throws the error of an answer. Of one that another one follows the body is not read. */
    async function refuse(answered: Answered): Promise<never> {
      const { response } = answered;
      const error = toError(answered, "");
      // A body that breaks off takes nothing from the status.
      throw goesOn(error) ? error : toError(answered, await response.text().catch(() => ""));
    }

    /** Waits for the next attempt, or throws `error` where there is none. */
    async function prepareNext(error: CallMediaError): Promise<void> {
      const isReplay = error instanceof AuthenticationError;
      const waitMs = isReplay ? 0 : toWaitMs(retries, error.retryAfterMs, options.random);
      if (!goesOn(error) || waitMs >= leftMs()) throw error;
      if (isReplay) refused = exchange.secret;
      else retries++;
      emit(about, { type: "retry", waitMs, error });
      if (waitMs > 0) await sleep(exchange, waitMs);
    }

    let fault: unknown;
    emit(about, { type: "start" });
    try {
      for (;;) {
        checkGoesOn(exchange);
        if (!isSignIn) {
          const bearer = session(refused);
          authorize(typeof bearer === "string" ? bearer : await until(bearer, exchange, leftMs()));
        }
        try {
          return await tryOnce();
        } catch (error) {
          // toFault has made it one of the family.
          await prepareNext(error as CallMediaError);
        }
      }
    } catch (error) {
      throw (fault = error);
    } finally {
      emit(about, { type: "end", error: fault });
    }
  };
}
