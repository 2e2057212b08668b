// Any call of the contract: as the user it is made for, on the one session that all calls share.
import type { Operation } from "../errors.ts";
import type { ParsedOptions } from "../options.ts";
import { parseSuccess, readText } from "./answer.ts";
import type { Answer } from "./contract-calls.ts";
import { type CallInit, toWritten, type Written } from "./request.ts";
import { createSession, type Session } from "./session.ts";
import { type Answered, createSend, type Exchange, type Read, type Send } from "./exchange.ts";

export type Call = <Result>(
  operation: Operation,
  init: CallInit,
  read: Read<Result>,
) => Promise<Result>;

/** What the parts of a client stand on. */
export interface Caller {
  readonly options: ParsedOptions;
  readonly call: Call;
  /** The two halves of `call`, for a request that others wrote. */
  readonly begin: (operation: Operation, written: Written) => Exchange;
  readonly send: Send;
  readonly session: Session;
}

export function createCaller(options: ParsedOptions): Caller {
  let count = 0;
  const begin: Caller["begin"] = (operation, written) => ({
    ...written,
    operation,
    options,
    about: { ...operation, url: written.url, attempts: 0, call: ++count },
  });
  const call: Call = (operation, init, read) =>
    send(begin(operation, toWritten(options.baseUrl, operation, init)), read);
  const session = createSession(options, call);
  const send = createSend(options, session);
  return { options, call, begin, send, session };
}

/** An answer as users get it. */
export function toAnswer<Data>({ response, requestId }: Answered, data: Data): Answer<Data> {
  return { data, response, requestId };
}

/** A JSON answer and its response, whose body has been read. */
export const readJson: Read<Answer<unknown>> = async (exchange) =>
  toAnswer(exchange, parseSuccess(await readText(exchange), exchange));
