// Any call of the contract: as the user it is made for, on the one session that all calls share.
import { type Exchange, isObject, readSuccess } from "./answer.ts";
import type { Reader, Wire } from "./attempt.ts";
import type { Operation } from "./errors.ts";
import { createEmit, type Emit } from "./events.ts";
import { createSend, type Send } from "./exchange.ts";
import type { ParsedOptions } from "./options.ts";
import { type CallInit, toHeaders, toOperation, toUrl } from "./request.ts";
import { createKeySession, createTokenSession, type Session } from "./session.ts";
import { createSignInReader } from "./sign-in.ts";

/** What the parts of a client stand on. */
export interface Caller {
  readonly options: ParsedOptions;
  readonly emit: Emit;
  readonly call: <Result>(
    operation: Operation,
    init: CallInit,
    reader: Reader<Result>,
  ) => Promise<Result>;
}

/** A JSON answer and its response, whose body has been read. */
export const jsonReader: Reader<{ readonly data: unknown; readonly response: Response }> = {
  isStream: false,
  read: async (response, exchange) => ({ data: await readSuccess(response, exchange), response }),
};

const TOKEN = toOperation("POST", "/Token");

export function createCaller(options: ParsedOptions): Caller {
  const wire: Wire = { options, emit: createEmit(options.onEvent) };
  let count = 0;
  const callThrough =
    (send: Send): Caller["call"] =>
    async (operation, init, reader) => {
      const exchange: Exchange = {
        ...operation,
        call: ++count,
        url: toUrl(options.baseUrl, operation, init.params),
        signal: init.signal,
        attempts: 0,
        secret: toSecret(init.body),
        validate: options.validate,
      };
      const body = init.body === undefined ? undefined : JSON.stringify(init.body);
      return send({ exchange, headers: toHeaders(init), body }, reader);
    };
  const plainCall = callThrough(createSend(wire));
  const sessionCall = callThrough(createSend(wire, createSession(wire, plainCall)));
  const call: Caller["call"] = (operation, init, reader) =>
    (operation.path === TOKEN.path ? plainCall : sessionCall)(operation, init, reader);
  return { ...wire, call };
}

function createSession({ options, emit }: Wire, call: Caller["call"]): Session {
  const { credentials, apiKey, clock, baseUrl, tokenStore } = options;
  if (credentials === undefined) return createKeySession(apiKey);
  const { secretID, secretKey } = credentials;
  const reader = createSignInReader(clock);
  const tell = (from: "sign-in" | "store") =>
    emit({ ...TOKEN, call: 0, url: toUrl(baseUrl, TOKEN, {}) }, { type: "token", from });
  return createTokenSession({
    clock,
    store: tokenStore,
    key: `${baseUrl} ${secretID}`,
    signIn: () => call(TOKEN, { body: { secretID, secretKey } }, reader),
    tell,
  });
}

/** The service may quote what it refuses. */
function toSecret(body: unknown): string | undefined {
  const secretKey = isObject(body) ? body["secretKey"] : undefined;
  return typeof secretKey === "string" ? secretKey : undefined;
}
