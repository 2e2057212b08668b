// Converts errors to the page's words: the fault, and the next step.
import {
  AbortError,
  CallMediaError,
  ConnectionError,
  ProtocolError,
  TimeoutError,
} from "@call-media/client";

/** The closed list of faults that the page has a sentence for. */
export type FaultKind =
  | "unreachable"
  | "no-cookie"
  | "refused"
  | "admin-named"
  | "too-many"
  | "forbidden"
  | "not-own-page"
  | "missing"
  | "invalid"
  | "no-words"
  | "unavailable"
  | "not-the-service"
  | "unknown";

export interface Fault {
  readonly kind: FaultKind;
  /** The service's sentence (D13); empty if there is none. */
  readonly message?: string;
  /** The id to quote to the operator. */
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** A fault of a request that bypassed the client. */
export class FaultError extends Error {
  override readonly name = "FaultError";
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.kind, options);
    this.fault = fault;
  }

  static async fromResponse(response: Response): Promise<FaultError> {
    const body: unknown = await response.json().catch(() => undefined);
    const sent = body instanceof Object && "errorMessage" in body ? body.errorMessage : undefined;
    const message = typeof sent === "string" ? sent : "";
    const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
    return new FaultError({
      kind: toKind(response.status, message),
      message,
      requestId: response.headers.get("X-Request-Id") ?? undefined,
      retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    });
  }
}

export function toFault(error: unknown): Fault {
  if (error instanceof FaultError) return error.fault;
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return { kind: "unreachable" };
  if (error instanceof ProtocolError && error.code === "CLIENT_WORDS_NOT_APPLIED")
    return { kind: "no-words" };
  if (error instanceof ProtocolError)
    return { kind: "not-the-service", message: error.message, requestId: error.requestId };
  if (!(error instanceof CallMediaError)) return { kind: "unknown", message: String(error) };
  return {
    kind: toKind(error.status ?? 0, error.message),
    message: error.message,
    requestId: error.requestId,
    retryAfterSeconds:
      error.retryAfterMs === undefined ? undefined : Math.ceil(error.retryAfterMs / 1000),
  };
}

// Only the server's sentence distinguishes this 403 from that of a missing right.
const NOT_OWN_PAGE = "Only the console's own page may send this request";

// The status does not distinguish an administrator, whom the proxy may not sign in, from an unknown user.
const ADMIN_NAMED = "The proxy names an administrator";

function toKind(status: number, message: string): FaultKind {
  if (status === 401) return message.includes(ADMIN_NAMED) ? "admin-named" : "refused";
  if (status === 403) return message.includes(NOT_OWN_PAGE) ? "not-own-page" : "forbidden";
  if (status === 404) return "missing";
  if (status === 429) return "too-many";
  if (status >= 500) return "unavailable";
  return status >= 400 ? "invalid" : "unknown";
}

/** True if the request was aborted on purpose, which is not reported. */
export const isAbort = (error: unknown): boolean =>
  error instanceof AbortError || (error instanceof DOMException && error.name === "AbortError");
