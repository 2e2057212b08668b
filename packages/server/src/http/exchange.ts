// One request and its response over node:http, in the form of the service, and the report when it has ended.
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer, Facts, ServiceRequest } from "@call-media/service";
import { toTooManyFiles } from "../open-files.ts";
import { toOriginForm } from "./head.ts";
import type { Source } from "./proxy.ts";

export interface Answers {
  /**
   * Counts the exchange until its response has been sent. Without a credential, an address counts as a caller; all unknown
   * addresses count as one. Throws 503 if the service is full and no other caller has more.
   */
  readonly admit: (exchange: Exchange, credential: string | undefined) => void;
}

export interface Exchange extends ServiceRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedMs: number;
  /** See `Source`. */
  readonly namedUser: string | undefined;
  /** The doubt about the address, for the operator. */
  readonly doubt: string | undefined;
  readonly progress: Progress;
}

/** The progress of the response. */
interface Progress {
  /** Bytes of its body that were handed to the connection. */
  bytesSent: number;
  /** When the connection last accepted some of it, by the clock of `performance`. */
  movedMs: number;
  /** True if it was cut to make room for another caller. */
  gaveWay: boolean;
}

/** The result of a request, for logs and metrics. It contains no secret, and nothing from a record. */
export interface Account extends Facts {
  readonly requestId: string;
  readonly method: string;
  /** The path of a page outside of the contract; undefined for other requests. */
  readonly page: string | undefined;
  /** The status of the response; undefined if the caller disconnected before it. */
  readonly status: number | undefined;
  /** True if the complete response was sent. */
  readonly isWhole: boolean;
  /** True if it was cut to make room for another caller. */
  readonly gaveWay: boolean;
  readonly bytesSent: number;
  readonly durationMs: number;
  readonly address: string;
  /** The reason why the caller may be another, or may use plain HTTP; one of a few sentences. */
  readonly doubt: string | undefined;
  /** W3C Trace Context, unchecked. */
  readonly traceparent: string | undefined;
}

export function openExchange(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { address, origin, namedUser, doubt }: Source,
  answers: Answers,
): Exchange {
  // URL would resolve "..", but the path must be judged as given.
  const target = toOriginForm(request.url ?? "/");
  const mark = target.indexOf("?");
  const startedMs = performance.now();
  const exchange: Exchange = {
    request,
    response,
    method: request.method ?? "",
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? "" : target.slice(mark + 1),
    headers: request.headers,
    requestId: randomUUID(),
    address,
    origin,
    namedUser,
    doubt,
    startedMs,
    progress: { bytesSent: 0, movedMs: startedMs, gaveWay: false },
    readBody: (maxBytes) => readBody(request, maxBytes),
    admit: (credential) => answers.admit(exchange, credential),
    isGone: () => response.destroyed,
  };
  return exchange;
}

/** `failure`: the reason why the response was cut off, if it was. */
export function toAccount(
  exchange: Exchange,
  { facts, page }: EdgeAnswer,
  failure: unknown,
): Account {
  const { request, response, progress } = exchange;
  const cause = failure ?? facts.failure;
  return {
    ...facts,
    requestId: exchange.requestId,
    method: exchange.method,
    page,
    status: response.headersSent ? response.statusCode : undefined,
    isWhole: response.writableEnded,
    gaveWay: progress.gaveWay,
    bytesSent: progress.bytesSent,
    durationMs: performance.now() - exchange.startedMs,
    address: exchange.address,
    doubt: exchange.doubt,
    traceparent: request.headers["traceparent"]?.toString(),
    failure: toTooManyFiles(cause) ?? cause,
  };
}

/** A response of the service, or of a page. */
export interface EdgeAnswer extends Answer {
  readonly page?: string | undefined;
}

// A body that is too large is rejected immediately. The rest of it is discarded, until the time limit of a request, so
// that the connection can carry the next one.
function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) resolve(undefined);
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
  });
}
