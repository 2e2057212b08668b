// From an HTTP response to what a caller gets: the success envelope, or the typed error.
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
} from "../errors.ts";
import { MAX_BASE64_JSON_BYTES, MAX_BODY_CHARACTERS, MAX_JSON_BYTES } from "../limits.ts";
import { isObject, isText } from "../values.ts";
import type { Answered, Exchange } from "./exchange.ts";
import { TOKEN_PATH } from "./request.ts";
import { parseRetryAfterMs } from "./retry.ts";

/** The error for whatever ended a request: what stopped it, else a broken connection. */
export function toFault(cause: unknown, { about, watch }: Exchange): CallMediaError {
  if (cause instanceof CallMediaError) return cause;
  return (
    watch?.error ??
    new ConnectionError(`${toName(about)}: no complete answer came`, about, { cause })
  );
}

/**
 * The body of an answer as text, with which the answer is done. Counted as it is decompressed: a few KB of gzip may
 * stand for gigabytes.
 *
 * @throws ProtocolError where it is longer than the client takes.
 */
export async function readText({ about, options, response, watch }: Answered): Promise<string> {
  const most =
    options.maxJsonBytes ??
    (about.path.startsWith("/recording/by-") ? MAX_BASE64_JSON_BYTES : MAX_JSON_BYTES);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  // Some runtimes have no streams, and an answer may have no body.
  let text = reader ? "" : await response.text();
  let bytes = 0;
  for (let piece; (piece = (await reader?.read())?.value);) {
    bytes += piece.length;
    if (bytes > most)
      throw new ProtocolError(
        `${toName(about)}: the answer is longer than the ${most} bytes that maxJsonBytes allows`,
        about,
        { status: response.status },
      );
    text += decoder.decode(piece, { stream: true });
  }
  watch.release();
  return text + decoder.decode();
}

/**
 * Takes the body of a 200 for JSON and checks that it is the success envelope of the interface or, for POST
 * /Token, an object.
 *
 * @throws EnvelopeError where the envelope says isError or, of a recording, that there is no success; ProtocolError where
 * there is none, or `validate` finds fault.
 */
export function parseSuccess(text: string, exchange: Answered): unknown {
  const body = parseJson(text);
  const { about, operation, options } = exchange;
  let fault: string | undefined = "without the JSON of a success";
  if (isSuccess(body, about.path))
    try {
      fault = options.validate?.(body, operation);
    } catch (cause) {
      // What it cannot judge, another request would not mend.
      throw new ProtocolError(`${toName(about)}: validate threw`, about, { cause });
    }
  if (fault === undefined) return body;
  throw toError(exchange, fault, text);
}

/** Interface, "Response envelope": data is an array, except for the recording endpoints. */
function isSuccess(body: unknown, path: string): boolean {
  if (path === TOKEN_PATH) return isObject(body);
  const { isError, data } = Object(body) as Record<string, unknown>;
  const isAsCalled = path.startsWith("/recording/") ? isObject(data) : Array.isArray(data);
  return isAsCalled && !isRefusal(body) && isError === false;
}

/** Whether an envelope says that there is no success. */
export function isRefusal(body: unknown): boolean {
  const { isError, data } = Object(body) as Record<string, unknown>;
  return isError === true || (isObject(data) && data["success"] === false);
}

function toClass(status: number): typeof CallMediaError {
  if (status === 401) return AuthenticationError;
  if (status === 403) return PermissionError;
  if (status === 404) return NotFoundError;
  if (status === 429) return RateLimitError;
  if (status >= 500) return ServiceError;
  return status >= 400 ? InvalidRequestError : ProtocolError;
}

/** The error of an answer: of its status or, where that is a success, of the `fault` in it. */
export function toError(
  { about, options, requestId, response, secret }: Answered,
  fault = "",
  text = "",
): CallMediaError {
  const { status, headers } = response;
  const hide = (one: string) => (secret ? one.replaceAll(secret, "[redacted]") : one);
  // Once it is parsed: JSON has several ways to write a secret, and words of its own that may be in one.
  const hideIn = (_: string, one: unknown) =>
    isText(one) ? hide(one) : one === Number(secret) ? "[redacted]" : one;
  // What is no JSON as a whole may still have some in it, or be some that broke off.
  const body =
    parseJson(text, hideIn) ??
    (hide(hide(text).replace(/\\(.)/g, "$1")).slice(0, MAX_BODY_CHARACTERS) || undefined);
  const { errorMessage } = Object(body) as Record<string, unknown>;
  // A browser shows nothing of a redirect, its status not either.
  const answer =
    !status || headers.has("Location") ? "with a redirect" : fault ? `${status} ${fault}` : status;
  const message = isText(errorMessage)
    ? errorMessage.slice(0, MAX_BODY_CHARACTERS)
    : `${toName(about)} was answered ${answer}`;
  const ErrorClass = isRefusal(body) && response.ok ? EnvelopeError : toClass(status);
  return new ErrorClass(message, about, {
    status,
    requestId,
    // What POST /Token gives may be a token even where it is not as it should be.
    body: about.path === TOKEN_PATH && response.ok ? undefined : body,
    retryAfterMs: parseRetryAfterMs(headers, options.clock.now()),
  });
}

/** Undefined where `text` is no JSON. The SyntaxError is dropped: it quotes the body, perhaps a token. */
export function parseJson(
  text: string,
  revive?: (name: string, value: unknown) => unknown,
): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}
