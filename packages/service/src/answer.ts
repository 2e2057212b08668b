// The response for a transport: its headers, its body, and the facts that may be logged.
import type { OperationId } from "@call-media/api";
import { isFault } from "@call-media/store";
import type { ErrorCode, ResponseHeaders, ServiceError } from "./errors.ts";
import type { ServiceRequest } from "./request.ts";

export interface Reply {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string | Uint8Array | StreamedBody | undefined;
}

/** A reply with X-Request-Id and Content-Length, and without a body for HEAD (RFC 9110, section 9.3.2). */
export interface Answer extends Reply {
  readonly facts: Facts;
}

/** A body that is read in chunks. Its length is known beforehand, so that a truncated body is never mistaken for a complete one. */
export interface StreamedBody {
  readonly bytes: number;
  /** Can be read once. A chunk is valid until the next one is requested: its buffer is reused. Throws if the file is damaged. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** False once the credential has ended. Call it every few seconds: sending a recording takes long (D35). */
  readonly isStillValid: () => Promise<boolean>;
  /** Closes the file, and logs the amount sent to the access log if the body is incomplete. Must be called once, in any case. */
  readonly close: (sent: Sent) => Promise<void>;
}

export interface Sent {
  /** Bytes of the body that were handed to the connection. */
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** Facts for logs and metrics: they contain no secret, and nothing from a record. */
export interface Facts {
  /** Undefined outside of the contract's operations. */
  readonly operationId: OperationId | undefined;
  readonly userId: number | undefined;
  /** True if the request used a session of the console (D35). */
  readonly isSession: boolean;
  /** The secretID of a failed sign-in, as logs may show it. */
  readonly triedID: string | undefined;
  /** The code of an error. */
  readonly code: ErrorCode | undefined;
  /** The reason for a 5xx, if the caller is still connected. */
  readonly failure: unknown;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** Caches must not store the content of the archive, and browsers must not guess its type. */
const PRIVATE: ResponseHeaders = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

export function toJsonReply(body: unknown, headers?: ResponseHeaders): Reply {
  return {
    status: 200,
    headers: { ...PRIVATE, ...headers, "Content-Type": JSON_TYPE },
    body: JSON.stringify(body),
  };
}

export function toStreamReply(
  status: number,
  headers: ResponseHeaders,
  body?: StreamedBody,
): Reply {
  return { status, headers: { ...PRIVATE, ...headers }, body };
}

/** RFC 9110, section 9.3.7. It reveals nothing that 405 would not, so it needs no credentials. */
export function toOptionsReply(methods: readonly string[]): Reply & { readonly body: undefined } {
  return { status: 204, headers: { Allow: methods.join(", ") }, body: undefined };
}

/** The error envelope and its code (D13). */
export function toErrorReply(error: ServiceError): Reply & { readonly body: string } {
  const { status, code, message } = error;
  const body = JSON.stringify({ isError: true, errorMessage: message, data: [] });
  const own = { "X-Error-Code": code, "Content-Type": JSON_TYPE };
  return { status, headers: { ...PRIVATE, ...error.headers, ...own }, body };
}

const NO_FACTS: Facts = {
  operationId: undefined,
  userId: undefined,
  isSession: false,
  triedID: undefined,
  code: undefined,
  failure: undefined,
};

type Asked = Pick<ServiceRequest, "method" | "requestId" | "isGone">;

/** The error as a response to this request; `known` has the other known facts. */
export function toErrorAnswer(error: ServiceError, asked: Asked, known?: Partial<Facts>): Answer {
  // A damaged credential is rejected, and the operator has to know why.
  const isFailure = (error.status >= 500 || isFault(error.cause, "damaged")) && !asked.isGone();
  const failure = isFailure ? (error.cause ?? error) : undefined;
  return toAnswer(toErrorReply(error), asked, { ...known, code: error.code, failure });
}

/** The reply in response to this request. */
export function toAnswer(
  { status, headers: own, body }: Reply,
  { method, requestId }: Asked,
  known?: Partial<Facts>,
): Answer {
  const facts = { ...NO_FACTS, ...known };
  const headers = { ...own, "X-Request-Id": requestId };
  if (body === undefined) return { status, headers, body, facts };
  const bytes = isStreamed(body) ? body.bytes : Buffer.byteLength(body);
  return {
    status,
    headers: { ...headers, "Content-Length": bytes },
    body: method === "HEAD" ? undefined : body,
    facts,
  };
}

export function isStreamed(body: Reply["body"]): body is StreamedBody {
  return typeof body === "object" && "pieces" in body;
}
