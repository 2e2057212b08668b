// For how long a service asks not to be asked, by the headers of an answer.

/** A service that asks for more is asked again after this. The client waits no longer for one request. */
const LONGEST_PAUSE_MS = 50_000;
export const REQUEST_TIMEOUT_MS = 60_000;

/** Retry-After of a refusal (RFC 9110, 10.2.3); RateLimit (draft-ietf-httpapi-ratelimit-headers) where nothing is left. */
export function toPauseMs(status: number, headers: Headers): number {
  const isRefused = status === 429 || status === 503;
  const asked = isRefused ? toSeconds(headers.get("Retry-After") ?? "") : 0;
  return Math.min(Math.max(asked, ...toRenewals(headers)) * 1000, LONGEST_PAUSE_MS);
}

/** Seconds, or the date until which (RFC 9110, 5.6.7); 0 for all else, which Date would take for a date as well. */
function toSeconds(retryAfter: string): number {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const ms = retryAfter.endsWith(" GMT") ? Date.parse(retryAfter) - Date.now() : 0;
  return Math.max(0, ms / 1000 || 0);
}

/** In how many seconds the limits are renewed of which nothing is left. */
function toRenewals(headers: Headers): readonly number[] {
  const limits = (headers.get("RateLimit") ?? "").split(",");
  const used = limits.filter((limit) => /;\s*r=0(?!\d)/.test(limit));
  const renewals = used.map((limit) => Number(/;\s*t=(\d+)/.exec(limit)?.[1] ?? 0));
  // The draft's former form, a header for each number.
  const isUsed = headers.get("RateLimit-Remaining") === "0";
  return isUsed ? [...renewals, Number(headers.get("RateLimit-Reset")) || 0] : renewals;
}
