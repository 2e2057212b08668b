// The errors a caller can act on: one family, one class for each thing to do about it.
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
  /** Address of the request. Neither secret nor token is in it; identifiers are. */
  readonly url: string;
  /** How many requests were sent for the call; 0 where it failed before the first. */
  readonly attempts: number;
  /** Number of the call within its client, from 1. */
  readonly call?: number | undefined;
}

/** What is known of the answer that an error was made from. */
export interface ErrorDetails {
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly body?: unknown;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Parent of every error that a call fails with. `message` is the service's own `errorMessage` (D13)
 * where it sent one. No secret, key or token is in the message, the properties or the cause.
 */
export class CallMediaError extends Error {
  override readonly name: string = "CallMediaError";
  declare readonly operationId: OperationId;
  declare readonly method: Operation["method"];
  /** Path template of the operation. */
  declare readonly path: string;
  /** Address of the request, with the identifiers that were asked for. */
  declare readonly url: string;
  /** How many requests were sent for the call; 0 where it failed before the first. */
  declare readonly attempts: number;
  /** Number of the call within its client, as its events have it; undefined where it failed before it was one. */
  declare readonly call: number | undefined;
  /** HTTP status; undefined where there was no answer or nothing was sent. */
  readonly status: number | undefined;
  /** X-Request-Id of the answer, to quote when asking the operator of the service (D13). */
  declare readonly requestId: string | undefined;
  /**
   * The answer: JSON as a value, else its first 1,000 characters without the backslashes before others; undefined where it
   * was not read.
   */
  declare readonly body: unknown;
  /**
   * Milliseconds that the service asks to wait for, from retry-after-ms or Retry-After (RFC 9110,
   * 10.2.3); undefined where neither says.
   */
  declare readonly retryAfterMs: number | undefined;

  /** `about` has nothing but what may be shown. */
  constructor(message: string, about: ErrorSubject, details: ErrorDetails = {}) {
    super(message, details);
    Object.assign(this, about, details);
  }
}

/** 401: the credentials or the key are wrong, expired or revoked. Check them; a retry cannot help. */
export class AuthenticationError extends CallMediaError {
  override readonly name = "AuthenticationError";
}

/** 403: the user behind the credentials lacks the right (D22). Ask the operator of the service. */
export class PermissionError extends CallMediaError {
  override readonly name = "PermissionError";
}

/** 404: there is no such recording, or it may not be seen (D15, D21). Where every call gets it, `baseUrl` is wrong. */
export class NotFoundError extends CallMediaError {
  override readonly name = "NotFoundError";
}

/**
 * The request is wrong: 400, 405, 406, 413, 415, 416 or any other 4xx without a class of its own.
 * Without a `status` the client refused it and sent nothing. Mend the request.
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

/**
 * 200 with `isError: true` or, of a recording, `success: false`: the service refused in the body alone. `message` says why,
 * where it does.
 */
export class EnvelopeError extends CallMediaError {
  override readonly name = "EnvelopeError";
}

/**
 * The answer is not what the contract says: no JSON, no envelope, a redirect, an unusable token,
 * wrong bytes. Check `baseUrl`; then tell whoever runs the service.
 */
export class ProtocolError extends CallMediaError {
  override readonly name = "ProtocolError";
}

/** No answer or a broken one, after the client's own retries. See `cause`, and try again. */
export class ConnectionError extends CallMediaError {
  override readonly name = "ConnectionError";
}

/** The service took longer than a time-out of the client allows. Try again, or allow more. */
export class TimeoutError extends CallMediaError {
  override readonly name = "TimeoutError";
}

/** The caller's signal stopped the call. `cause` is the signal's reason. */
export class AbortError extends CallMediaError {
  override readonly name = "AbortError";
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
 * Whether `error` is of the family or, with `name`, of that class.
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
  return (
    error instanceof CallMediaError && [undefined, "CallMediaError", error.name].includes(name)
  );
}

/**
 * The status with which the service refused a call, 200 where it did so in the body alone; NaN where it did not refuse it,
 * or refused the sign-in before it.
 */
export function toRefusal(error: unknown): number {
  const isOfCall = error instanceof CallMediaError && error.operationId !== "createToken";
  return isOfCall && !(error instanceof ProtocolError) ? Number(error.status) : NaN;
}
