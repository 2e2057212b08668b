// The errors a caller can act on: one family, one class for each thing to do about it.

/** The operation an error belongs to, as the contract writes it. */
export interface Operation {
  readonly method: "GET" | "POST";
  /** Path template, for example `/chat/by-call-id/{call_id}`. */
  readonly path: string;
}

/** What is known of the answer that an error was made from. */
export interface ErrorDetails {
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/**
 * Parent of every error that a call fails with. `message` is the service's own `errorMessage` (D13)
 * where it sent one. No secret, key or token is in the message, the properties or the cause.
 */
export class CallMediaError extends Error {
  override readonly name: string = "CallMediaError";
  readonly method: Operation["method"];
  /** Path template of the operation; what was filled in is left out, since it may be personal. */
  readonly path: string;
  /** HTTP status; undefined where there was no answer or nothing was sent. */
  readonly status: number | undefined;
  /** X-Request-Id of the answer, to quote when asking the operator of the service (D13). */
  readonly requestId: string | undefined;

  constructor(message: string, { method, path }: Operation, details: ErrorDetails = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.method = method;
    this.path = path;
    this.status = details.status;
    this.requestId = details.requestId;
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

/** 404: there is no such recording, or it may not be seen (D15, D21). */
export class NotFoundError extends CallMediaError {
  override readonly name = "NotFoundError";
}

/**
 * The request is wrong: 400, 405, 406, 413, 415, 416 or any other 4xx without a class of its own.
 * Without a `status` the client refused it and sent nothing.
 */
export class InvalidRequestError extends CallMediaError {
  override readonly name = "InvalidRequestError";
}

/** 429: too many requests (D23). Wait before the next one. */
export class RateLimitError extends CallMediaError {
  override readonly name = "RateLimitError";
  /** Milliseconds to wait, from Retry-After (RFC 9110, 10.2.3); undefined where it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    operation: Operation,
    details: ErrorDetails & { readonly retryAfterMs: number | undefined },
  ) {
    super(message, operation, details);
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** 5xx: the service failed. A later try may succeed. */
export class ServiceError extends CallMediaError {
  override readonly name = "ServiceError";
}

/** The answer is not what the contract says: no JSON, no envelope, an unusable token, wrong bytes. */
export class ProtocolError extends CallMediaError {
  override readonly name = "ProtocolError";
}

/** No answer or a broken one: no route, a refused redirect, a cut connection. See `cause`. */
export class ConnectionError extends CallMediaError {
  override readonly name = "ConnectionError";
}
