// One request and its answer over node:http, as the service sees it, and the account that is given when it has ended.
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer, Facts, ServiceRequest } from "@call-media/service";
import { toTooManyFiles } from "../open-files.ts";
import { toOriginForm } from "./head.ts";
import type { Source } from "./proxy.ts";

export interface Answers {
  /**
   * Counts the exchange until its answer has been sent. Without a credential an address is a caller; all whose address is not
   * known are one. Throws 503 when the service is full and no other caller has more.
   */
  readonly admit: (exchange: Exchange, credential: string | undefined) => void;
}

export interface Exchange extends ServiceRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedMs: number;
  /** See `Source`. */
  readonly isProxied: boolean;
  /** What speaks against the address, for the operator. */
  readonly doubt: string | undefined;
  readonly progress: Progress;
}

/** How far the answer has got. */
interface Progress {
  /** Bytes of its body that were handed to the connection. */
  bytesSent: number;
  /** When the connection last took some of it, on the clock of `performance`. */
  movedMs: number;
  /** Whether it was cut to make room for another caller. */
  gaveWay: boolean;
}

/** What became of a request, for logs and metrics: nothing of it is secret, nothing comes from a record. */
export interface Account extends Facts {
  readonly requestId: string;
  readonly method: string;
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
  /** W3C Trace Context as it came, whatever it is. */
  readonly traceparent: string | undefined;
}

export function openExchange(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { address, origin, isProxied, doubt }: Source,
  answers: Answers,
): Exchange {
  // Not through URL: it would resolve "..", and what was asked for is to be judged as it came.
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
    isProxied,
    doubt,
    startedMs,
    progress: { bytesSent: 0, movedMs: startedMs, gaveWay: false },
    readBody: (maxBytes) => readBody(request, maxBytes),
    admit: (credential) => answers.admit(exchange, credential),
    isGone: () => response.destroyed,
  };
  return exchange;
}

/** `failure`: why the answer was cut short, if it was. */
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

/** An answer of the service, or of what is beside it. */
export interface EdgeAnswer extends Answer {
  readonly page?: string | undefined;
}

// A body that is too large is refused at once; what still comes of it is dropped, until the time limit of a request, so
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
