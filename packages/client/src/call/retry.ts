// Which failures may pass by themselves, and how long to wait before the next try.
import { CallMediaError, ConnectionError, TimeoutError } from "../errors.ts";
import { FIRST_WAIT_MS, LONGEST_RETRY_AFTER_MS, LONGEST_WAIT_MS } from "../limits.ts";
import { parseCount } from "../values.ts";

/** Every operation reads, and a second token harms nobody, so whatever may pass may be repeated. */
export function isPassing(error: unknown): error is CallMediaError {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    // What the service itself says is for now only (RFC 9110, 15.5.9 and 15.6; RFC 6585, 4).
    (error instanceof CallMediaError &&
      [408, 429, 500, 502, 503, 504].includes(Number(error.status)))
  );
}

/**
 * How long to wait before retry `count` (from 0): as the service asks, else at random up to a limit
 * that doubles ("full jitter"), so that clients which failed together do not come back together.
 */
export function toWaitMs(count: number, random: () => number, askedMs?: number): number {
  const longestMs = Math.min(FIRST_WAIT_MS * 2 ** count, LONGEST_WAIT_MS);
  return Math.min(askedMs ?? random() * longestMs, LONGEST_RETRY_AFTER_MS);
}

/**
 * retry-after-ms, else Retry-After, which is a number of seconds or an HTTP date (RFC 9110, 10.2.3).
 * Undefined where neither is there or makes sense.
 */
export function parseRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get("Retry-After") ?? "";
  const ms = parseCount(headers.get("Retry-After-Ms")) ?? Number(parseCount(text)) * 1000;
  // Date.parse takes nearly anything for a date, "-1" for one.
  const waitMs = ms >= 0 ? ms : Math.max(0, Date.parse(text.endsWith(" GMT") ? text : "") - nowMs);
  return waitMs >= 0 ? waitMs : undefined;
}
