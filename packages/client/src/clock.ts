// Time: what a client counts on, and how a call waits and is stopped.
import type { Exchange } from "./call/exchange.ts";
import { AbortError, type CallMediaError, TimeoutError, toName } from "./errors.ts";

/** Time of day and timers, to be handed in where a test turns the clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `task` once, `afterMs` from now; what it returns takes that back. */
  schedule(task: () => void, afterMs: number): () => void;
}

/** Stops one request or one wait: by the caller's signal, or when its time is up. */
export interface Watch {
  /** What it was stopped with. */
  error?: CallMediaError;
  /** Allows `ms` from now on, in place of what was allowed before. Infinity: any time. */
  readonly allow: (ms: number) => void;
  /** Stops it, as the caller's signal does: for what nobody reads on. Does nothing once it is released. */
  readonly abort: () => void;
  /** Lets go of the timer and of the caller's signal. */
  readonly release: () => void;
}

/**
 * A watch that allows `ms` at first, and calls `stop` with the typed error to throw.
 *
 * @throws AbortError where the caller's signal has stopped the call already.
 */
export function openWatch(
  exchange: Exchange,
  ms: number,
  stop: (error: CallMediaError) => void,
): Watch {
  const { about, options, signal } = exchange;
  let stopTimer: (() => void) | undefined;
  let isOpen = true;
  const fail = (error: CallMediaError) => {
    watch.release();
    stop((watch.error = error));
  };
  const toAbortError = () =>
    new AbortError(`${toName(about)} was stopped`, about, { cause: signal?.reason });
  if (signal?.aborted) throw toAbortError();
  const abort = () => {
    // Of what has been read whole it would make an error, with its stack, for nothing.
    if (isOpen) fail(toAbortError());
  };
  const watch: Watch = {
    abort,
    allow(allowedMs) {
      stopTimer?.();
      if (allowedMs === Infinity) return;
      stopTimer = options.clock.schedule(
        () =>
          fail(new TimeoutError(`${toName(about)}: nothing came for ${allowedMs / 1000} s`, about)),
        allowedMs,
      );
    },
    release() {
      stopTimer?.();
      signal?.removeEventListener("abort", abort);
      isOpen = false;
    },
  };
  watch.allow(ms);
  signal?.addEventListener("abort", abort);
  return watch;
}

/** What `start` promises, or at once the error of a watch that allows `ms`: then the work goes on for others. */
export function until<T>(start: () => Promise<T>, exchange: Exchange, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const watch = openWatch(exchange, ms, reject);
    start().finally(watch.release).then(resolve, reject);
  });
}

/** Waits `ms`, or fails at once with an AbortError when the caller's signal says so. */
export function sleep(exchange: Exchange, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    exchange.watch = openWatch(exchange, ms, (error) =>
      error instanceof TimeoutError ? resolve() : reject(error),
    );
  });
}
