// The fifteen calls: building the request with openapi-fetch, sending it, reading the answer.
import type { paths } from "@call-media/api";
import createOpenapiClient from "openapi-fetch";

import { isObject, readSuccess, toStream } from "./answer.ts";
import { InvalidRequestError, type Operation } from "./errors.ts";
import { createSend, createSessionSend, type Send } from "./exchange.ts";
import type { DataOf, InitArguments, InitOf, PathWith } from "./operation-types.ts";
import type { Credentials, ParsedOptions } from "./options.ts";
import { createKeySession, createTokenSession, type SignIn } from "./session.ts";

/** What a call gives. Everything else is thrown. */
export interface Answer<Data> {
  /** The success envelope (for POST /Token the token), or with `parseAs: "stream"` the bytes. */
  readonly data: Data;
  /** Status and headers. Its body is `data`: it is read already, or it is that very stream. */
  readonly response: Response;
}

/**
 * The fifteen operations, by method and path template, typed from the contract.
 *
 * The recording streams take `parseAs: "stream"`. A caller that sends `If-None-Match` must look at
 * `response.status`: 304 comes with an empty stream (D16).
 *
 * @throws CallMediaError in one of its classes, or the reason of the signal.
 */
export interface ContractCalls {
  GET<P extends PathWith<"get">>(
    path: P,
    ...init: InitArguments<InitOf<paths[P]["get"]>>
  ): Promise<Answer<DataOf<paths[P]["get"]>>>;
  POST<P extends PathWith<"post">>(
    path: P,
    ...init: InitArguments<InitOf<paths[P]["post"]>>
  ): Promise<Answer<DataOf<paths[P]["post"]>>>;
}

/** What any of the calls may be given; the types above say which takes what. */
interface CallInit {
  readonly params?: {
    readonly path?: Record<string, unknown>;
    readonly query?: Record<string, unknown>;
    readonly header?: Record<string, unknown>;
  };
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal | undefined;
  readonly parseAs?: "stream";
}

type Call = (operation: Operation, init: CallInit) => Promise<Answer<unknown>>;

/** What openapi-fetch has to know of an operation to build its request. */
interface AnyOperation {
  parameters: { path?: object; query?: object; header?: object };
  requestBody?: { content: { "application/json": unknown } };
  responses: { 200: { content: { "application/json": unknown } } };
}

/** The calls, on one session that they share. */
export function createContractCalls(options: ParsedOptions): ContractCalls {
  const send = createSend(options.fetch);
  const plainCall = createCall(options.baseUrl, send);
  const session =
    options.credentials === undefined
      ? createKeySession(options.apiKey)
      : createTokenSession(() => signIn(plainCall, options.credentials));
  const sessionCall = createCall(options.baseUrl, createSessionSend(send, session));
  const callWith =
    (method: Operation["method"]) =>
    (path: string, init: CallInit = {}) =>
      (path === TOKEN.path ? plainCall : sessionCall)({ method, path }, init);
  // The types of the contract allow less than the two functions can do.
  return { GET: callWith("GET"), POST: callWith("POST") } as ContractCalls;
}

const TOKEN = { method: "POST", path: "/Token" } as const;

function createCall(baseUrl: string, send: Send): Call {
  const openapi = createOpenapiClient<Record<string, Record<"get" | "post", AnyOperation>>>({
    baseUrl,
    // No operation redirects, and a redirect would take the token or the secret to another address.
    redirect: "error",
  });
  return async (operation, { params = {}, body, headers = {}, signal, parseAs }) => {
    checkPath(operation, params.path ?? {});
    const exchange = { ...operation, signal, secret: toSecret(body) };
    const { response } = await openapi[operation.method](operation.path, {
      params,
      body,
      headers,
      signal: signal ?? null,
      // Left unread by openapi-fetch, which throws a bare SyntaxError at what is not JSON.
      parseAs: "stream",
      fetch: (request) => send(request, exchange),
    });
    const read = parseAs === "stream" ? toStream : readSuccess;
    return { data: await read(response, exchange), response };
  };
}

/**
 * Refuses what would make the URL name another host or path than the one that is meant.
 *
 * @throws InvalidRequestError naming the fault; nothing was sent.
 */
function checkPath(operation: Operation, values: Record<string, unknown>): void {
  // Joined to the base address, anything else would go on with the name of the host.
  if (!operation.path.startsWith("/"))
    throw new InvalidRequestError("path must start with /", operation);
  for (const [, name = ""] of operation.path.matchAll(/\{(\w+)\}/g)) {
    const value = values[name];
    const fault =
      typeof value !== "string" || value === ""
        ? "must be a string that is not empty"
        : value === "." || value === ".."
          ? "must not be . or .., which lead to another path"
          : value.isWellFormed()
            ? undefined
            : "must not have half a surrogate pair";
    if (fault !== undefined) throw new InvalidRequestError(`${name} ${fault}`, operation);
  }
}

function toSecret(body: unknown): string | undefined {
  const secretKey = isObject(body) ? body["secretKey"] : undefined;
  return typeof secretKey === "string" ? secretKey : undefined;
}

async function signIn(call: Call, { secretID, secretKey }: Credentials): Promise<SignIn> {
  const { data, response } = await call(TOKEN, { body: { secretID, secretKey } });
  const { access_token: accessToken, expires } = isObject(data) ? data : {};
  // By its own clock the service's `expires` is right even where this machine's clock is not.
  const answeredAtMs = Date.parse(response.headers.get("Date") ?? "") || Date.now();
  return { accessToken, expires, answeredAtMs };
}
