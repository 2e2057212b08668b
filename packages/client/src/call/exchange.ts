// The values of a call: each step makes one from the one before.
import type { Operation } from "../errors.ts";
import type { EventSubject } from "../events.ts";
import type { ParsedOptions } from "../options.ts";
import type { PreparedRequest } from "./request.ts";
import type { Watch } from "./watch.ts";

/** A call before its first request. */
export interface Call {
  readonly operation: Operation;
  readonly request: PreparedRequest;
  /** Options of the client, with the limits of this call. */
  readonly options: ParsedOptions;
  /** Number of the call within its client, from 1. */
  readonly number: number;
}

/** One request of a call. */
export interface Attempt extends Call {
  /** The part that events and errors show. Everything else in an attempt may be secret. */
  readonly about: EventSubject;
  /** Secret, key or token that is sent, and that no error may contain; empty if the browser's cookies sign. */
  readonly secret: string;
}

/** A request and the head of its response. */
export interface Exchange extends Attempt {
  readonly response: Response;
  /** To quote to the operator of the service (D13). */
  readonly requestId: string | undefined;
  /** Limits the time until the body is read. */
  readonly watch: Watch;
}

/** Makes a result from a success, or from a requested 304. If it throws, the attempt fails. */
export type Read<Result> = (exchange: Exchange) => Promise<Result>;

export function toAttempt(call: Call, attempts: number, secret: string): Attempt {
  const { operation, request, number } = call;
  const about = { ...operation, url: request.url, attempts, call: number };
  return { ...call, about, secret };
}

export function toExchange(attempt: Attempt, response: Response, watch: Watch): Exchange {
  const requestId = readRequestId(response);
  return { ...attempt, response, requestId, watch };
}

/** Without the controls of Latin-1, which a header may have and a log should not. */
export function readRequestId({ headers }: Response): string | undefined {
  return headers.get("X-Request-Id")?.replaceAll(/\p{Cc}/gu, "");
}
