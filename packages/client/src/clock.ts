// Time: what a client counts on, and how a call waits and is stopped.
import { AbortError, type ErrorSubject, TimeoutError } from "./errors.ts";

/** Time of day and timers, to be handed in where a test turns the clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `task` once, `afterMs` from now; what it returns takes that back. */
  schedule(task: () => void, afterMs: number): () => void;
}

/** A call that can be stopped. */
export interface Stoppable extends ErrorSubject {
  readonly signal: AbortSignal | undefined;
}

/** Stops one request or one wait: by the caller's signal, or when its time is up. */
export interface Watch {
  /** Aborts with the typed error to throw. */
  readonly signal: AbortSignal;
  /** Allows `ms` from now on, in place of what was allowed before. Infinity: any time. */
  allow(ms: number): void;
  /** Lets go of the timer and of the caller's signal. */
  release(): void;
  /** Stops what is watched, for a stream that nobody can read any more. */
  abandon(): void;
}

export function openWatch(call: Stoppable, clock: Clock): Watch {
  const controller = new AbortController();
  let stopTimer = (): void => {};
  const abort = () => controller.abort(toAbortError(call));
  const release = () => {
    stopTimer();
    call.signal?.removeEventListener("abort", abort);
  };
  if (call.signal?.aborted) abort();
  else call.signal?.addEventListener("abort", abort);
  return {
    signal: controller.signal,
    allow(ms) {
      stopTimer();
      stopTimer = () => {};
      if (ms === Infinity) return;
      const expire = () => controller.abort(toTimeoutError(call, ms));
      stopTimer = clock.schedule(expire, ms);
    },
    release,
    abandon() {
      release();
      controller.abort();
    },
  };
}

/** @throws AbortError where the caller's signal stopped the call before it went on. */
export function checkGoesOn(call: Stoppable): void {
  if (call.signal?.aborted) throw toAbortError(call);
}

function toAbortError(call: Stoppable): AbortError {
  const message = `${call.method} ${call.path} was stopped by its signal`;
  return new AbortError(message, call, { cause: call.signal?.reason });
}

function toTimeoutError(call: Stoppable, ms: number): TimeoutError {
  return new TimeoutError(`${call.method} ${call.path}: nothing came for ${ms} ms`, call);
}

/** `promise`, or at once the error of `watch`. What is waited for goes on for others. */
export function until<T>(promise: Promise<T>, watch: Watch): Promise<T> {
  const { signal } = watch;
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    promise.then(resolve, reject);
  }).finally(() => watch.release());
}

/** Waits `ms`, or fails at once with an AbortError when the caller's signal says so. */
export function sleep(ms: number, call: Stoppable, clock: Clock): Promise<void> {
  const watch = openWatch(call, clock);
  let stopTimer = (): void => {};
  const wait = new Promise<void>((resolve) => {
    stopTimer = clock.schedule(resolve, ms);
  });
  return until(wait, watch).finally(() => stopTimer());
}
