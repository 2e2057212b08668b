// For how long a service asks not to be asked, by the headers of an answer.

/** A service that asks for more is asked again after this. The client waits no longer for one request. */
const LONGEST_PAUSE_MS = 50_000;
export const REQUEST_TIMEOUT_MS = 60_000;

/** Retry-After of a refusal (RFC 9110, 10.2.3); RateLimit (draft-ietf-httpapi-ratelimit-headers) where nothing is left. */
export function toPauseMs(status: number, headers: Headers): number {
  const retryAfter = headers.get("Retry-After") ?? "";
  const isAsked = (status === 429 || status === 503) && /^\d+$/.test(retryAfter);
  const pauseS = Math.max(isAsked ? Number(retryAfter) : 0, ...toRenewals(headers));
  return Math.min(pauseS * 1000, LONGEST_PAUSE_MS);
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
