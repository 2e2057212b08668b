// Converts a response, or the reason for a missing one, to a typed error without the secrets that were sent.
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
  TimeoutError,
  toName,
} from "../errors.ts";
import { MAX_BODY_CHARACTERS } from "../limits.ts";
import { isObject, isText, parseJson } from "../values.ts";
import { toReason, toTimeOutCode } from "./connection-failure.ts";
import type { Attempt, Exchange } from "./exchange.ts";
import { TOKEN_PATH } from "./request.ts";
import { parseRetryAfterMs } from "./retry.ts";
import type { Watch } from "./watch.ts";

/** The error of a failed request: the reason it was stopped, or else a broken connection. */
export function toFailure(cause: unknown, attempt: Attempt, watch: Watch): CallMediaError {
  if (cause instanceof CallMediaError) return cause;
  return watch.error ?? toConnectionError(cause, attempt);
}

export function toConnectionError(cause: unknown, { about, secret }: Attempt): CallMediaError {
  const reason = redact(toReason(cause, about.url), secret);
  const message = `${toName(about)}: no complete answer came${reason && ` (${reason})`}`;
  const code = toTimeOutCode(cause);
  if (code === undefined) return new ConnectionError(message, about, { cause });
  const fault = `${message}; the limit is of fetch or of the network`;
  return new TimeoutError(fault, about, { cause, code });
}

/** A fault of a response, in addition to its status. */
interface Finding {
  /** Ends the sentence "GET /path was answered 200 ...". */
  readonly fault?: string | undefined;
  /** Code of a ProtocolError. */
  readonly code?: `CLIENT_${string}` | undefined;
  /** The body that was read. */
  readonly text?: string | undefined;
}

/** The error of a response: that of its status or, if that is a success, of the `fault` in it. */
export function toResponseError(exchange: Exchange, finding: Finding = {}): CallMediaError {
  const { about, options, requestId, response, secret } = exchange;
  const { status, headers } = response;
  const body = redactBody(finding.text ?? "", secret);
  const ErrorClass = isRefusal(body) && response.ok ? EnvelopeError : toClass(status);
  return new ErrorClass(toMessage(exchange, body, finding.fault), about, {
    code: ErrorClass === ProtocolError ? toProtocolCode(response, finding) : toCode(response),
    status,
    requestId,
    headers: redactHeaders(headers, secret),
    // A response of POST /Token may contain a token, even if it is malformed.
    body: about.path === TOKEN_PATH && response.ok ? undefined : body,
    retryAfterMs: parseRetryAfterMs(headers, options.clock.now()),
  });
}

function toClass(status: number): typeof CallMediaError {
  if (status === 401) return AuthenticationError;
  if (status === 403) return PermissionError;
  if (status === 404) return NotFoundError;
  if (status === 429) return RateLimitError;
  if (status >= 500) return ServiceError;
  return status >= 400 ? InvalidRequestError : ProtocolError;
}

/** The code from the service or, if it sends none, the status. */
function toCode({ headers, status }: Response): string {
  const code = headers.get("X-Error-Code") ?? "";
  return /^CM_[A-Z_]{1,61}$/.test(code) ? code : `HTTP_${status}`;
}

function toProtocolCode(response: Response, { code = "CLIENT_UNEXPECTED_RESPONSE" }: Finding) {
  return isRedirect(response) ? "CLIENT_REDIRECTED" : code;
}

/** A browser hides redirects, including their status. */
function isRedirect({ headers, status }: Response): boolean {
  return status === 0 || headers.has("Location");
}

/** The service's own message, or else a description of the response. */
function toMessage({ about, response }: Exchange, body: unknown, fault = "") {
  if (isObject(body) && isText(body["errorMessage"]))
    return body["errorMessage"].slice(0, MAX_BODY_CHARACTERS);
  const answer = isRedirect(response)
    ? toRedirect(about.url, response)
    : `${response.status} ${fault}`.trim();
  return `${toName(about)} was answered ${answer}`;
}

/** Omits the query of the target, which may contain sign-in tokens. */
function toRedirect(url: string, { headers }: Response): string {
  const location = headers.get("Location");
  if (location === null || !URL.canParse(location, url)) return "with a redirect";
  const { origin, pathname } = new URL(location, url);
  return `with a redirect to ${origin}${pathname}; set baseUrl to where the service itself answers`;
}

/** True for an envelope that reports a failure. */
export function isRefusal(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { isError, data } = body;
  return isError === true || (isObject(data) && data["success"] === false);
}

function redact(text: string, secret: string): string {
  return secret === "" ? text : text.replaceAll(secret, "[redacted]");
}

/** JSON as a value, or else the start of the text; undefined if it is empty. */
function redactBody(text: string, secret: string): unknown {
  // Redacts after parsing: JSON has several ways to write a secret, and its own keywords may be part of one.
  const body = parseJson(text, (_, value) => redactValue(value, secret));
  if (body !== undefined) return body;
  // The text may contain JSON, or be truncated JSON. Without the backslashes, a secret in it is found too.
  const plain = redact(text, secret).replace(/\\(.)/g, "$1");
  return redact(plain, secret).slice(0, MAX_BODY_CHARACTERS) || undefined;
}

function redactValue(value: unknown, secret: string): unknown {
  if (isText(value)) return redact(value, secret);
  return secret !== "" && value === Number(secret) ? "[redacted]" : value;
}

/** Omits cookies, which may belong to a session. */
function redactHeaders(headers: Headers, secret: string): Headers {
  const redacted = new Headers();
  for (const [name, value] of headers)
    if (name !== "set-cookie") redacted.append(name, redact(value, secret));
  return redacted;
}
