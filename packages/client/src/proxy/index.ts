// The entry point `@call-media/client/proxy`: a back end that forwards requests of its own page to the service.
import type { OperationId } from "@call-media/api";
import { operationIds } from "@call-media/api/operation-ids";

import { type Caller, createCaller } from "../call/caller.ts";
import { AMBIGUOUS_PATH, isAmbiguous } from "../call/dot-segments.ts";
import type { Read } from "../call/exchange.ts";
import { findTemplate, TOKEN_PATH, toOperation } from "../call/request.ts";
import {
  isStream,
  readCopy,
  readStream,
  toErrorEnvelope,
  toHeadersWithoutBody,
} from "../call/web-response.ts";
import { check } from "../check.ts";
import { CallMediaError, type Operation, toRefusalStatus } from "../errors.ts";
import { type ContractOptions, parseOptions } from "../options.ts";

export type { ContractOptions } from "../options.ts";

/** The URL of the service, the credentials, and the location of the proxy. */
export type ProxyOptions = ContractOptions & {
  /**
   * Path of your server below which the paths of the contract begin, such as `/archive`: the same as where you mount the
   * handler. Default: none.
   */
  readonly prefix?: string | undefined;
  /** Names of the operations that pages may call; others get 403. Default: all but `createToken`. */
  readonly only?: readonly PassedOperation[] | undefined;
};

/** An operation that a proxy may forward. Pages can never request a token. */
export type PassedOperation = Exclude<OperationId, "createToken">;

/**
 * Returns the response to a request of the Fetch standard. Never rejects.
 *
 * @param target The original target of the request line. Needed if the server has already resolved the URL of `request`, as
 * `@hono/node-server` does: `context.env.incoming.url`.
 */
export type Proxy = (request: Request, target?: string) => Promise<Response>;

/** Headers of the page's request that are forwarded to the service. Cookies and Authorization belong to your server. */
const PASSED = ["Accept", "Content-Type", "If-None-Match", "If-Range", "Prefer", "Range"];

/** Headers of the service that concern its connection or its own origin (RFC 9110, 7.6.1). */
const HELD =
  /^(access-control-.*|alt-svc|connection|keep-alive|set-cookie|strict-transport-security|trailer|transfer-encoding|upgrade|www-authenticate)$/;

/**
 * Makes a handler that forwards requests below `prefix` to the service, with the client's sign-in, retries and time-outs. It returns the
 * service's responses: JSON, and recordings as streams, with Range, 206, 304 and 416.
 *
 * - The page sees neither secrets nor tokens, and cannot request one.
 * - Your server must check the page's rights before it calls the handler. All requests have the rights of one user.
 * - An ambiguous path is refused with 400: one with a dot segment, an empty segment, a backslash, or an encoded slash or control character.
 *   A router might read it differently from the service.
 * - `only` names the operations that are forwarded.
 * - The page gets 502 if the service refuses the proxy itself (401), cannot be reached or leaves the contract, and 504 after a time-out.
 *   `onEvent` and `X-Error-Code` have the reason.
 *
 * @throws TypeError naming the option that is missing or wrong.
 * @example
 * ```ts
 * const proxy = createProxy({ baseUrl: "https://archive.example.com", credentials, prefix: "/archive" });
 * app.all("/archive/*", (context) => proxy(context.req.raw, context.env.incoming.url)); // Hono; Express: see toNodeHandler
 * ```
 */
export function createProxy({ prefix = "", only = PASSED_ON, ...options }: ProxyOptions): Proxy {
  const caller = createCaller(parseOptions(options));
  check(
    /^(\/[^/?#]+)*$/.test(prefix),
    "prefix must begin with a slash and not end with one, such as /archive",
  );
  checkNames(only);
  return async (request, target = request.url) => {
    if ([target, request.url].some(isAmbiguous))
      return toErrorEnvelope(AMBIGUOUS_PATH, { status: 400 });
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith(`${prefix}/`))
      return toErrorEnvelope(`This proxy answers paths below ${prefix}`, { status: 404 });
    const path = pathname.slice(prefix.length);
    const operation = find(request.method, path);
    if (operation instanceof Response) return operation;
    const { operationId } = operation;
    if (!only.some((one) => one === operationId))
      return toErrorEnvelope(`This proxy does not pass on ${operationId}`, { status: 403 });
    try {
      return await forward(request, {
        operation,
        url: caller.options.baseUrl + path + search,
        caller,
      });
    } catch (error) {
      return toErrorResponse(error, operation);
    }
  };
}

const PASSED_ON = Object.values(operationIds).filter((one) => one !== "createToken");

function checkNames(only: readonly PassedOperation[]): void {
  check(Array.isArray(only), "only must be a list of names of operations");
  for (const name of only) {
    const isKnown = PASSED_ON.includes(name);
    check(
      isKnown,
      `only may not have ${JSON.stringify(name)}; it may have ${PASSED_ON.join(", ")}`,
    );
  }
}

/** The operation of a request, or a refusal if there is none. */
function find(method: string, path: string): Operation | Response {
  const template = findTemplate(path);
  if (template === undefined || template === TOKEN_PATH)
    return toErrorEnvelope("The contract has no such path; is the prefix of the proxy right?", {
      status: 404,
    });
  try {
    if (method !== "HEAD") return toOperation(method as Operation["method"], template);
    const operation = toOperation("GET", template);
    if (isStream(operation)) return { ...operation, method: "HEAD" };
  } catch {
    // The contract has no such method of this path.
  }
  return toErrorEnvelope("The contract has no such method of this path", { status: 405 });
}

interface Target {
  readonly operation: Operation;
  readonly url: string;
  readonly caller: Caller;
}

async function forward(request: Request, { operation, url, caller }: Target): Promise<Response> {
  const headers = new Headers();
  for (const name of PASSED) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const body = operation.method === "POST" ? await request.text() : null;
  const { signal } = request;
  const call = caller.begin(operation, { url, signal, headers, body, secret: "" });
  const isBytes = isStream(operation) && operation.method === "GET";
  const response = await caller.send(call, toRead(isBytes, operation));
  const kept = toKeptHeaders(response.headers);
  // `fetch` has decoded the body.
  if (kept.has("Content-Encoding") || !isStream(operation))
    for (const name of ["Content-Encoding", "Content-Length"]) kept.delete(name);
  return new Response(response.body, { status: response.status, headers: kept });
}

function toRead(isBytes: boolean, { method }: Operation): Read<Response> {
  if (isBytes) return readStream;
  return method === "HEAD" ? readHead : readCopy;
}

const readHead: Read<Response> = async ({ response, watch }) => {
  watch.release();
  return new Response(null, response);
};

function toKeptHeaders(given: Headers): Headers {
  const headers = new Headers(given);
  for (const name of given.keys()) if (HELD.test(name)) headers.delete(name);
  return headers;
}

/** The response of the service, if it concerns this request. Otherwise that of a gateway (RFC 9110, 15.6). */
function toErrorResponse(error: unknown, operation: Operation): Response {
  if (!(error instanceof CallMediaError)) return toErrorEnvelope("Bad gateway", { status: 502 });
  const refused = toRefusalStatus(error);
  const isOfPage = error.operationId === operation.operationId && refused >= 400 && refused !== 401;
  if (isOfPage) {
    const headers = toKeptHeaders(toHeadersWithoutBody(error.headers));
    return toErrorEnvelope(error.message, { status: refused, headers });
  }
  const status = GATEWAY_STATUS[error.name] ?? 502;
  // The message may name hosts behind the proxy.
  const message = status === 400 ? error.message : "The archive gave no usable response";
  return toErrorEnvelope(message, { status, headers: { "X-Error-Code": error.code } });
}

/** Statuses for errors without a usable response of the service. 499 is nginx's status for a client that disconnected. */
const GATEWAY_STATUS: Readonly<Record<string, number>> = {
  AbortError: 499,
  InvalidRequestError: 400,
  TimeoutError: 504,
};
