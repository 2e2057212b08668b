// The entry point `@call-media/client/proxy`: a back end that passes requests of its own page on to the service.
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

/** Where the service is, who calls, and where the proxy is. */
export type ProxyOptions = ContractOptions & {
  /**
   * Path of your server below which the paths of the contract begin, such as `/archive`: the same as where you mount the
   * handler. Default: none.
   */
  readonly prefix?: string | undefined;
  /** Names of the operations that pages may call; every other one is answered 403. Default: all but `createToken`. */
  readonly only?: readonly PassedOperation[] | undefined;
};

/** An operation that a proxy may pass on: no page gets a token. */
export type PassedOperation = Exclude<OperationId, "createToken">;

/**
 * Answers a request of the Fetch standard. Never rejects.
 *
 * @param target of the request line, as it came, where the server has resolved the URL of `request` already, as
 * `@hono/node-server` does: `context.env.incoming.url`.
 */
export type Proxy = (request: Request, target?: string) => Promise<Response>;

/** Headers of the page's request that the service gets. Cookies and Authorization are yours. */
const PASSED = ["Accept", "Content-Type", "If-None-Match", "If-Range", "Prefer", "Range"];

/** Headers of the service that are about its connection, or for its own origin (RFC 9110, 7.6.1). */
const HELD =
  /^(access-control-.*|alt-svc|connection|keep-alive|set-cookie|strict-transport-security|trailer|transfer-encoding|upgrade|www-authenticate)$/;

/**
 * Makes a handler that sends requests below `prefix` on to the service, with the client's sign-in, retries and time-outs,
 * and returns its responses: JSON, and recordings as streams, with Range, 206, 304 and 416.
 *
 * - The page sees neither secrets nor tokens, and cannot request one.
 * - Who may see what is for your server to decide, before it calls the handler. All requests have the rights of one user.
 * - A path that a router may read as another than the service does is refused with 400: one with a dot segment or an empty
 *   one, a backslash, or an encoded slash or control character.
 * - `only` names the operations that are passed on.
 * - If the service refuses the proxy itself (401), fails to connect or leaves the contract, the page gets 502; after a
 *   time-out 504. `onEvent` and `X-Error-Code` have the reason.
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

/** The operation of a request, or the refusal of another. */
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

/** The response of the service, if it is about this request; otherwise that of a gateway (RFC 9110, 15.6). */
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

/** Of errors that no response of the service is about. 499, as nginx has it: nobody waits for the response. */
const GATEWAY_STATUS: Readonly<Record<string, number>> = {
  AbortError: 499,
  InvalidRequestError: 400,
  TimeoutError: 504,
};
