// Time: what a client counts on, and how a call waits and is stopped.
import { AbortError, type ErrorSubject, TimeoutError, toName } from "./errors.ts";
import type { Exchange } from "./exchange.ts";

/** Time of day and timers, to be handed in where a test turns the clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `task` once, `afterMs` from now; what it returns takes that back. */
  schedule(task: () => void, afterMs: number): () => void;
}

/** Stops one request or one wait: by the caller's signal, or when its time is up. */
export interface Watch {
  /** Aborts with the typed error to throw. */
  readonly signal: AbortSignal;
  /** Allows `ms` from now on, in place of what was allowed before. Infinity: any time. */
  readonly allow: (ms: number) => void;
  /** Lets go of the timer and of the caller's signal. */
  readonly release: () => void;
}

/** A watch that allows `ms` at first. */
export function openWatch({ about, options, signal }: Exchange, ms: number): Watch {
  const controller = new AbortController();
  const abort = () => controller.abort(toAbortError(about, signal));
  let stopTimer: (() => void) | undefined;
  const watch: Watch = {
    signal: controller.signal,
    allow(allowedMs) {
      stopTimer?.();
      const expire = () =>
        controller.abort(
          new TimeoutError(`${toName(about)}: nothing came for ${allowedMs} ms`, about),
        );
      stopTimer = allowedMs < Infinity ? options.clock.schedule(expire, allowedMs) : undefined;
    },
    release() {
      stopTimer?.();
      signal?.removeEventListener("abort", abort);
    },
  };
  watch.allow(ms);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  return watch;
}

/** @throws AbortError where the caller's signal stopped the call before it went on. */
export function checkGoesOn({ about, signal }: Exchange): void {
  if (signal?.aborted) throw toAbortError(about, signal);
}

function toAbortError(about: ErrorSubject, signal: AbortSignal | undefined): AbortError {
  const cause: unknown = signal?.reason;
  return new AbortError(`${toName(about)} was stopped by its signal`, about, { cause });
}

/** `promise`, or at once the error of a watch that allows `ms`. What is waited for goes on for others. */
export async function until<T>(promise: Promise<T>, exchange: Exchange, ms: number): Promise<T> {
  const { signal, release } = openWatch(exchange, ms);
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
  });
  return Promise.race([promise, stopped]).finally(release);
}

/** Waits `ms`, or fails at once with an AbortError when the caller's signal says so. */
export async function sleep(exchange: Exchange, ms: number): Promise<void> {
  const forever = new Promise<never>(() => {});
  await until(forever, exchange, ms).catch((error: unknown) => {
    if (!(error instanceof TimeoutError)) throw error;
  });
}
