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
  const told = headers.get("RateLimit") ?? "";
  const used = told.split(",").filter((limit) => /;\s*r=0(?!\d)/.test(limit));
  const renewals = used.map((limit) => Number(/;\s*t=(\d+)/.exec(limit)?.[1] ?? 0));
  // Until the draft's version 7 the numbers of one limit had names.
  if (/\bremaining=0(?!\d)/.test(told)) renewals.push(Number(/\breset=(\d+)/.exec(told)?.[1] ?? 0));
  const formerly = FORMER.filter((name) => Number(headers.get(`${name}-Remaining`) ?? 1) === 0);
  return [...renewals, ...formerly.map((name) => toSecondsLeft(headers.get(`${name}-Reset`)))];
}

/** A header for each number: the draft's first form, and what many services had before it. */
const FORMER = ["RateLimit", "X-RateLimit", "X-Rate-Limit"] as const;

/** As seconds no limit lasts for so long (30 years): it is a moment then, in seconds or milliseconds since 1970. */
const MOMENT_S = 1e9;
const MOMENT_MS = 1e12;

function toSecondsLeft(reset: string | null): number {
  const number = Number(reset) || 0;
  const seconds = number >= MOMENT_MS ? number / 1000 : number;
  return seconds < MOMENT_S ? seconds : Math.max(0, seconds - Date.now() / 1000);
}
