// The entry point `@call-media/client/openapi-fetch`: openapi-fetch writes the requests, the transport of the client sends them.
import type { paths } from "@call-media/api";
import createFetchClient, {
  type Client,
  createQuerySerializer,
  defaultPathSerializer,
  type Middleware,
} from "openapi-fetch";

import { type Caller, createCaller } from "../call/caller.ts";
import { CallMediaError, InvalidRequestError, type Operation } from "../errors.ts";
import type { Call } from "../call/exchange.ts";
import { type ContractOptions, parseOptions } from "../options.ts";
import { type CallInit, findTemplate, toOperation, toUrl } from "../call/request.ts";
import {
  isStream,
  readCopy,
  readStream,
  toErrorEnvelope,
  toHeadersWithoutBody,
} from "../call/web-response.ts";
import { isObject, isText, parseJson } from "../values.ts";

export type { ContractOptions } from "../options.ts";

/** The client of openapi-fetch with the paths of the contract, `use` and `eject` for middleware included. */
export type OpenapiFetchClient = Client<paths>;

/**
 * A client of openapi-fetch with the sign-in, retries, time-outs, checks and events of the main entry point.
 *
 * - A status of 400 or higher is returned as `error`. It is always the contract's error envelope, built by the client if the service sent
 *   something else.
 * - A 304 after a conditional request is returned with `error: ""`; see `response.status`.
 * - A CallMediaError is thrown for everything else: no response, a time-out, your signal, a refused sign-in, an identifier that would lead
 *   to another path, or a success that violates the contract.
 * - A TypeError is thrown for a request outside the contract, or to another `baseUrl`. Nothing is sent.
 *
 * @throws TypeError naming the option that is missing or wrong.
 * @example
 * ```ts
 * const client = createOpenapiFetchClient({ baseUrl: "https://archive.example.com", credentials });
 * const { data, error } = await client.GET("/flags/public");
 * ```
 */
export function createOpenapiFetchClient(options: ContractOptions): OpenapiFetchClient {
  const caller = createCaller(parseOptions(options));
  const { baseUrl } = caller.options;
  const fetch = (request: Request) => send(request, find(request, baseUrl), caller);
  const client = createFetchClient<paths>({
    baseUrl,
    fetch,
    pathSerializer: (path, values) => write(path, () => defaultPathSerializer(path, values)),
    querySerializer: (values) => write("", () => createQuerySerializer()(values)),
  });
  client.use({ onRequest: (asked) => checkRequest(asked, baseUrl) });
  return client;
}

/** A lone surrogate cannot be encoded. `checkRequest` rejects it, but only after the request was written. */
function write(instead: string, serialize: () => string): string {
  try {
    return serialize();
  } catch {
    return instead;
  }
}

/** Rejects what the written request no longer shows: openapi-fetch writes `..`, and parses audio as JSON. */
function checkRequest(
  asked: Parameters<NonNullable<Middleware["onRequest"]>>[0],
  baseUrl: string,
): void {
  const { request, schemaPath, params, options } = asked;
  // Refuses any other method.
  const operation = toOperation(request.method as Operation["method"], schemaPath);
  // Only checks the values: openapi-fetch has its own serializers.
  const url = toUrl(baseUrl, operation, params as CallInit["params"]);
  const fault = `${operation.operationId} gives bytes: parseAs must be "stream", "blob" or "arrayBuffer"`;
  if (isStream(operation) && options.parseAs === "json")
    throw new InvalidRequestError(fault, { ...operation, url, attempts: 0 });
}

// undici: if a request is garbage-collected while its body is read, its signal no longer follows the caller's.
const requests = /* @__PURE__ */ new WeakMap<AbortSignal, Request>();

async function send(request: Request, operation: Operation, caller: Caller): Promise<Response> {
  const { url, signal } = request;
  requests.set(signal, request);
  const body = request.method === "GET" ? null : await request.text();
  const call = caller.begin(operation, {
    url,
    signal,
    // A copy: middleware may keep the request, and must not get the token.
    headers: new Headers(request.headers),
    body,
    secret: toSecret(body),
  });
  const read = isStream(operation) ? readStream : readCopy;
  try {
    return await caller.send(call, read);
  } catch (error) {
    return toErrorResponse(error, call);
  }
}

/**
 * The operation of a request.
 *
 * @throws TypeError for a request to another service, which must not get the token, or outside the contract.
 */
function find({ method, url }: Request, baseUrl: string): Operation {
  const [path = ""] = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length).split("?") : [];
  return toOperation(method as Operation["method"], findTemplate(path) ?? url); // refuses any other
}

/** The secret that the service may quote in a refusal; empty if there is none. */
function toSecret(body: string | null): string {
  const { secretKey } = Object(parseJson(body ?? "")) as Record<string, unknown>;
  return isText(secretKey) ? secretKey : "";
}

/** The response to a call that the service refused; throws any other `error`. */
function toErrorResponse(error: unknown, { operation }: Call): Response {
  // A refused sign-in is not a response to the call.
  if (!(error instanceof CallMediaError) || error.operationId !== operation.operationId)
    throw error;
  const { status = 0, body, message } = error;
  if (status < 400) throw error;
  const headers = toHeadersWithoutBody(error.headers);
  if (isObject(body) && body["isError"] === true) return Response.json(body, { status, headers });
  return toErrorEnvelope(message, { status, headers });
}
