// Limits the time of one request or one wait, and stops it if the caller's signal says so.
import {
  AbortError,
  type CallMediaError,
  type ErrorSubject,
  TimeoutError,
  toName,
} from "../errors.ts";
import type { Clock } from "../clock.ts";

/** The call with a time limit. */
interface Subject {
  readonly about: ErrorSubject;
  readonly options: { readonly clock: Clock };
  readonly request: {
    /** The caller's. */
    readonly signal: AbortSignal | undefined;
  };
}

/** Stops one request or one wait: by the caller's signal, or when its time is over. */
export interface Watch {
  /** The error that stopped it; undefined if it was not stopped. */
  readonly error: CallMediaError | undefined;
  /** Records that the headers arrived: a time-out then concerns the body. */
  readonly headCame: () => void;
  /** Allows `ms` of silence from now on, instead of what was allowed before. Infinity: any time. */
  readonly allow: (ms: number) => void;
  /** Stops it, like the caller's signal. Has no effect after `release`. */
  readonly abort: () => void;
  /** Releases the timer and the caller's signal. */
  readonly release: () => void;
}

/** @throws AbortError if the caller's signal has stopped the call. */
export function checkSignal(subject: Subject): void {
  if (subject.request.signal?.aborted) throw toAbortError(subject);
}

function toAbortError({ about, request }: Subject): AbortError {
  return new AbortError(`${toName(about)} was stopped`, about, { cause: request.signal?.reason });
}

/**
 * A watch that allows `ms` at first, and calls `stop` with the typed error to throw.
 *
 * @throws AbortError if the caller's signal has stopped the call already.
 */
export function openWatch(
  subject: Subject,
  ms: number,
  stop: (error: CallMediaError) => void,
): Watch {
  const { about, options } = subject;
  const { signal } = subject.request;
  checkSignal(subject);
  let stopTimer: (() => void) | undefined;
  let isOpen = true;
  /** True once a time-out concerns the rest of a response. */
  let hasBegun = false;
  let error: CallMediaError | undefined;

  function fail(reason: CallMediaError): void {
    release();
    error = reason;
    stop(reason);
  }
  function abort(): void {
    // Skips creating the error for a complete request, because its stack takes time.
    if (isOpen) fail(toAbortError(subject));
  }
  function release(): void {
    stopTimer?.();
    signal?.removeEventListener("abort", abort);
    isOpen = false;
  }
  function start(limitMs: number): void {
    stopTimer?.();
    if (limitMs === Infinity) return;
    stopTimer = options.clock.schedule(() => {
      fail(toTimeoutError(about, limitMs, hasBegun));
    }, limitMs);
  }

  start(ms);
  signal?.addEventListener("abort", abort);
  return {
    get error() {
      return error;
    },
    headCame() {
      hasBegun = true;
    },
    allow(limitMs) {
      hasBegun = false;
      start(limitMs);
    },
    abort,
    release,
  };
}

function toTimeoutError(about: ErrorSubject, ms: number, hasBegun: boolean): TimeoutError {
  const fault = hasBegun ? "no complete answer came within" : "nothing came for";
  const code = hasBegun ? "CLIENT_BODY_TIMEOUT" : "CLIENT_TIMEOUT";
  return new TimeoutError(`${toName(about)}: ${fault} ${ms / 1000} s`, about, { code });
}

/**
 * Waits for `work`, which other calls may also wait for and which continues without this one.
 *
 * @throws TimeoutError after `ms`, AbortError if the caller's signal aborts, and the errors of `work`.
 */
export function waitFor<T>(work: () => Promise<T>, subject: Subject, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const watch = openWatch(subject, ms, reject);
    work().finally(watch.release).then(resolve, reject);
  });
}

/** A wait. */
export interface Pause {
  /** Resolves after the time, or fails with an AbortError if it is stopped. */
  readonly over: Promise<void>;
  readonly stop: () => void;
}

export function openPause(subject: Subject, ms: number): Pause {
  let stop = () => {};
  const over = new Promise<void>((resolve, reject) => {
    const watch = openWatch(subject, ms, (error) =>
      error instanceof TimeoutError ? resolve() : reject(error),
    );
    stop = watch.abort;
  });
  return { over, stop };
}
