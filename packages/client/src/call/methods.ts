// The fifteen operations by their names: documented as the contract has them, with the records as results.
import type { DescribedOperations, OperationId, operations } from "@call-media/api";
import { operationIds } from "@call-media/api/operation-ids";

import type { Operation } from "../errors.ts";
import { type CallOptions, toCallOptions } from "../options.ts";
import { type Answer, parseSuccess, readText, toAnswer } from "./answer.ts";
import { type AnswerPromise, toAnswerPromise } from "./answer-promise.ts";
import type { Caller } from "./caller.ts";
import type { Read } from "./exchange.ts";
import type { AllowUndefined, PartOf } from "./operation-types.ts";
import { type CallInit, TOKEN_PATH, toOperation, type Values } from "./request.ts";
import { openRecording, toStream } from "./stream.ts";

type BodyOf<Op> = Op extends { requestBody: { content: { "application/json": infer Body } } }
  ? { readonly body: AllowUndefined<Body> }
  : object;

type Flat<Given> = { [Name in keyof Given]: Given[Name] };

/** Path and query parameters of an operation, its body, and the options of the call, in one object. */
export type RequestOf<Id extends OperationId> = Flat<
  AllowUndefined<PartOf<operations[Id], "path"> & PartOf<operations[Id], "query">> &
    BodyOf<operations[Id]>
> &
  CallOptions;

/** Calls an operation. Returns `data` of the envelope; with `withResponse()`, status and headers as well. */
export type Method<Id extends OperationId> =
  object extends RequestOf<Id>
    ? (request?: RequestOf<Id>) => AnswerPromise<DescribedOperations[Id]>
    : (request: RequestOf<Id>) => AnswerPromise<DescribedOperations[Id]>;

/**
 * The fifteen operations by name. Each returns the records, the token or the bytes.
 *
 * @throws CallMediaError in one of its classes.
 */
export type OperationMethods = {
  readonly [Id in keyof DescribedOperations]: Method<Id>;
};

type NamedRequest = CallOptions & Pick<CallInit, "body"> & Readonly<Record<string, unknown>>;

export function createMethods({ call }: Caller): OperationMethods {
  const entries = Object.entries(operationIds).map(([name, id]) => {
    const [method, path] = name.split(" ") as [Operation["method"], string];
    const operation = toOperation(method, path);
    const parameter = /\{(\w+)/.exec(path)?.[1] ?? "";
    const read = id.startsWith("stream") ? readStream : readData;
    return [
      id,
      (request: NamedRequest = {}) =>
        toAnswerPromise(call(operation, toInit(request, parameter), read)),
    ];
  });
  return Object.fromEntries(entries) as OperationMethods;
}

/** Treats as parameters everything that is neither an option of the call nor the body. */
function toInit(request: NamedRequest, parameter: string): CallInit {
  const options = toCallOptions(request);
  const query = Object.entries(request).filter(
    ([name]) => !(name in options) && name !== "body" && name !== parameter,
  );
  const params = {
    path: request as Values<string>,
    query: Object.fromEntries(query) as Values<string>,
  };
  return { ...options, body: request.body, params };
}

const readData: Read<Answer<unknown>> = async (exchange) => {
  const body = Object(parseSuccess(await readText(exchange), exchange));
  return toAnswer(exchange, exchange.about.path === TOKEN_PATH ? body : body.data);
};

const readStream: Read<Answer<unknown>> = async (exchange) =>
  toAnswer(exchange, toStream(await openRecording(exchange)));
