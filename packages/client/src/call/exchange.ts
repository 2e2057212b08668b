// One call until it is answered or has failed: as whom, how often and how long it is tried.
import { openWatch, sleep, until, type Watch } from "../clock.ts";
import { AuthenticationError, type CallMediaError, type Operation } from "../errors.ts";
import type { EventSubject } from "../events.ts";
import type { ParsedOptions } from "../options.ts";
import { readText, toError, toFault } from "./answer.ts";
import { TOKEN_PATH, type Written } from "./request.ts";
import { isPassing, toWaitMs } from "./retry.ts";
import type { Session } from "./session.ts";

/** A call under way: what is sent, any number of times, and how far it has come. */
export interface Exchange extends Omit<Written, "url"> {
  readonly options: ParsedOptions;
  /** What `validate` is told of the call. */
  readonly operation: Operation;
  /** What events and errors say of the call. All else in an exchange may be secret. */
  readonly about: EventSubject & { attempts: number };
  /** The head of the latest answer. */
  response?: Response | undefined;
  /** What to quote to the operator of the service (D13). */
  requestId?: string | undefined;
  /** Of the request under way, until its answer is read. */
  watch?: Watch;
}

/** A call whose latest request has an answer. */
export interface Answered extends Exchange {
  readonly response: Response;
  watch: Watch;
}

/** Makes a result of a success, or of a 304 that was asked for. What it throws fails the attempt. */
export type Read<Result> = (exchange: Answered) => Promise<Result>;

/** Sends a request as often as it takes, and gives what `read` makes of the success. */
export type Send = <Result>(exchange: Exchange, read: Read<Result>) => Promise<Result>;

export function createSend(options: ParsedOptions, session: Session): Send {
  const { clock, emit } = options;

  return async (exchange, read) => {
    const { about, headers } = exchange;
    const endsAtMs = clock.now() + options.totalTimeoutMs;
    const leftMs = () => endsAtMs - clock.now();
    const isSignIn = about.path === TOKEN_PATH;
    let retries = 0;
    // The token that got a 401. There is one replay for it.
    let refused: string | undefined;

    /** How long to wait for the request that follows one that failed with `error`; Infinity where none does. */
    function toNextMs(error: CallMediaError): number {
      const isReplay =
        error instanceof AuthenticationError && exchange.secret && options.credentials;
      if (isReplay && !isSignIn && !refused) return 0;
      return isPassing(error) && retries < options.maxRetries
        ? toWaitMs(retries, options.random, error.retryAfterMs)
        : Infinity;
    }

    let fault: unknown;
    emit?.(about, { type: "start" });
    try {
      for (;;) {
        if (!isSignIn) {
          const bearer = session(refused);
          exchange.secret =
            typeof bearer === "string" ? bearer : await until(bearer, exchange, leftMs());
          if (exchange.secret) headers.set("Authorization", `Bearer ${exchange.secret}`);
        }
        let refusal: Answered | undefined;
        try {
          const askedAtMs = clock.now();
          const controller = new AbortController();
          const allowedMs = Math.min(options.tryTimeoutMs, leftMs());
          exchange.watch = openWatch(exchange, allowedMs, (error) => controller.abort(error));
          about.attempts++;
          emit?.(about, { type: "request", attempt: about.attempts });
          const response = await options.fetch(about.url, {
            method: about.method,
            headers,
            body: exchange.body,
            signal: controller.signal,
            // No operation redirects, and a redirect would take the token or the secret to another address.
            redirect: "manual",
            ...(options.credentials === "same-origin" && { credentials: "same-origin" }),
          });
          // This makes it `Answered`, as the casts say. Object.assign would spare them, and takes 3 microseconds.
          exchange.response = response;
          exchange.requestId = response.headers.get("X-Request-Id") ?? undefined;
          emit?.(about, {
            type: "response",
            attempt: about.attempts,
            status: response.status,
            requestId: exchange.requestId,
            afterMs: clock.now() - askedAtMs,
          });
          // A part that was not asked for would be taken for the whole.
          if (
            response.status === 206
              ? headers.has("Range")
              : response.status === 304
                ? headers.has("If-None-Match")
                : response.ok
          )
            return await read(exchange as Answered);
          throw toError((refusal = exchange as Answered));
        } catch (cause) {
          let error = toFault(cause, exchange);
          const waitMs = toNextMs(error);
          const isLast = waitMs >= leftMs();
          // Of a refusal that another attempt follows the body is not read; one that breaks off takes nothing from the status.
          if (refusal && isLast)
            error = toError(refusal, "", await readText(refusal).catch(() => ""));
          // What of the answer was not read, nobody reads any more.
          exchange.watch?.abort();
          if (isLast) throw error;
          if (error instanceof AuthenticationError) refused = exchange.secret;
          else retries++;
          emit?.(about, { type: "retry", waitMs, error });
          if (waitMs > 0) await sleep(exchange, waitMs);
        }
      }
    } catch (error) {
      throw (fault = error);
    } finally {
      emit?.(about, { type: "end", error: fault });
    }
  };
}
