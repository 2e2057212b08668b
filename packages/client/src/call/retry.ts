// Which failures are transient, and how long to wait before the next request.
import { type CallMediaError, isCallMediaError } from "../errors.ts";
import { FIRST_WAIT_MS, LONGEST_RETRY_AFTER_MS, LONGEST_WAIT_MS } from "../limits.ts";
import { parseCount } from "../values.ts";

/** Transient by definition (RFC 9110, 15.5.9 and 15.6; RFC 6585, 4). */
const TRANSIENT = new Set<unknown>([408, 429, 500, 502, 503, 504]);

/** True if another request may succeed. Every operation reads, and a second token does no harm, so all may be repeated. */
export function isTransient(error: unknown): error is CallMediaError {
  if (!isCallMediaError(error)) return false;
  const { name, status } = error;
  return name === "ConnectionError" || name === "TimeoutError" || TRANSIENT.has(status);
}

/** Milliseconds to wait before retry `count` (from 0) after `error`; Infinity if it must not be retried. */
export function toWaitMs(count: number, random: () => number, error: CallMediaError): number {
  if (!isTransient(error)) return Infinity;
  const { retryAfterMs } = error;
  if (retryAfterMs === undefined) return toBackoffMs(count, random);
  // Too long a wait for a call. If sent earlier, the request would be refused again.
  return retryAfterMs > LONGEST_RETRY_AFTER_MS ? Infinity : retryAfterMs;
}

/** Random up to a limit that doubles ("full jitter"): clients that failed together must not return together. */
export function toBackoffMs(count: number, random: () => number): number {
  return random() * Math.min(FIRST_WAIT_MS * 2 ** count, LONGEST_WAIT_MS);
}

/**
 * retry-after-ms, or else Retry-After, which is a number of seconds or an HTTP date (RFC 9110, 10.2.3). Undefined if
 * neither is valid.
 */
export function parseRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const ms = parseCount(headers.get("Retry-After-Ms"));
  if (ms !== undefined) return ms;
  const text = headers.get("Retry-After") ?? "";
  const seconds = parseCount(text);
  if (seconds !== undefined) return seconds * 1000;
  // Date.parse accepts nearly anything as a date, even "-1".
  const dateMs = text.endsWith(" GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
