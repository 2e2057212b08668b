// From an operation that a request asks for to its answer: who asks, for what exactly, and what is released to them.
import type { IncomingMessage } from "node:http";
import { type Route, routes, type Schema } from "@call-media/api";
import type { CallStore } from "@call-media/store";
import Negotiator from "negotiator";
import type { Access, Caller } from "./access/access.ts";
import { toAsked, type Touched } from "./access/access-record.ts";
import { toTriedID } from "./access/secrets.ts";
import type { Answers } from "./http/answers.ts";
import { readJson } from "./http/body.ts";
import { notAcceptable } from "./http/errors.ts";
import type { Exchange } from "./http/exchange.ts";
import { createInputParser } from "./http/input.ts";
import { type Reply, toJsonReply, withHeaders } from "./http/reply.ts";
import type { Match } from "./http/routes.ts";
import type { Answer, Handler, StreamAnswer } from "./operations/handler.ts";
import { operations } from "./operations/operations.ts";

/** Finds out who asks. Throws 401. */
export type Identify = (exchange: Exchange) => Promise<Caller>;

export type Dispatch = ReturnType<typeof createDispatch>;

/** What operations are carried out with. */
export interface Means {
  readonly store: CallStore;
  readonly access: Access;
  readonly answers: Answers;
}

type Result = StreamAnswer | Answer<"listPublicFlags">;

/** Notes on the exchange what becomes known. Throws `ServiceError` for what is refused, and what the store throws. */
export function createDispatch({ store, access, answers }: Means) {
  const parseInput = createInputParser(routes);

  const read = async (exchange: Exchange, { route, path }: Match) => {
    const { request, query, caller } = exchange;
    checkAccept(request, route);
    const body = route.body === undefined ? undefined : await readJson(request);
    const input = parseInput(route, { path, query, headers: request.headers, body });
    if (caller !== undefined) exchange.asked = toAsked(input);
    else if (isTokenRequest(body)) exchange.triedID = toTriedID(body.secretID);
    return input;
  };

  return async (exchange: Exchange, match: Match, identify: Identify): Promise<Reply> => {
    const { request, pathname, origin } = exchange;
    const { operationId, needsCredentials } = match.route;
    exchange.operationId = operationId;
    const caller = needsCredentials ? await identify(exchange) : undefined;
    if (caller !== undefined) exchange.caller = caller;
    answers.admit(exchange);
    const limits = caller && access.count(caller);
    const input = await read(exchange, match);
    const { method, headers } = request;
    const { accept } = headers;
    const given = { input, caller, store, access, method, pathname, accept, origin };
    // The table is closed: the handler found under this route's id is the one for this route's input.
    const handle = operations[operationId] as Handler<"listPublicFlags">;
    const result: Result = await handle(given as Parameters<typeof handle>[0]);
    if (caller !== undefined) exchange.touched = toTouched(result);
    else if ("signedIn" in result) exchange.signedIn = result.signedIn;
    return withHeaders(toReply(result), limits);
  };
}

/** The body of POST /Token, the operation without a caller. */
function isTokenRequest(body: unknown): body is Schema<"TokenRequest"> {
  return typeof body === "object" && body !== null && "secretID" in body;
}

function toReply(result: Result): Reply {
  return "status" in result ? result : toJsonReply(result.body, result.headers);
}

function toTouched(result: Result): Touched {
  if ("status" in result) return result.touched;
  return { ...(result.callIds && { callIds: result.callIds }), rows: result.body.data.length };
}

// The two streams choose among the types of their recording themselves.
function checkAccept({ headers }: IncomingMessage, { responses }: Route): void {
  if (!headers.accept || headers.accept === "*/*") return;
  const types = Object.keys(responses["200"]?.content ?? {});
  if (!types.includes("application/json")) return;
  if (new Negotiator({ headers }).mediaType(types) === undefined) throw notAcceptable();
}
