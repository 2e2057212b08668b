// The errors of a call: one family with stable codes, one class for each thing to do about it.
import type { OperationId } from "@call-media/api";

/** An operation of the contract. */
export interface Operation {
  readonly operationId: OperationId;
  readonly method: "GET" | "HEAD" | "POST";
  /** Path template, for example `/chat/by-call-id/{call_id}`. */
  readonly path: string;
}

export function toName({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** The call an error belongs to. */
export interface ErrorSubject extends Operation {
  /** URL of the request. It contains no secret and no token, but it contains identifiers. */
  readonly url: string;
  /** How many requests were sent for the call; 0 if it failed before the first. */
  readonly attempts: number;
  /** Number of the call within its client, from 1. */
  readonly call?: number | undefined;
}

/** Details of the response that an error was made from. */
export interface ErrorDetails {
  /** Default: that of the class. */
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly headers?: Headers | undefined;
  readonly body?: unknown;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** By this, two copies of this package in one program recognise each other's errors. */
const BRAND = /* @__PURE__ */ Symbol.for("@call-media/client/error");

/** Logs and terminals show sentences of a service: characters that start a line, move the cursor or reverse text are removed. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/**
 * Parent of every error that a call fails with. `message` is the service's own `errorMessage` (D13) if it sent one. No
 * secret, key or token is in the message, the properties or the cause.
 */
export class CallMediaError extends Error {
  override readonly name: string = "CallMediaError";
  /**
   * Stable code for programs:
   *
   * - `CM_...`: from the service, in X-Error-Code.
   * - `HTTP_404` and the like: the status of a response without such a code.
   * - `CLIENT_...`: found by the client.
   */
  readonly code: string;
  declare readonly operationId: OperationId;
  declare readonly method: Operation["method"];
  /** Path template of the operation. */
  declare readonly path: string;
  /** URL of the request, with the identifiers that were requested. */
  declare readonly url: string;
  /** How many requests were sent for the call; 0 if it failed before the first. */
  declare readonly attempts: number;
  /** Number of the call within its client, as in its events; undefined if it failed before it had one. */
  declare readonly call: number | undefined;
  /** HTTP status; undefined without a response, or if nothing was sent. */
  readonly status: number | undefined;
  /** X-Request-Id of the response, to quote to the operator of the service (D13). */
  declare readonly requestId: string | undefined;
  /** Headers of the response, without cookies; undefined if there was none. */
  declare readonly headers: Headers | undefined;
  /**
   * Body of the response: JSON as a value, or else its first 1,000 characters without backslashes that escape. Undefined if
   * it was not read.
   */
  declare readonly body: unknown;
  /**
   * Milliseconds that the service asks to wait, from retry-after-ms or Retry-After (RFC 9110, 10.2.3). Undefined if
   * neither is valid.
   */
  declare readonly retryAfterMs: number | undefined;

  /** All of `about` and `details` may be shown. */
  constructor(message: string, about: ErrorSubject, details: ErrorDetails = {}) {
    super(message.replaceAll(UNPRINTABLE, " "), details);
    const { headers, code, ...shown } = details;
    Object.assign(this, about, shown);
    const { status } = shown;
    this.code = code ?? (status === undefined ? new.target.defaultCode : `HTTP_${status}`);
    // Not enumerable, because they would flood logs.
    Object.defineProperty(this, "headers", { value: headers });
  }

  get [BRAND](): true {
    return true;
  }

  /** The code of an error without a response. */
  protected static readonly defaultCode: string = "CLIENT_INVALID_REQUEST";
}

/** 401: the credentials or the key are wrong, expired or revoked. Check them; a retry cannot help. */
export class AuthenticationError extends CallMediaError {
  override readonly name = "AuthenticationError";
}

/** 403: the user behind the credentials lacks the right (D22). Ask the operator of the service. */
export class PermissionError extends CallMediaError {
  override readonly name = "PermissionError";
}

/** 404: no such recording, or the user has no access to it (D15, D21). If every call gets it, `baseUrl` is wrong. */
export class NotFoundError extends CallMediaError {
  override readonly name = "NotFoundError";
}

/**
 * The request is wrong: 400, 405, 406, 413, 415, 416 or any other 4xx without a class of its own. Without a `status` the
 * client refused it and sent nothing. Correct the request.
 */
export class InvalidRequestError extends CallMediaError {
  override readonly name = "InvalidRequestError";
}

/** 429: too many requests (D23), after the client's own retries. Wait `retryAfterMs`. */
export class RateLimitError extends CallMediaError {
  override readonly name = "RateLimitError";
}

/** 5xx, after the client's own retries: the service failed. Try later, and quote `requestId`. */
export class ServiceError extends CallMediaError {
  override readonly name = "ServiceError";
}

/** 200 with `isError: true` or, for a recording, `success: false`: only the body says that the service refused. */
export class EnvelopeError extends CallMediaError {
  override readonly name = "EnvelopeError";
}

/**
 * The response violates the contract: not JSON, no envelope, a redirect, an unusable token, wrong bytes. Check
 * `baseUrl`; then tell the operator of the service.
 */
export class ProtocolError extends CallMediaError {
  override readonly name = "ProtocolError";
  protected static override readonly defaultCode = "CLIENT_UNEXPECTED_RESPONSE";
}

/** No response or an interrupted one, after the client's own retries. The message has the innermost `cause`. */
export class ConnectionError extends CallMediaError {
  override readonly name = "ConnectionError";
  protected static override readonly defaultCode = "CLIENT_CONNECTION_FAILED";
}

/** The service took longer than a time-out of the client, or of its `fetch`, allows. Try again, or allow more. */
export class TimeoutError extends CallMediaError {
  override readonly name = "TimeoutError";
  protected static override readonly defaultCode = "CLIENT_TIMEOUT";
}

/** The caller's signal stopped the call. `cause` is the signal's reason. */
export class AbortError extends CallMediaError {
  override readonly name = "AbortError";
  protected static override readonly defaultCode = "CLIENT_ABORTED";
}

interface ErrorClasses {
  readonly CallMediaError: CallMediaError;
  readonly AuthenticationError: AuthenticationError;
  readonly PermissionError: PermissionError;
  readonly NotFoundError: NotFoundError;
  readonly InvalidRequestError: InvalidRequestError;
  readonly RateLimitError: RateLimitError;
  readonly ServiceError: ServiceError;
  readonly EnvelopeError: EnvelopeError;
  readonly ProtocolError: ProtocolError;
  readonly ConnectionError: ConnectionError;
  readonly TimeoutError: TimeoutError;
  readonly AbortError: AbortError;
}

/**
 * True for a CallMediaError or, with `name`, for one of that class. Unlike `instanceof` it recognises the errors of another
 * copy of this package.
 *
 * @example
 * ```ts
 * if (isCallMediaError(error, "NotFoundError")) console.log(error.path);
 * ```
 */
export function isCallMediaError<Name extends keyof ErrorClasses = "CallMediaError">(
  error: unknown,
  name?: Name,
): error is ErrorClasses[Name] {
  if (!(error instanceof Error && BRAND in error)) return false;
  return name === undefined || name === "CallMediaError" || name === error.name;
}

/**
 * The status with which the service refused a call; 200 if only the body says so. NaN if it did not refuse the call, or if it refused the
 * preceding sign-in.
 */
export function toRefusalStatus(error: unknown): number {
  const isOfCall = isCallMediaError(error) && error.operationId !== "createToken";
  return isOfCall && error.name !== "ProtocolError" ? Number(error.status) : Number.NaN;
}
