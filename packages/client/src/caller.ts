// Any call of the contract: as the user it is made for, on the one session that all calls share.
import { isObject, readSuccess } from "./answer.ts";
import type { Operation } from "./errors.ts";
import { createEmit } from "./events.ts";
import { createSend, type Read, type Wire } from "./exchange.ts";
import type { ParsedOptions } from "./options.ts";
import { type CallInit, toHeaders, toOperation, toUrl } from "./request.ts";
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
}

export function createCaller(options: ParsedOptions): Caller {
  const wire: Wire = { options, emit: createEmit(options.onEvent) };
  let count = 0;
  const call: Call = async (operation, init, read) =>
    send(
      {
        ...operation,
        call: ++count,
        url: toUrl(options.baseUrl, operation, init.params),
        signal: init.signal,
        headers: toHeaders(init),
        body: init.body === undefined ? undefined : JSON.stringify(init.body),
        validate: options.validate,
        attempts: 0,
        retries: 0,
        secret: toSecret(init.body),
      },
      read,
    );
  const send = createSend(wire, createSession(wire, call));
  return { ...wire, call };
}

/** A JSON answer and its response, whose body has been read. */
export const readJson: Read<{ readonly data: unknown; readonly response: Response }> = async (
  response,
  exchange,
) => ({ data: await readSuccess(response, exchange), response });

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
function toSecret(body: unknown): string | undefined {
  const secretKey = isObject(body) ? body["secretKey"] : undefined;
  return typeof secretKey === "string" ? secretKey : undefined;
}
