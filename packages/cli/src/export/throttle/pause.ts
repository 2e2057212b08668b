// The pause that a service demands, from the headers of a response.

/** After this time an export tries again, whatever the service demands. The client would time out. */
const MAX_PAUSE_MS = 50_000;
export const REQUEST_TIMEOUT_MS = 60_000;

/** Retry-After of 429 and 503 (RFC 9110, 10.2.3); RateLimit (draft-ietf-httpapi-ratelimit-headers) if nothing is left. */
export function toPauseMs(status: number, headers: Headers): number {
  const isRejected = status === 429 || status === 503;
  const retryAfterS = isRejected ? toSeconds(headers.get("Retry-After") ?? "") : 0;
  return Math.min(Math.max(retryAfterS, ...toRenewals(headers)) * 1000, MAX_PAUSE_MS);
}

/** Seconds, or a date (RFC 9110, 5.6.7). Any other text is 0, because Date.parse accepts too much as a date. */
function toSeconds(retryAfter: string): number {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const ms = retryAfter.endsWith(" GMT") ? Date.parse(retryAfter) - Date.now() : 0;
  return Math.max(0, ms / 1000 || 0);
}

/** Seconds until each used-up limit is renewed. */
function toRenewals(headers: Headers): readonly number[] {
  const limits = headers.get("RateLimit") ?? "";
  const used = limits.split(",").filter((limit) => /;\s*r=0(?!\d)/.test(limit));
  const renewals = used.map((limit) => Number(/;\s*t=(\d+)/.exec(limit)?.[1] ?? 0));
  // Before version 8 of the draft, the values of the limit were named.
  if (/\bremaining=0(?!\d)/.test(limits))
    renewals.push(Number(/\breset=(\d+)/.exec(limits)?.[1] ?? 0));
  const usedUp = PREFIXES.filter((name) => Number(headers.get(`${name}-Remaining`) ?? 1) === 0);
  return [...renewals, ...usedUp.map((name) => toSecondsLeft(headers.get(`${name}-Reset`)))];
}

/** The first version of the draft had a header for each value, like services before it. */
const PREFIXES = ["RateLimit", "X-RateLimit", "X-Rate-Limit"] as const;

/** No limit lasts 30 years: greater values are seconds or milliseconds since 1970. */
const SINCE_1970_S = 1e9;
const SINCE_1970_MS = 1e12;

function toSecondsLeft(reset: string | null): number {
  const number = Number(reset) || 0;
  const seconds = number >= SINCE_1970_MS ? number / 1000 : number;
  return seconds < SINCE_1970_S ? seconds : Math.max(0, seconds - Date.now() / 1000);
}
