// From an HTTP response to what a caller gets: the success envelope, or the typed error.
import {
  AuthenticationError,
  type CallMediaError,
  ConnectionError,
  type ErrorDetails,
  InvalidRequestError,
  NotFoundError,
  type Operation,
  PermissionError,
  ProtocolError,
  RateLimitError,
  ServiceError,
} from "./errors.ts";

/** A request under way. */
export interface Exchange extends Operation {
  readonly signal: AbortSignal | undefined;
  /** What goes out with the request and must not come back in an error; set when it is sent. */
  secret: string | undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What an error keeps of `response`. */
export function toDetails(response: Response): ErrorDetails {
  return {
    status: response.status,
    requestId: response.headers.get("X-Request-Id") ?? undefined,
  };
}

/**
 * The error for a fault of the connection. An abort is no fault: it is thrown on as it is, so that
 * callers see the reason they gave their signal.
 */
export function toConnectionError(cause: unknown, exchange: Exchange): ConnectionError {
  exchange.signal?.throwIfAborted();
  const message = `${exchange.method} ${exchange.path}: no complete answer came`;
  return new ConnectionError(message, exchange, { cause });
}

/**
 * Reads a 200 as JSON and checks that it is the success envelope of the interface or, for POST
 * /Token, an object.
 *
 * @throws ProtocolError where it is neither; ConnectionError where the body breaks off.
 */
export async function readSuccess(response: Response, exchange: Exchange): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw toConnectionError(cause, exchange);
  });
  const body = parseJson(text);
  const fault = exchange.path === "/Token" ? toTokenFault(body) : toEnvelopeFault(body, exchange);
  if (fault === undefined) return body;
  throw new ProtocolError(redact(fault, exchange), exchange, toDetails(response));
}

/**
 * The bytes of a recording. A 304 has none.
 *
 * @throws ProtocolError where JSON or a web page came instead, as from a sign-in page on the way.
 */
export async function toStream(
  response: Response,
  exchange: Exchange,
): Promise<ReadableStream<Uint8Array>> {
  const { body } = response;
  const type = response.headers.get("Content-Type") ?? "";
  if (body === null) return new Blob([]).stream();
  if (!/json|html/i.test(type)) return body;
  await body.cancel();
  const fault = `${exchange.method} ${exchange.path} was answered with ${type}, not a recording`;
  throw new ProtocolError(fault, exchange, toDetails(response));
}

/** Reads an answer that is no success into the error of its status, whatever its body is. */
export async function readFailure(response: Response, exchange: Exchange): Promise<CallMediaError> {
  const { status } = response;
  // A body that breaks off takes nothing from what the status says.
  const body = parseJson(await response.text().catch(() => ""));
  exchange.signal?.throwIfAborted();
  const sentence = isObject(body) ? body["errorMessage"] : undefined;
  const message =
    typeof sentence === "string" && sentence !== ""
      ? redact(sentence, exchange)
      : `${exchange.method} ${exchange.path} was answered ${status} without an errorMessage`;
  return toStatusError(message, response, exchange);
}

function toStatusError(message: string, response: Response, operation: Operation): CallMediaError {
  const { status } = response;
  const details = toDetails(response);
  if (status === 401) return new AuthenticationError(message, operation, details);
  if (status === 403) return new PermissionError(message, operation, details);
  if (status === 404) return new NotFoundError(message, operation, details);
  if (status === 429) {
    const retryAfterMs = parseRetryAfterMs(response.headers.get("Retry-After"));
    return new RateLimitError(message, operation, { ...details, retryAfterMs });
  }
  if (status >= 500) return new ServiceError(message, operation, details);
  if (status >= 400) return new InvalidRequestError(message, operation, details);
  return new ProtocolError(message, operation, details);
}

/** Retry-After is a number of seconds or an HTTP date (RFC 9110, 10.2.3). */
function parseRetryAfterMs(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Date.parse takes nearly anything for a date, "-1" for one.
  const untilMs = text.endsWith(" GMT") ? Date.parse(text) - Date.now() : Number.NaN;
  return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs);
}

/** Undefined where `text` is no JSON. The SyntaxError is dropped: it quotes the body, perhaps a token. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toTokenFault(body: unknown): string | undefined {
  return isObject(body) ? undefined : "POST /Token was answered 200 without a JSON object";
}

function toEnvelopeFault(body: unknown, { method, path }: Operation): string | undefined {
  const answered = `${method} ${path} was answered 200`;
  if (body === undefined) return `${answered} with a body that is not JSON`;
  if (!isObject(body) || typeof body["isError"] !== "boolean")
    return `${answered} without the envelope`;
  if (body["isError"]) return `${answered} with isError true: ${String(body["errorMessage"])}`;
  // Interface, "Response envelope": an array, except for the recording endpoints.
  const isRight = path.startsWith("/recording/")
    ? isObject(body["data"])
    : Array.isArray(body["data"]);
  return isRight ? undefined : `${answered} with data of the wrong type`;
}

function redact(text: string, { secret }: Exchange): string {
  return secret ? text.replaceAll(secret, "[redacted]") : text;
}
