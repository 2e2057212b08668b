// The door of `@call-media/client/openapi-fetch`: openapi-fetch writes the requests, the transport of the client sends them.
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
 * A client of openapi-fetch that signs in, renews tokens, tries again, times out, checks answers and tells of it all as
 * the main entry does. A refusal of the service, any status from 400 up, comes as `error`: always the contract's error
 * envelope, made of what is known where the service sent another. A 304 that was asked for comes as `error: ""`.
 *
 * Calls throw a CallMediaError for all else: no answer, a time-out, your signal, a sign-in that is refused, a value that
 * would make it the request of another path, a success that is not what the contract says. They throw a TypeError for a
 * request that is none of the contract.
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
  client.use({ onRequest: (asked) => check(asked, baseUrl) });
  return client;
}

/** Half a surrogate pair cannot be written. `check` refuses it, which comes only once something was. */
function write(instead: string, serialize: () => string): string {
  try {
    return serialize();
  } catch {
    return instead;
  }
}

/** What the request that was written no longer shows: openapi-fetch writes `..` and parses sound as JSON. */
function check(asked: Parameters<NonNullable<Middleware["onRequest"]>>[0], baseUrl: string): void {
  const { request, schemaPath, params, options } = asked;
  // Any other method is refused here.
  const operation = toOperation(request.method as Operation["method"], schemaPath);
  // Serializers are openapi-fetch's own; only whether the values can be those of this path is of interest.
  const url = toUrl(baseUrl, operation, params as CallInit["params"]);
  const fault = `${operation.operationId} gives bytes: parseAs must be "stream", "blob" or "arrayBuffer"`;
  if (isStream(operation) && options.parseAs === "json")
    throw new InvalidRequestError(fault, { ...operation, url, attempts: 0 });
}

const isStream = ({ operationId }: Operation) => operationId.startsWith("stream");

// A request that is collected takes its signal's connection to the caller's signal with it (undici), while its body is read.
const requests = /* @__PURE__ */ new WeakMap<AbortSignal, Request>();

async function send(request: Request, operation: Operation, caller: Caller): Promise<Response> {
  const { url, signal } = request;
  requests.set(signal, request);
  const body = request.method === "GET" ? null : await request.text();
  const call = caller.begin(operation, {
    url,
    signal,
    // A copy, lest middleware that keeps requests keeps the token.
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
 * What operation a request is.
 *
 * @throws TypeError where it is no request of the contract to this service, which must not get the token.
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

/** The answer anew, once its JSON is seen to be a success. A clone takes ten times as long: it splits the stream. */
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
  // A 304 may not be made with a body, be it empty.
  return response.status === 304 ? response : new Response(body, response);
};

/** The service may quote what it refuses. */
function toSecret(body: string | null): string {
  const { secretKey } = Object(parseJson(body ?? "")) as Record<string, unknown>;
  return isText(secretKey) ? secretKey : "";
}

/** The response to a call that the service refused; throws `error` if that is not what happened. */
function toErrorResponse(error: unknown, { operation }: Call): Response {
  // The refusal of a sign-in is no response to the call.
  if (!(error instanceof CallMediaError) || error.operationId !== operation.operationId)
    throw error;
  const { status = 0, body, message } = error;
  if (status < 400) throw error;
  const isEnvelope = isObject(body) && body["isError"] === true;
  const made: Schema<"ErrorEnvelope"> = { isError: true, errorMessage: message, data: [] };
  const headers = new Headers(error.headers);
  // Of the body that was read.
  for (const name of ["Content-Length", "Content-Encoding", "Content-Type"]) headers.delete(name);
  return Response.json(isEnvelope ? body : made, { status, headers });
}
