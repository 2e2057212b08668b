// Any call of the contract: as the user it is made for, on the one session that all calls share.
import { isObject, parseJson, readSuccess, toRequestId } from "./answer.ts";
import type { Answer } from "./contract-calls.ts";
import type { Operation } from "./errors.ts";
import { createEmit } from "./events.ts";
import { createSend, type Exchange, type Read, type Send, type Wire } from "./exchange.ts";
import type { ParsedOptions } from "./options.ts";
import { type CallInit, toOperation, toWritten, type Written } from "./request.ts";
import { createKeySession, createTokenSession, type Session } from "./session.ts";
import { createSignInReader } from "./sign-in.ts";

export type Call = <Result>(
  operation: Operation,
  init: CallInit,
  read: Read<Result>,
) => Promise<Result>;

/** What the parts of a client stand on. */
export interface Caller extends Wire {
  readonly call: Call;
  /** The two halves of `call`, for a request that others wrote. */
  readonly begin: (operation: Operation, written: Written) => Exchange;
  readonly send: Send;
}

export function createCaller(options: ParsedOptions): Caller {
  const wire: Wire = { options, emit: createEmit(options.onEvent) };
  let count = 0;
  const begin: Caller["begin"] = (operation, written) => ({
    ...operation,
    ...written,
    call: ++count,
    validate: options.validate,
    attempts: 0,
    retries: 0,
    secret: toSecret(operation, written),
  });
  const call: Call = async (operation, init, read) =>
    send(begin(operation, toWritten(options.baseUrl, operation, init)), read);
  const send = createSend(wire, createSession(wire, call));
  return { ...wire, call, begin, send };
}

/** A JSON answer and its response, whose body has been read. */
export const readJson: Read<Answer<unknown>> = async (response, exchange) => ({
  data: await readSuccess(response, exchange),
  response,
  requestId: toRequestId(response),
});

function createSession({ options, emit }: Wire, call: Call): Session {
  const { credentials, apiKey, clock, baseUrl, tokenStore } = options;
  if (credentials === undefined) return createKeySession(apiKey);
  const { secretID, secretKey } = credentials;
  const operation = toOperation("POST", "/Token");
  const read = createSignInReader(clock);
  return createTokenSession({
    clock,
    store: tokenStore,
    key: `${baseUrl} ${secretID}`,
    signIn: () => call(operation, { body: { secretID, secretKey } }, read),
    tell: (from) =>
      emit({ ...operation, call: 0, url: `${baseUrl}/Token` }, { type: "token", from }),
  });
}

/** The service may quote what it refuses. */
function toSecret({ path }: Operation, { body }: Written): string | undefined {
  const sent = path === "/Token" ? parseJson(body ?? "") : undefined;
  const secretKey = isObject(sent) ? sent["secretKey"] : undefined;
  return typeof secretKey === "string" ? secretKey : undefined;
}
