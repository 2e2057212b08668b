// From an HTTP response to what a caller gets: the success envelope, or the typed error.
import type { Watch } from "./clock.ts";
import {
  AuthenticationError,
  CallMediaError,
  ConnectionError,
  EnvelopeError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ProtocolError,
  RateLimitError,
  ServiceError,
  toName,
} from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { parseRetryAfterMs } from "./retry.ts";

/** An error keeps no more of an answer that is no JSON. */
const MAX_BODY_CHARACTERS = 1000;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What to quote to the operator of the service (D13). */
export function toRequestId({ headers }: Response): string | undefined {
  return headers.get("X-Request-Id") ?? undefined;
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
  const fault = toEnvelopeFault(body, exchange.path) ?? toValidateFault(body, exchange);
  if (fault === undefined) return body;
  const ErrorClass = isObject(body) && body["isError"] === true ? EnvelopeError : ProtocolError;
  throw toError(ErrorClass, response, { exchange, text, fault });
}

function toEnvelopeFault(body: unknown, path: string): string | undefined {
  if (!isObject(body)) return "without a JSON object";
  if (path === "/Token") return undefined;
  const { isError, data } = body;
  // Interface, "Response envelope": an array, except for the recording endpoints.
  const hasData = path.startsWith("/recording/") ? isObject(data) : Array.isArray(data);
  return isError === false && hasData ? undefined : "without the envelope";
}

/** @throws ProtocolError where `validate` throws: what it cannot judge, another request would not mend. */
function toValidateFault(body: unknown, exchange: Exchange): string | undefined {
  const { operationId, method, path, validate } = exchange;
  try {
    // Told of the operation alone: the exchange has the token.
    return validate?.(body, { operationId, method, path });
  } catch (cause) {
    throw new ProtocolError(`${toName(exchange)}: validate threw`, exchange, { cause });
  }
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
  const retryAfterMs = parseRetryAfterMs(response.headers, nowMs);
  return toError(toClass(response.status), response, { exchange, text, retryAfterMs });
}

function toClass(status: number): typeof CallMediaError {
  if (status === 401) return AuthenticationError;
  if (status === 403) return PermissionError;
  if (status === 404) return NotFoundError;
  if (status === 429) return RateLimitError;
  if (status >= 500) return ServiceError;
  return status >= 400 ? InvalidRequestError : ProtocolError;
}

interface Failed {
  readonly exchange: Exchange;
  readonly text: string;
  readonly fault?: string;
  readonly retryAfterMs?: number | undefined;
}

function toError(
  ErrorClass: typeof CallMediaError,
  response: Response,
  { exchange, text, fault = "", retryAfterMs }: Failed,
): CallMediaError {
  const { status, headers, type, ok } = response;
  // Before it is parsed, so that no part of the body keeps it.
  const shown = exchange.secret ? text.replaceAll(exchange.secret, "[redacted]") : text;
  const body = parseJson(shown) ?? (shown.slice(0, MAX_BODY_CHARACTERS) || undefined);
  const sentence = isObject(body) && body["errorMessage"];
  const isRedirect = headers.has("Location") || type === "opaqueredirect";
  const answer = isRedirect ? "with a redirect, which is not followed" : `${status} ${fault}`;
  const message =
    typeof sentence === "string" && sentence
      ? sentence
      : `${toName(exchange)} was answered ${answer}`.trimEnd();
  return new ErrorClass(message, exchange, {
    status,
    requestId: toRequestId(response),
    // What POST /Token gives may be a token even where it is not as it should be.
    body: exchange.path === "/Token" && ok ? undefined : body,
    retryAfterMs,
  });
}

/** Undefined where `text` is no JSON. The SyntaxError is dropped: it quotes the body, perhaps a token. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
