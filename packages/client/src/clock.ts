// Time: what a client counts on, and how a call waits and is stopped.
import { AbortError, type ErrorSubject, TimeoutError, toName } from "./errors.ts";

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
}

export function openWatch(call: Stoppable, clock: Clock): Watch {
  const controller = new AbortController();
  let stopTimer: (() => void) | undefined;
  const abort = () => controller.abort(toAbortError(call));
  if (call.signal?.aborted) abort();
  call.signal?.addEventListener("abort", abort);
  return {
    signal: controller.signal,
    allow(ms) {
      stopTimer?.();
      const expire = () =>
        controller.abort(new TimeoutError(`${toName(call)}: nothing came for ${ms} ms`, call));
      stopTimer = ms === Infinity ? undefined : clock.schedule(expire, ms);
    },
    release() {
      stopTimer?.();
      call.signal?.removeEventListener("abort", abort);
    },
  };
}

/** @throws AbortError where the caller's signal stopped the call before it went on. */
export function checkGoesOn(call: Stoppable): void {
  if (call.signal?.aborted) throw toAbortError(call);
}

function toAbortError(call: Stoppable): AbortError {
  const cause: unknown = call.signal?.reason;
  return new AbortError(`${toName(call)} was stopped by its signal`, call, { cause });
}

/** `promise`, or at once the error of `watch`. What is waited for goes on for others. */
export function until<T>(promise: Promise<T>, watch: Watch): Promise<T> {
  const stop = whenStopped(watch).then(() => {
    throw watch.signal.reason;
  });
  return Promise.race([promise, stop]).finally(() => watch.release());
}

/** Waits `ms`, or fails at once with an AbortError when the caller's signal says so. */
export async function sleep(ms: number, call: Stoppable, clock: Clock): Promise<void> {
  const watch = openWatch(call, clock);
  watch.allow(ms);
  await whenStopped(watch);
  watch.release();
  checkGoesOn(call);
}

function whenStopped({ signal }: Watch): Promise<unknown> {
  return new Promise<unknown>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", resolve);
  });
}
