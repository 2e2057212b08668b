// The entry point `@call-media/client/openapi-fetch`: openapi-fetch writes the requests, the transport of the client sends them.
import type { paths, Schema } from "@call-media/api";
import { operationIds } from "@call-media/api/operation-ids";
import createFetchClient, {
  type Client,
  createQuerySerializer,
  defaultPathSerializer,
  type Middleware,
} from "openapi-fetch";

import { parseSuccess, readText } from "../call/answer.ts";
import { type Caller, createCaller } from "../call/caller.ts";
import { CallMediaError, InvalidRequestError, type Operation } from "../errors.ts";
import type { Call, Read } from "../call/exchange.ts";
import { type ContractOptions, parseOptions } from "../options.ts";
import { type CallInit, toOperation, toUrl } from "../call/request.ts";
import { openRecording, toStream } from "../call/stream.ts";
import { isObject, isText, parseJson } from "../values.ts";

export type { ContractOptions } from "../options.ts";

/** The client of openapi-fetch with the paths of the contract, `use` and `eject` for middleware included. */
export type OpenapiFetchClient = Client<paths>;

/**
 * A client of openapi-fetch with the sign-in, retries, time-outs, checks and events of the main entry point.
 *
 * - A status from 400 up is returned as `error`: always the contract's error envelope, made of what is known if the service
 *   sent something else.
 * - A 304 that was asked for is returned with `error: ""`; see `response.status`.
 * - A CallMediaError is thrown for everything else: no response, a time-out, your signal, a refused sign-in, an identifier
 *   that would lead to another path, a success that is not what the contract says.
 * - A TypeError is thrown for a request that the contract does not have, or to another `baseUrl`. Nothing is sent.
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

/** A lone surrogate cannot be encoded. `checkRequest` refuses it, but only after the request was written. */
function write(instead: string, serialize: () => string): string {
  try {
    return serialize();
  } catch {
    return instead;
  }
}

/** Refuses what the written request no longer shows: openapi-fetch writes `..`, and parses audio as JSON. */
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

const isStream = ({ operationId }: Operation) => operationId.startsWith("stream");

// undici: if a request is collected while its body is read, its signal no longer follows the caller's.
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
  // A parameter is the last segment of its template.
  const paths = new Set([path, path.replace(/[^/]+$/, "{}")]);
  const template = Object.keys(operationIds)
    .map((name) => name.slice(name.indexOf("/")))
    .find((one) => paths.has(one.replace(/\{.*/, "{}")));
  return toOperation(method as Operation["method"], template ?? url); // refuses any other
}

/** A copy of a response whose JSON is a success. `clone` takes ten times as long: it splits the stream. */
const readCopy: Read<Response> = async (exchange) => {
  const { response } = exchange;
  const text = await readText(exchange);
  parseSuccess(text, exchange);
  const copy = new Response(text, response);
  return Object.defineProperty(copy, "url", { value: response.url });
};

const readStream: Read<Response> = async (exchange) => {
  const { response } = exchange;
  const body = toStream(await openRecording(exchange));
  // `Response` accepts no body with a 304.
  return response.status === 304 ? response : new Response(body, response);
};

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
  const isEnvelope = isObject(body) && body["isError"] === true;
  const made: Schema<"ErrorEnvelope"> = { isError: true, errorMessage: message, data: [] };
  const headers = new Headers(error.headers);
  // They describe the body that was read.
  for (const name of ["Content-Length", "Content-Encoding", "Content-Type"]) headers.delete(name);
  return Response.json(isEnvelope ? body : made, { status, headers });
}
