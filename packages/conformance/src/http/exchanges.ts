// A request and its response as reports and logs show them: secrets replaced, long bodies truncated.
import type { Secrets } from "./secrets.ts";
import type { RawRequest } from "./transport.ts";

/** A request as sent, with placeholders such as `$TOKEN` for secrets. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** For text, the beginning of the body with secrets replaced. For bytes, a sentence with size and digest. */
  readonly body: string;
  /** Size of the complete body, as far as it was read. */
  readonly bodyBytes: number;
}

/** The place of an exchange in a file of recorded traffic. */
export interface Recorded {
  readonly file: string;
  /** `log.entries[12]` of a HAR file, `line 13` of an NDJSON file. */
  readonly entry: string;
}

export interface Exchange {
  readonly sent: SentRequest;
  readonly came?: ReceivedAnswer;
  /** Why the response is missing or incomplete. */
  readonly fault?: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
}

export interface Progress {
  readonly requests: number;
  readonly maxRequests: number;
  /** A description of what is being checked. */
  readonly doing: string;
}

const SHOWN_CHARACTERS = 2_000;
/** The part of a body that is searched for secrets. Its end is not shown, because it may cut a secret in half. */
export const SEARCHED_CHARACTERS = 4 * SHOWN_CHARACTERS;

export function toSent({ method, url, headers, body }: RawRequest, secrets: Secrets): SentRequest {
  return {
    method,
    url: secrets.hide(url),
    headers: hideAll(Object.entries(headers), secrets),
    ...(body !== undefined && { body: showBody(body, secrets) }),
  };
}

export function showBody(text: string, secrets: Pick<Secrets, "hide">): string {
  const hidden = secrets.hide(text.slice(0, SEARCHED_CHARACTERS));
  return shorten(text.length > SEARCHED_CHARACTERS ? hidden.slice(0, -SHOWN_CHARACTERS) : hidden);
}

export function hideAll(
  entries: readonly (readonly [string, string])[],
  secrets: Pick<Secrets, "hide">,
) {
  return Object.fromEntries(entries.map(([name, value]) => [name, secrets.hide(value)]));
}

function shorten(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
}
