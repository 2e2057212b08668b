// One request and its answer: what is known of it on the way, and the account that is given when it has ended.
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { OperationId } from "@call-media/api";
import type { AccessEntry } from "@call-media/store";
import type { Caller } from "../access/access.ts";
import type { Touched } from "../access/access-record.ts";
import { toOriginForm } from "./head.ts";
import type { Source } from "./proxy.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Goes out as X-Request-Id and stands in every log, so that a caller's report can be found again. */
  readonly requestId: string;
  readonly startedMs: number;
  /** The path as it was asked for, neither decoded nor resolved, and the query after it. */
  readonly pathname: string;
  readonly query: string;
  /** Where the request comes from, as far as that is known (D24). */
  readonly address: string;
  /** See `Source`. */
  readonly origin: string | undefined;
  /** See `Source`. */
  readonly isProxied: boolean;
  /** What speaks against that, for the operator. */
  readonly doubt: string | undefined;
  /** Known once the path was found in the contract. */
  operationId?: OperationId;
  /** The path, when it is that of a page beside the contract. */
  page?: string;
  /** Known once the bearer was found good. */
  caller?: Caller;
  /** Known once the input was found good: what the access log says was asked for. */
  asked?: AccessEntry["asked"];
  /** Of a sign-in, what names its credentials, as logs may show it: the secretID; known once the body was found good. */
  triedID?: string;
  /** The user for whom a sign-in was; known once it succeeded. */
  signedIn?: number;
  /** Known once the operation was carried out. */
  touched?: Touched;
  /** Bytes of the answer's body that were handed to the connection. */
  bytesSent: number;
  /** When the connection last took some of the answer, on the clock of `performance`. */
  movedMs: number;
  /** Whether the answer was cut to make room for another caller. */
  gaveWay: boolean;
}

/** What became of a request, for logs and metrics: nothing of it is secret, nothing comes from a record. */
export interface Account {
  readonly requestId: string;
  readonly method: string;
  /** Undefined for what is no operation of the contract. */
  readonly operationId: OperationId | undefined;
  /** The path of a page beside the contract; undefined for everything else. */
  readonly page: string | undefined;
  /** Of the answer; undefined when the caller was gone before there was one. */
  readonly status: number | undefined;
  /** Whether the answer went out whole. */
  readonly isWhole: boolean;
  /** Whether it was cut to make room for another caller. */
  readonly gaveWay: boolean;
  readonly bytesSent: number;
  readonly durationMs: number;
  readonly address: string;
  /** Why the caller may be another, or come over plain HTTP; one of a few sentences. */
  readonly doubt: string | undefined;
  readonly userId: number | undefined;
  /** Whether the request came by a session of the console (D35). */
  readonly isSession: boolean;
  /** The secretID of a failed sign-in, as logs may show it. */
  readonly triedID?: string;
  /** W3C Trace Context as it came, whatever it is. */
  readonly traceparent: string | undefined;
  /** Why the answer was 5xx, or was cut short. */
  readonly failure?: unknown;
}

export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { address, origin, isProxied, doubt }: Source,
): Exchange {
  // Not through URL: it would resolve "..", and what was asked for is to be judged as it came.
  const [pathname = "/", ...query] = toOriginForm(request.url ?? "/").split("?");
  const startedMs = performance.now();
  return {
    request,
    response,
    requestId: randomUUID(),
    startedMs,
    pathname,
    query: query.join("?"),
    address,
    origin,
    isProxied,
    doubt,
    bytesSent: 0,
    movedMs: startedMs,
    gaveWay: false,
  };
}

export function toAccount(exchange: Exchange, failure: unknown): Account {
  const { request, response, requestId, startedMs, operationId, page, caller, triedID } = exchange;
  return {
    requestId,
    method: request.method ?? "",
    operationId,
    page,
    status: response.headersSent ? response.statusCode : undefined,
    isWhole: response.writableEnded,
    gaveWay: exchange.gaveWay,
    bytesSent: exchange.bytesSent,
    durationMs: performance.now() - startedMs,
    address: exchange.address,
    doubt: exchange.doubt,
    userId: caller?.user.id,
    isSession: caller?.session !== undefined,
    ...(triedID !== undefined && response.statusCode >= 400 && { triedID }),
    traceparent: request.headers["traceparent"]?.toString(),
    ...(failure !== undefined && { failure }),
  };
}
