// The way of a request through the service: route, caller, input, handler, answer. Every failure becomes an envelope here.
import { randomUUID } from "node:crypto";
import type {
  IncomingMessage,
  OutgoingHttpHeaders,
  RequestListener,
  ServerResponse,
} from "node:http";
import { type Route, routes } from "@call-media/api";
import type { CallStore } from "@call-media/store";
import Negotiator from "negotiator";
import { type AccessSettings, createAccess } from "./access/access.ts";
import { readJson } from "./http/body.ts";
import { internalError, notAcceptable, ServiceError } from "./http/errors.ts";
import { createInputParser } from "./http/input.ts";
import { type Reply, send, toErrorReply, toJsonReply } from "./http/reply.ts";
import { createRouter } from "./http/routes.ts";
import type { Answer, Handler } from "./operations/handler.ts";
import { operations } from "./operations/operations.ts";
import type { Page } from "./pages.ts";

export interface ServiceOptions extends Partial<AccessSettings> {
  readonly store: CallStore;
  /** Pages beside the contract, by path: the reference and the document itself. */
  readonly pages?: ReadonlyMap<string, Page>;
  /** Whether X-Forwarded-For tells the address of the caller: only behind a proxy that sets it (D24). */
  readonly isBehindProxy?: boolean;
  /** Told of every failure that was answered 5xx or cut an answer short, with the X-Request-Id. */
  readonly onFailure?: (requestId: string, error: unknown) => void;
}

/** One hour (D18). */
export const DEFAULT_TOKEN_LIFETIME_SECONDS = 3_600;

/** The fifteen operations as a listener for node:http and node:https. */
export function createService(options: ServiceOptions): RequestListener {
  const {
    store,
    pages = new Map<string, Page>(),
    isBehindProxy = false,
    onFailure = () => {},
  } = options;
  const {
    tokenLifetimeSeconds = DEFAULT_TOKEN_LIFETIME_SECONDS,
    requestsPerMinute,
    now = Date.now,
  } = options;
  const access = createAccess(store, { tokenLifetimeSeconds, requestsPerMinute, now });
  const match = createRouter();
  const parseInput = createInputParser(routes);

  const answer = async (request: IncomingMessage, { pathname, query }: Target): Promise<Reply> => {
    const page = pages.get(pathname);
    if (page !== undefined) return page(request);
    const { route, path } = match(request.method ?? "", pathname);
    const caller = route.needsCredentials
      ? await access.authenticate(request.headers.authorization)
      : undefined;
    checkAccept(request, route);
    const body = route.body === undefined ? undefined : await readJson(request);
    const input = parseInput(route, { path, query, headers: request.headers, body });
    const address = toAddress(request, isBehindProxy);
    const { accept } = request.headers;
    // The table is closed: the handler found under this route's id is the one for this route's input.
    const handle = operations[route.operationId] as Handler<"listPublicFlags">;
    const result = await handle({
      input,
      caller,
      store,
      access,
      pathname,
      accept,
      address,
    } as Parameters<typeof handle>[0]);
    return withHeaders(toReply(result), caller?.limits);
  };

  return (request, response) => {
    const requestId = randomUUID();
    void respond(
      { request, response, requestId, onFailure },
      answer(request, toTarget(request.url ?? "/")),
    );
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly onFailure: (requestId: string, error: unknown) => void;
}

async function respond(exchange: Exchange, reply: Promise<Reply>): Promise<void> {
  const { request, response, requestId } = exchange;
  try {
    await send(response, withRequestId(await reply, requestId), request.method === "HEAD");
  } catch (error) {
    await fail(exchange, error);
  }
}

async function fail(
  { request, response, requestId, onFailure }: Exchange,
  error: unknown,
): Promise<void> {
  const isGone = response.destroyed;
  const refusal = error instanceof ServiceError ? error : internalError(error);
  if (refusal.status >= 500 && !isGone) onFailure(requestId, refusal.cause ?? refusal);
  // Cutting the connection is the only way left to say that the body is not whole.
  if (response.headersSent || isGone) response.destroy();
  else {
    const reply = withRequestId(toErrorReply(refusal), requestId);
    await send(response, reply, request.method === "HEAD");
  }
}

interface Target {
  readonly pathname: string;
  readonly query: string;
}

// Not through URL: it would resolve "..", and what was asked for is to be judged as it came.
function toTarget(url: string): Target {
  const [pathname = "/", ...query] = url.split("?");
  return { pathname, query: query.join("?") };
}

function toReply(result: Reply | Answer<"listPublicFlags">): Reply {
  return "status" in result ? result : toJsonReply(result.body, result.headers);
}

function withHeaders(reply: Reply, headers: OutgoingHttpHeaders | undefined): Reply {
  return headers === undefined ? reply : { ...reply, headers: { ...headers, ...reply.headers } };
}

// Not setHeader: node:http then takes the other headers one by one as well.
function withRequestId(reply: Reply, requestId: string): Reply {
  return withHeaders(reply, { "X-Request-Id": requestId });
}

// The two streams choose among the types of their recording themselves.
function checkAccept({ headers }: IncomingMessage, { responses }: Route): void {
  if (!headers.accept || headers.accept === "*/*") return;
  const types = Object.keys(responses["200"]?.content ?? {});
  if (!types.includes("application/json")) return;
  if (new Negotiator({ headers }).mediaType(types) === undefined) throw notAcceptable();
}

// The last address of X-Forwarded-For is the one the nearest proxy saw; those before it are hearsay.
function toAddress({ headers, socket }: IncomingMessage, isBehindProxy: boolean): string {
  const forwarded = isBehindProxy
    ? headers["x-forwarded-for"]?.toString().split(",").at(-1)?.trim()
    : undefined;
  return forwarded || (socket.remoteAddress ?? "");
}
