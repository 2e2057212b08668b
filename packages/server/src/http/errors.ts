// The edge's own errors, before the operations run: the sentences for codes of the service's catalogue.
import { ServiceError } from "@call-media/service";

const CLOSE = { headers: { Connection: "close" } };
const CHALLENGE = { headers: { "WWW-Authenticate": "Bearer" } };

export const urlTooLong = (maxBytes: number) =>
  new ServiceError(
    "CM_URL_TOO_LONG",
    `The address of the request is longer than ${maxBytes} bytes`,
    CLOSE,
  );
export const headersTooLarge = (maxBytes: number) =>
  new ServiceError(
    "CM_HEADERS_TOO_LARGE",
    `The headers are too many, or larger than ${maxBytes} bytes`,
    CLOSE,
  );
export const requestTimedOut = () =>
  new ServiceError("CM_REQUEST_TIMEOUT", "The request took too long to arrive", CLOSE);
/** The lines before the body are not those of a single request. */
export const requestMalformed = (fault: string) => new ServiceError("CM_REQUEST_MALFORMED", fault);
/** The boundary between two messages is uncertain: nothing more is read from the connection. */
export const framingUnclear = (fault: string) =>
  new ServiceError("CM_REQUEST_MALFORMED", fault, CLOSE);
export const requestUnreadable = () => framingUnclear("This is not an HTTP request");
/** D24: a plain request could be read and changed on its way to the proxy. */
export const plainRefused = () =>
  new ServiceError(
    "CM_HTTPS_REQUIRED",
    "The request came to the proxy over plain HTTP; HTTPS alone is answered",
  );
/** D23: every place is taken, and no caller has more of them than this one. */
export const serviceFull = () =>
  new ServiceError("CM_SERVICE_FULL", "The service is full; try again in 5 seconds", {
    headers: { ...CLOSE.headers, "Retry-After": "5" },
  });
export const pageUnknown = (pages: readonly string[]) =>
  new ServiceError("CM_PATH_UNKNOWN", `There is no such page; there are ${pages.join(", ")}`);
/** On the operators' port, whose pages need no credentials. */
export const hostUnknown = () =>
  new ServiceError(
    "CM_HOST_UNKNOWN",
    "Host is not a name of this machine: use its address, or give the name as --metrics-host",
  );
export const documentationNotBuilt = () =>
  new ServiceError(
    "CM_PATH_UNKNOWN",
    "The documentation was not built: run pnpm start; /openapi.yaml is the document itself",
  );
/** A browser's request for a page of another site, another origin of this host, or a worker (D35). */
export const notFromConsole = () =>
  new ServiceError("CM_NOT_FROM_CONSOLE", "Only the console's own page may send this request");
/** A request below /console/api without a valid session (D35). */
export const sessionMissing = () =>
  new ServiceError(
    "CM_SESSION_MISSING",
    "There is no session, or it has ended: sign in",
    CHALLENGE,
  );
/** D40: the access log names what persons looked at. */
export const adminNeeded = () =>
  new ServiceError("CM_ADMIN_NEEDED", "Only administrators see who looked at a call");
export const proxyUserUnknown = (cause?: unknown) =>
  new ServiceError(
    "CM_PROXY_USER_UNKNOWN",
    "The archive has no active user with the name that the proxy gives",
    { ...CHALLENGE, cause },
  );
export const proxyAdminRefused = () =>
  new ServiceError(
    "CM_PROXY_ADMIN_REFUSED",
    "The proxy names an administrator, whom it may not sign in: sign in with an API key, or with secretID and secretKey",
    CHALLENGE,
  );
