// Rate limits (D23): failed sign-ins wait ever longer, and data requests may be limited per credential. Counts are in
// memory and may be lost. If several servers share a store, the store has the counts of sign-ins (D31).
import { hash } from "node:crypto";
import type { Failures, SignInAttempt, SignIns } from "@call-media/store";
import { type ResponseHeaders, tooManyRequests } from "../errors.ts";
import { createRecent } from "./recent.ts";
import { createTurns, TurnLost } from "./turns.ts";

const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 1_000;
// Short enough that other callers of a shared address are not delayed for long.
const MAX_DELAY_MS = 60_000;
const FORGET_AFTER_MS = 15 * 60_000;
const WINDOW_MS = 60_000;
// Sign-ins are checked sequentially, some 20 ms each with the pause after it. This number of them takes two or three seconds,
// which is long enough to wait.
const MAX_SIGN_INS_WAITING = 128;
const RETRY_BUSY_SECONDS = 3;
// Bounds the memory that invented ids and addresses can take.
const MAX_TRACKED = 20_000;

type Clock = () => number;

/** The time that has passed by `clock`, in ms. A clock that is set back only stops for a moment: nobody waits until it has caught up. */
function createElapsed(clock: Clock): Clock {
  let lastMs = clock();
  let elapsedMs = 0;
  return () => {
    const nowMs = clock();
    elapsedMs += Math.max(0, nowMs - lastMs);
    lastMs = nowMs;
    return elapsedMs;
  };
}

/** The known facts about a caller who tries to sign in. */
export interface Attempt {
  readonly secretID: string;
  /** The caller's own address; undefined if many callers may share it: then nobody is delayed. */
  readonly origin: string | undefined;
}

/**
 * Sign-ins (D23): five failures of an address, or of a secretID from an address, are free. Each further one doubles the
 * delay, up to a minute. A secretID without an address delays no caller: otherwise anyone who knows it could lock out its application.
 */
export function createSignInLimit(clock: Clock, signIns: SignIns = createOwnSignIns(clock)) {
  const inTurn = createTurns(MAX_SIGN_INS_WAITING);
  const read = (keys: readonly string[]) => signIns.read(keys, FORGET_AFTER_MS);
  /**
   * True if `check` accepts the key. Throws 429 while the address, or the secretID from there, has to wait. This is
   * checked on arrival and again at its turn, since parallel attempts may have failed meanwhile. So parallel guesses
   * are not free, and only failures delay the right key, however many send it in parallel.
   */
  return async (given: Attempt, check: () => Promise<boolean>): Promise<boolean> => {
    const keys = toKeys(given);
    const failures = await read(keys);
    judge(failures);
    const hasFailed = failures.some(({ count }) => count > 0);
    try {
      return await inTurn({ from: given.origin ?? "", hasFailed }, () =>
        signIns.attempt(keys, { forgetAfterMs: FORGET_AFTER_MS, judge, check }),
      );
    } catch (error) {
      if (!(error instanceof TurnLost)) throw error;
      throw tooManyRequests("CM_SIGN_IN_DELAYED", RETRY_BUSY_SECONDS, toHeaders(await read(keys)));
    }
  };
}

/** The counts of a single server, which checks attempts sequentially. */
function createOwnSignIns(clock: Clock): SignIns {
  const now = createElapsed(clock);
  const failures = createRecent<{ readonly count: number; readonly lastMs: number }>({
    maxEntries: MAX_TRACKED,
    maxAgeMs: FORGET_AFTER_MS,
    now,
  });
  const read = (keys: readonly string[]): readonly Failures[] =>
    keys.map((key) => {
      const known = failures.get(key);
      return known === undefined
        ? NO_FAILURES
        : { count: known.count, agoMs: now() - known.lastMs };
    });
  const attempt = async (keys: readonly string[], given: SignInAttempt): Promise<boolean> => {
    given.judge(read(keys));
    const isRight = await given.check();
    const known = read(keys);
    for (const [place, key] of keys.entries()) {
      if (isRight) failures.delete(key);
      else failures.put(key, { count: (known[place]?.count ?? 0) + 1, lastMs: now() });
    }
    return isRight;
  };
  return { read: async (keys) => read(keys), attempt };
}

const NO_FAILURES: Failures = { count: 0, agoMs: 0 };

function judge(failures: readonly Failures[]): void {
  const waitMs = toLongestWaitMs(failures);
  if (waitMs > 0)
    throw tooManyRequests("CM_SIGN_IN_DELAYED", Math.ceil(waitMs / 1000), toHeaders(failures));
}

function toLongestWaitMs(failures: readonly Failures[]): number {
  const waits = failures
    .filter(({ count }) => count >= FREE_FAILURES)
    .map(
      ({ count, agoMs }) =>
        Math.min(FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES), MAX_DELAY_MS) - agoMs,
    );
  return Math.max(0, ...waits);
}

function toHeaders(failures: readonly Failures[]): ResponseHeaders {
  const waitMs = toLongestWaitMs(failures);
  return toRateLimit("token", {
    quota: FREE_FAILURES,
    windowMs: FORGET_AFTER_MS,
    left: Math.max(0, FREE_FAILURES - Math.max(0, ...failures.map(({ count }) => count))),
    renewalMs: waitMs > 0 ? waitMs : FORGET_AFTER_MS,
  });
}

/** The remaining quota after a successful sign-in, which clears the failures. */
export const SIGNED_IN_HEADERS: ResponseHeaders = toHeaders([]);

function toKeys({ secretID, origin }: Attempt): readonly string[] {
  if (origin === undefined) return [];
  return [`address ${origin}`, `pair ${origin} ${secretID}`].map(toFixedLength);
}

/** Data requests: `perMinute` for each credential, counted in windows of a minute; off when undefined. */
export function createRequestLimit(perMinute: number | undefined, clock: Clock) {
  const now = createElapsed(clock);
  const windows = createRecent<{ startMs: number; used: number }>({
    maxEntries: MAX_TRACKED,
    maxAgeMs: WINDOW_MS,
    now,
  });
  /** Counts one request. Returns the headers with the caller's remaining quota; throws 429 if the limit is used up. */
  return (credential: string): ResponseHeaders => {
    if (perMinute === undefined) return {};
    const known = windows.get(credential);
    const isOver = known === undefined || now() - known.startMs >= WINDOW_MS;
    const window = isOver ? { startMs: now(), used: 0 } : known;
    window.used += 1;
    windows.put(credential, window);
    const renewalMs = window.startMs + WINDOW_MS - now();
    const left = Math.max(0, perMinute - window.used);
    const headers = toRateLimit("requests", {
      quota: perMinute,
      windowMs: WINDOW_MS,
      left,
      renewalMs,
    });
    if (window.used > perMinute)
      throw tooManyRequests("CM_RATE_LIMITED", Math.ceil(renewalMs / 1000), headers);
    return headers;
  };
}

interface Standing {
  readonly quota: number;
  readonly windowMs: number;
  readonly left: number;
  readonly renewalMs: number;
}

// draft-ietf-httpapi-ratelimit-headers: quota and remaining quota, window and reset time in seconds.
function toRateLimit(
  policy: string,
  { quota, windowMs, left, renewalMs }: Standing,
): ResponseHeaders {
  return {
    "RateLimit-Policy": `"${policy}";q=${quota};w=${windowMs / 1000}`,
    RateLimit: `"${policy}";r=${left};t=${Math.ceil(renewalMs / 1000)}`,
  };
}

// A caller's id may be as long as a body.
function toFixedLength(key: string): string {
  return hash("sha256", key, "base64");
}
