// The catalogue of all errors of the service (D12): a code, its status, and a function with a sentence that names the
// field and the fault (D13). The codes of a transport's errors are here, their sentences in the transport.

export type ResponseHeaders = Readonly<Record<string, string | number>>;

interface Kind {
  readonly status: number;
  /** The meaning in the documentation, to follow the code. */
  readonly means: string;
}

/** The codes of `X-Error-Code`. A code keeps its meaning; it reveals no more to a caller than status and sentence (D21). */
export const ERRORS = {
  CM_PARAMETER_INVALID: {
    status: 400,
    means: "A parameter is missing or not valid: path, query or header.",
  },
  CM_SEARCH_TOO_BROAD: { status: 400, means: "Too many calls to look for a beginning of words." },
  CM_BODY_INVALID: { status: 400, means: "A field of the body is missing, unknown or not valid." },
  CM_BODY_NOT_JSON: { status: 400, means: "The body is not one JSON text in UTF-8." },
  CM_REQUEST_MALFORMED: { status: 400, means: "This cannot be read as one HTTP request." },
  CM_TOKEN_MISSING: { status: 401, means: "There is no Authorization header." },
  CM_TOKEN_MALFORMED: { status: 401, means: "The Authorization header has no bearer token." },
  CM_TOKEN_UNKNOWN: { status: 401, means: "The service has no such token or API key." },
  CM_TOKEN_EXPIRED: { status: 401, means: "The token or API key has expired." },
  CM_TOKEN_REVOKED: { status: 401, means: "It was revoked, or its user cannot sign in." },
  CM_CREDENTIALS_WRONG: { status: 401, means: "They are wrong, or the user cannot sign in." },
  CM_KEY_REFUSED: { status: 401, means: "The console does not accept this API key." },
  CM_SESSION_MISSING: { status: 401, means: "The console has no session, or it has ended." },
  CM_PROXY_USER_UNKNOWN: { status: 401, means: "No active user has the proxy's user name." },
  CM_PROXY_ADMIN_REFUSED: { status: 401, means: "The proxy may not sign administrators in." },
  CM_DOWNLOAD_NOT_ALLOWED: { status: 403, means: "The user lacks allow_download." },
  CM_FILE_TYPE_NOT_ALLOWED: { status: 403, means: "allowed_download_doc_type lacks this type." },
  CM_HTTPS_REQUIRED: { status: 403, means: "The request reached a proxy over plain HTTP." },
  CM_ADMIN_NEEDED: { status: 403, means: "Only administrators of the console may ask this." },
  CM_NOT_FROM_CONSOLE: { status: 403, means: "Only the console's own page may send it." },
  CM_PATH_UNKNOWN: { status: 404, means: "There is no such path." },
  CM_RECORDING_UNKNOWN: { status: 404, means: "It does not exist, or may not be seen." },
  CM_METHOD_NOT_ALLOWED: { status: 405, means: "Allow lists the methods of this path." },
  CM_NOT_ACCEPTABLE: { status: 406, means: "Accept allows no form of the answer." },
  CM_REQUEST_TIMEOUT: { status: 408, means: "The request took too long to arrive." },
  CM_BODY_TOO_LARGE: { status: 413, means: "The body is too large." },
  CM_URL_TOO_LONG: { status: 414, means: "The address of the request is too long." },
  CM_MEDIA_TYPE_UNSUPPORTED: { status: 415, means: "The body is not declared as JSON in UTF-8." },
  CM_HOST_UNKNOWN: { status: 421, means: "The port of operators has another name." },
  CM_RANGE_NOT_SATISFIABLE: { status: 416, means: "The range is past the end, or unreadable." },
  CM_RATE_LIMITED: { status: 429, means: "The credential's requests of this minute are used." },
  CM_SIGN_IN_DELAYED: { status: 429, means: "Too many sign-ins failed, or are waiting." },
  CM_HEADERS_TOO_LARGE: { status: 431, means: "The headers are too many or too large." },
  CM_INTERNAL: { status: 500, means: "The service failed; its log has the reason." },
  CM_UNAVAILABLE: { status: 503, means: "The archive or its access log cannot be used now." },
  CM_SERVICE_FULL: { status: 503, means: "Too many answers are in flight." },
  CM_SEARCH_REFUSED: { status: 503, means: "It took too long, or too many searches wait." },
} as const satisfies Readonly<Record<`CM_${string}`, Kind>>;

export type ErrorCode = keyof typeof ERRORS;

interface ServiceErrorOptions extends ErrorOptions {
  readonly headers?: ResponseHeaders;
}

/** A response other than success; `message` is the envelope's errorMessage and contains no secret. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: ResponseHeaders;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.status = ERRORS[code].status;
    this.headers = options.headers ?? {};
  }
}

const CHALLENGE = { headers: { "WWW-Authenticate": "Bearer" } };
const RETRY_IN_5_S = { "Retry-After": "5" };

export const parameterInvalid = (fault: string) => new ServiceError("CM_PARAMETER_INVALID", fault);
export const bodyInvalid = (fault: string) => new ServiceError("CM_BODY_INVALID", fault);
export const bodyNotJson = (fault: string) => new ServiceError("CM_BODY_NOT_JSON", fault);

/** RFC 6750, section 3: the response to a request without credentials names only the scheme (D14). */
export const tokenMissing = () =>
  new ServiceError("CM_TOKEN_MISSING", "The Authorization header is missing", CHALLENGE);

const TOKEN_FAULTS = {
  "is malformed": "CM_TOKEN_MALFORMED",
  "is unknown": "CM_TOKEN_UNKNOWN",
  expired: "CM_TOKEN_EXPIRED",
  "was revoked": "CM_TOKEN_REVOKED",
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** RFC 6750, section 3.1: one `error` for all; the description tells the holder of a token what to do. */
/** `cause`: the damage. */
export const tokenRefused = (reason: keyof typeof TOKEN_FAULTS, cause?: unknown) => {
  const description = `The access token ${reason}`;
  const challenge = `Bearer error="invalid_token", error_description="${description}"`;
  const headers = { "WWW-Authenticate": challenge };
  return new ServiceError(TOKEN_FAULTS[reason], description, { headers, cause });
};

/** The same sentence for an unknown id, a wrong key, and a user who may not sign in (D14, D20). */
export const credentialsRefused = (cause?: unknown) =>
  new ServiceError("CM_CREDENTIALS_WRONG", "The secretID or the secretKey is wrong", {
    ...CHALLENGE,
    cause,
  });

export const keyRefused = (cause?: unknown) =>
  new ServiceError("CM_KEY_REFUSED", "The API key is unknown, revoked or expired", {
    ...CHALLENGE,
    cause,
  });

export const downloadNotAllowed = () =>
  new ServiceError("CM_DOWNLOAD_NOT_ALLOWED", "allow_download is not granted to this user");
export const fileTypeNotAllowed = (type: string) =>
  new ServiceError(
    "CM_FILE_TYPE_NOT_ALLOWED",
    `allowed_download_doc_type of this user does not list ${type || "files without an extension"}`,
  );
export const recordingNotFound = (identifier: string) =>
  new ServiceError("CM_RECORDING_UNKNOWN", `There is no recording for this ${identifier}`);
export const pathUnknown = () =>
  new ServiceError("CM_PATH_UNKNOWN", "There is no such path; /docs lists those there are");
export const methodNotAllowed = (allowed: readonly string[]) =>
  new ServiceError("CM_METHOD_NOT_ALLOWED", `This path answers ${allowed.join(", ")}`, {
    headers: { Allow: allowed.join(", ") },
  });
export const notAcceptable = () =>
  new ServiceError(
    "CM_NOT_ACCEPTABLE",
    "The Accept header allows none of the forms this answer has",
  );
export const bodyTooLarge = (maxBytes: number) =>
  new ServiceError("CM_BODY_TOO_LARGE", `The body is larger than ${maxBytes} bytes`);
export const unsupportedMediaType = (fault: string) =>
  new ServiceError("CM_MEDIA_TYPE_UNSUPPORTED", fault);
/** RFC 9110, section 15.5.17: also for an unreadable range; `bytes` is the complete size. */
export const rangeNotSatisfiable = (fault: string, bytes: number) =>
  new ServiceError("CM_RANGE_NOT_SATISFIABLE", fault, {
    headers: { "Content-Range": `bytes */${bytes}` },
  });
export const rangePastTheEnd = (bytes: number) =>
  rangeNotSatisfiable(
    `Range starts past the end of the recording, which has ${bytes} bytes`,
    bytes,
  );
export const tooManyRequests = (
  code: "CM_RATE_LIMITED" | "CM_SIGN_IN_DELAYED",
  retryAfterSeconds: number,
  headers: ResponseHeaders,
) =>
  new ServiceError(code, `Too many requests; try again in ${retryAfterSeconds} seconds`, {
    headers: { ...headers, "Retry-After": String(retryAfterSeconds) },
  });
export const internalError = (cause: unknown) =>
  new ServiceError("CM_INTERNAL", "The service failed; quote the X-Request-Id when you report it", {
    cause,
  });
export const unavailable = (cause: unknown) =>
  new ServiceError("CM_UNAVAILABLE", "The service is not available; try again later", {
    cause,
    headers: RETRY_IN_5_S,
  });
/** The store's sentences about a rejected search are meant for the caller. */
export const searchTooBroad = (refusal: Error) =>
  new ServiceError("CM_SEARCH_TOO_BROAD", refusal.message);
export const searchRefused = (refusal: Error) =>
  new ServiceError("CM_SEARCH_REFUSED", refusal.message, {
    cause: refusal.cause ?? refusal,
    headers: RETRY_IN_5_S,
  });
