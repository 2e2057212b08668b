// From an HTTP response to what a caller gets: the success envelope, or the typed error.
import type { Watch } from "./clock.ts";
import {
  AuthenticationError,
  CallMediaError,
  ConnectionError,
  EnvelopeError,
  type ErrorDetails,
  type ErrorSubject,
  InvalidRequestError,
  NotFoundError,
  type Operation,
  PermissionError,
  ProtocolError,
  RateLimitError,
  ServiceError,
} from "./errors.ts";
import type { Validate } from "./options.ts";
import { parseRetryAfterMs } from "./retry.ts";

/** A call under way. */
export interface Exchange extends ErrorSubject {
  /** Number of the call within its client. */
  readonly call: number;
  readonly signal: AbortSignal | undefined;
  attempts: number;
  /** What goes out with the request and must not come back in an error. */
  secret: string | undefined;
  readonly validate?: Validate | undefined;
}

/** An error keeps no more of an answer that is no JSON. */
const MAX_BODY_CHARACTERS = 1000;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The error for whatever ended a request: its watch, else a broken connection. */
export function toFault(cause: unknown, exchange: Exchange, watch: Watch): CallMediaError {
  const known: unknown = watch.signal.aborted ? watch.signal.reason : cause;
  if (known instanceof CallMediaError) return known;
  const message = `${toName(exchange)}: no complete answer came`;
  return new ConnectionError(message, exchange, { cause });
}

/**
 * Reads a 200 as JSON and checks that it is the success envelope of the interface or, for POST
 * /Token, an object.
 *
 * @throws EnvelopeError where the envelope says isError; ProtocolError where there is none, or `validate` finds fault.
 */
export async function readSuccess(response: Response, exchange: Exchange): Promise<unknown> {
  const text = await response.text();
  const body = parseJson(text);
  const fault = toEnvelopeFault(body, exchange.path) ?? exchange.validate?.(body, exchange);
  if (fault === undefined) return body;
  const isRefusal = isObject(body) && body["isError"] === true;
  const ErrorClass = isRefusal ? EnvelopeError : ProtocolError;
  throw new ErrorClass(...toMessageAndDetails(response, exchange, { text, fault }));
}

function toEnvelopeFault(body: unknown, path: string): string | undefined {
  if (body === undefined) return "with a body that is not JSON";
  if (path === "/Token") return isObject(body) ? undefined : "without a JSON object";
  if (!isObject(body) || typeof body["isError"] !== "boolean") return "without the envelope";
  if (body["isError"]) return "with isError true";
  // Interface, "Response envelope": an array, except for the recording endpoints.
  const { data } = body;
  const isRight = path.startsWith("/recording/") ? isObject(data) : Array.isArray(data);
  return isRight ? undefined : "with data of the wrong type";
}

/**
 * The error of an answer that is no success. Its body is read only where the error is for the caller;
 * else it is cancelled.
 */
export async function toFailure(
  response: Response,
  exchange: Exchange,
  { isFinal, nowMs }: { readonly isFinal: boolean; readonly nowMs: number },
): Promise<CallMediaError> {
  if (!isFinal) await response.body?.cancel();
  // A body that breaks off takes nothing from what the status says.
  const text = isFinal ? await response.text().catch(() => "") : "";
  const [message, , details] = toMessageAndDetails(response, exchange, { text });
  const retryAfterMs = parseRetryAfterMs(response.headers, nowMs);
  return new (toClass(response.status))(message, exchange, { ...details, retryAfterMs });
}

function toClass(status: number): typeof CallMediaError {
  if (status === 401) return AuthenticationError;
  if (status === 403) return PermissionError;
  if (status === 404) return NotFoundError;
  if (status === 429) return RateLimitError;
  if (status >= 500) return ServiceError;
  return status >= 400 ? InvalidRequestError : ProtocolError;
}

function toMessageAndDetails(
  response: Response,
  exchange: Exchange,
  { text, fault = "" }: { readonly text: string; readonly fault?: string },
): [string, Exchange, ErrorDetails] {
  const { status, headers, type } = response;
  // Before it is parsed, so that no part of the body keeps it.
  const shown = exchange.secret ? text.replaceAll(exchange.secret, "[redacted]") : text;
  const body = parseJson(shown) ?? (shown.slice(0, MAX_BODY_CHARACTERS) || undefined);
  const sentence = isObject(body) ? body["errorMessage"] : undefined;
  const isRedirect = headers.has("Location") || type === "opaqueredirect";
  const answered = `was answered ${isRedirect ? "with a redirect, which is not followed" : status}`;
  return [
    typeof sentence === "string" && sentence !== ""
      ? sentence
      : `${toName(exchange)} ${answered} ${fault}`.trimEnd(),
    exchange,
    {
      status,
      requestId: headers.get("X-Request-Id") ?? undefined,
      // What POST /Token gives may be a token even where it is not as it should be.
      body: exchange.path === "/Token" && response.ok ? undefined : body,
    },
  ];
}

export function toName({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** Undefined where `text` is no JSON. The SyntaxError is dropped: it quotes the body, perhaps a token. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
