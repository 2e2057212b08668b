// Connects the parts of a client: every call goes out on the one session that all calls share.
import type { Operation } from "../errors.ts";
import { type ParsedOptions, withLimits } from "../options.ts";
import type { Call, Read } from "./exchange.ts";
import {
  type CallInit,
  type PreparedRequest,
  prepareRequest,
  TOKEN_PATH,
  toOperation,
} from "./request.ts";
import { createSend, type Send } from "./send.ts";
import { createSession, type Session } from "./session.ts";
import { readToken } from "./sign-in.ts";

/** The base of the other parts of a client. */
export interface Caller {
  readonly options: ParsedOptions;
  readonly call: <Result>(
    operation: Operation,
    init: CallInit,
    read: Read<Result>,
  ) => Promise<Result>;
  /** The two halves of `call`, for a request that openapi-fetch made. */
  readonly begin: (operation: Operation, request: PreparedRequest, init?: CallInit) => Call;
  readonly send: Send;
  readonly session: Session;
}

export function createCaller(options: ParsedOptions): Caller {
  let count = 0;
  const begin: Caller["begin"] = (operation, request, init = {}) => ({
    operation,
    request,
    options: withLimits(options, init),
    number: ++count,
  });
  const call: Caller["call"] = async (operation, init, read) =>
    send(begin(operation, prepareRequest(options.baseUrl, operation, init), init), read);
  const session = createSession(options, (credentials) =>
    call(toOperation("POST", TOKEN_PATH), { body: credentials }, readToken),
  );
  const send = createSend(session);
  return { options, call, begin, send, session };
}
