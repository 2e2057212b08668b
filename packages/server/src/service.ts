// The way of a request through the service: route, caller, input, handler, answer.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type Route, routes } from "@call-media/api";
import type { CallStore } from "@call-media/store";
import Negotiator from "negotiator";
import { type AccessSettings, createAccess } from "./access/access.ts";
import { createAccessRecord, toAsked, type Touched } from "./access/access-record.ts";
import { DOCS } from "./documentation.ts";
import { readJson } from "./http/body.ts";
import { createCors } from "./http/cors.ts";
import { notAcceptable, plainRefused } from "./http/errors.ts";
import { type Account, type Exchange, openExchange, toAccount } from "./http/exchange.ts";
import { checkHead } from "./http/head.ts";
import { createInputParser } from "./http/input.ts";
import { createSourceFinder } from "./http/proxy.ts";
import { type Reply, send, toJsonReply, withHeaders } from "./http/reply.ts";
import { createRouter } from "./http/routes.ts";
import type { Answer, Handler, StreamAnswer } from "./operations/handler.ts";
import { operations } from "./operations/operations.ts";
import { type Page, PAGE_METHODS } from "./pages.ts";
import { refuse } from "./refusal.ts";

type Result = StreamAnswer | Answer<"listPublicFlags">;

export interface ServiceOptions extends Partial<AccessSettings> {
  readonly store: CallStore;
  /** Pages beside the contract, by path: the reference and the document itself. */
  readonly pages?: ReadonlyMap<string, Page>;
  /** Addresses and subnets of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed (D24); none by default. */
  readonly proxies?: readonly string[];
  /** Origins whose pages a browser lets read the answers, for example `https://app.example.com`; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Told of every request when it has ended, whatever became of it. */
  readonly onEnd?: (account: Account) => void;
}

/** One hour (D18). */
export const DEFAULT_TOKEN_LIFETIME_SECONDS = 3_600;

/** The fifteen operations as a listener for node:http and node:https. */
export function createService(options: ServiceOptions): RequestListener {
  const {
    store,
    pages = new Map<string, Page>(),
    proxies = [],
    corsOrigins = [],
    onEnd = () => {},
  } = options;
  const {
    tokenLifetimeSeconds = DEFAULT_TOKEN_LIFETIME_SECONDS,
    requestsPerMinute,
    now = Date.now,
  } = options;
  const access = createAccess(store, { tokenLifetimeSeconds, requestsPerMinute, now });
  const record = createAccessRecord(store.accessLog, now);
  const router = createRouter();
  const findSource = createSourceFinder(proxies);
  const toCorsHeaders = createCors(corsOrigins);
  const parseInput = createInputParser(routes);

  const answer = async (exchange: Exchange): Promise<Reply> => {
    const { request, pathname, query, address } = exchange;
    checkHead(request);
    const page = pages.get(pathname);
    if (page !== undefined) exchange.page = pathname.startsWith(`${DOCS}/`) ? DOCS : pathname;
    if (request.method === "OPTIONS")
      return toOptionsReply(page === undefined ? router.methodsOf(pathname) : PAGE_METHODS);
    if (page !== undefined) return page(request);
    const { route, path } = router.match(request.method ?? "", pathname);
    exchange.operationId = route.operationId;
    const caller = route.needsCredentials
      ? await access.authenticate(request.headers.authorization)
      : undefined;
    if (caller !== undefined) {
      exchange.caller = caller;
      exchange.beforeHead = (status) => record.begin(exchange, status);
    }
    const limits = caller && access.count(caller);
    checkAccept(request, route);
    const body = route.body === undefined ? undefined : await readJson(request);
    const input = parseInput(route, { path, query, headers: request.headers, body });
    if (caller !== undefined) exchange.asked = toAsked(input);
    const { accept } = request.headers;
    // The table is closed: the handler found under this route's id is the one for this route's input.
    const handle = operations[route.operationId] as Handler<"listPublicFlags">;
    const result = await handle({
      input,
      caller,
      store,
      access,
      method: request.method,
      pathname,
      accept,
      address,
    } as Parameters<typeof handle>[0]);
    if (caller !== undefined) exchange.touched = toTouched(result);
    return withHeaders(toReply(result), limits);
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const source = findSource(request);
    const exchange = openExchange(request, response, source.address);
    const headers = { ...toCorsHeaders(request), "X-Request-Id": exchange.requestId };
    let failure: unknown;
    try {
      if (source.isPlain) throw plainRefused();
      await send(exchange, withHeaders(await answer(exchange), headers));
    } catch (error) {
      failure = await refuse(exchange, error, { headers, record });
    }
    onEnd(toAccount(exchange, failure));
  };

  return (request, response) => void respond(request, response);
}

function toReply(result: Result): Reply {
  return "status" in result ? result : toJsonReply(result.body, result.headers);
}

function toTouched(result: Result): Touched {
  if ("status" in result) return result.touched;
  return { ...(result.callIds && { callIds: result.callIds }), rows: result.body.data.length };
}

// RFC 9110, section 9.3.7; it tells nobody anything that 405 would not, so that it needs no credentials.
function toOptionsReply(methods: readonly string[]): Reply {
  return { status: 204, headers: { Allow: methods.join(", ") }, body: undefined };
}

// The two streams choose among the types of their recording themselves.
function checkAccept({ headers }: IncomingMessage, { responses }: Route): void {
  if (!headers.accept || headers.accept === "*/*") return;
  const types = Object.keys(responses["200"]?.content ?? {});
  if (!types.includes("application/json")) return;
  if (new Negotiator({ headers }).mediaType(types) === undefined) throw notAcceptable();
}
