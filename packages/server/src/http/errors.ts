// The catalogue of everything the service refuses (D12): one function an error, a status and a sentence that names the
// field and the fault (D13). Nothing else in this package decides a status of 400 or above.
import type { OutgoingHttpHeaders } from "node:http";

/** An answer other than success; `message` is the envelope's errorMessage and holds nothing secret. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;

  constructor(
    status: number,
    message: string,
    options: ErrorOptions & { headers?: OutgoingHttpHeaders } = {},
  ) {
    super(message, options);
    this.status = status;
    this.headers = options.headers ?? {};
  }
}

const CLOSE = { headers: { Connection: "close" } };

export const badRequest = (fault: string) => new ServiceError(400, fault);

/** RFC 6750, section 3: a request without credentials is told the scheme alone (D14). */
export const tokenMissing = () =>
  new ServiceError(401, "The Authorization header is missing", {
    headers: { "WWW-Authenticate": "Bearer" },
  });

/** RFC 6750, section 3.1: one error code for all; the description tells the holder of a token what to do. */
export const tokenRefused = (reason: "is malformed" | "is unknown" | "expired" | "was revoked") => {
  const description = `The access token ${reason}`;
  const challenge = `Bearer error="invalid_token", error_description="${description}"`;
  return new ServiceError(401, description, { headers: { "WWW-Authenticate": challenge } });
};

/** One sentence for an unknown id and for a wrong key, and for a user who may not sign in (D14, D20). */
export const credentialsRefused = () =>
  new ServiceError(401, "The secretID or the secretKey is wrong", {
    headers: { "WWW-Authenticate": "Bearer" },
  });

export const keyRefused = () =>
  new ServiceError(401, "The API key is unknown, revoked or expired", {
    headers: { "WWW-Authenticate": "Bearer" },
  });
/** A request below /console/api without a valid session (D35). */
export const sessionMissing = () =>
  new ServiceError(401, "There is no session, or it has ended: sign in", {
    headers: { "WWW-Authenticate": "Bearer" },
  });
export const proxyUserUnknown = () =>
  new ServiceError(401, "The archive has no active user with the name that the proxy gives", {
    headers: { "WWW-Authenticate": "Bearer" },
  });
/** What a page of another site, another origin of this host or a worker makes a browser send (D35). */
export const notFromConsole = () =>
  new ServiceError(403, "Only the console's own page may send this request");

export const forbidden = (right: string) => new ServiceError(403, right);
/** D24: what came so could be read, and changed, on its way to the proxy. */
export const plainRefused = () =>
  new ServiceError(403, "The request came to the proxy over plain HTTP; HTTPS alone is answered");
export const recordingNotFound = (identifier: string) =>
  new ServiceError(404, `There is no recording for this ${identifier}`);
export const pathUnknown = () =>
  new ServiceError(404, "There is no such path; /docs lists those there are");
export const pageUnknown = (pages: readonly string[]) =>
  new ServiceError(404, `There is no such page; there are ${pages.join(", ")}`);
export const documentationNotBuilt = () =>
  new ServiceError(
    404,
    "The documentation was not built: run pnpm start; /openapi.yaml is the document itself",
  );
export const methodNotAllowed = (allowed: readonly string[]) =>
  new ServiceError(405, `This path answers ${allowed.join(", ")}`, {
    headers: { Allow: allowed.join(", ") },
  });
export const notAcceptable = () =>
  new ServiceError(406, "The Accept header allows none of the forms this answer has");
export const bodyTooLarge = (maxBytes: number) =>
  new ServiceError(413, `The body is larger than ${maxBytes} bytes`);
export const unsupportedMediaType = (fault: string) => new ServiceError(415, fault);
/** RFC 9110, section 15.5.17: also a range that cannot be read; `bytes` is the size of the whole. */
export const rangeNotSatisfiable = (fault: string, bytes: number) =>
  new ServiceError(416, fault, { headers: { "Content-Range": `bytes */${bytes}` } });
export const rangePastTheEnd = (bytes: number) =>
  rangeNotSatisfiable(
    `Range starts past the end of the recording, which has ${bytes} bytes`,
    bytes,
  );
export const tooManyRequests = (retryAfterSeconds: number, headers: OutgoingHttpHeaders) =>
  new ServiceError(429, `Too many requests; try again in ${retryAfterSeconds} seconds`, {
    headers: { ...headers, "Retry-After": String(retryAfterSeconds) },
  });
export const urlTooLong = (maxBytes: number) =>
  new ServiceError(414, `The address of the request is longer than ${maxBytes} bytes`, CLOSE);
export const headersTooLarge = (maxBytes: number) =>
  new ServiceError(431, `The headers are too many, or larger than ${maxBytes} bytes`, CLOSE);
export const requestTimedOut = () =>
  new ServiceError(408, "The request took too long to arrive", CLOSE);
/** Where one message ends and the next begins is not sure: nothing more is read from the connection. */
export const framingUnclear = (fault: string) => new ServiceError(400, fault, CLOSE);
export const requestUnreadable = () => new ServiceError(400, "This is no HTTP request", CLOSE);
export const internalError = (cause: unknown) =>
  new ServiceError(500, "The service failed; quote the X-Request-Id when you report it", { cause });
export const unavailable = (cause: unknown) =>
  new ServiceError(503, "The service is not available; try again later", {
    cause,
    headers: { "Retry-After": "5" },
  });
/** D23: every place is taken, and nobody has more of them than the caller. */
export const serviceFull = () =>
  new ServiceError(503, "The service is full; try again in 5 seconds", {
    headers: { ...CLOSE.headers, "Retry-After": "5" },
  });
/** What the store says of a search that it refused is meant for whoever asked. */
export const searchRefused = (refusal: Error) =>
  new ServiceError(503, refusal.message, {
    cause: refusal.cause ?? refusal,
    headers: { "Retry-After": "5" },
  });
