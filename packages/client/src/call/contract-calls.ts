// The fifteen calls as programs write them: by method and path, with the types of the contract.
import type { Operation } from "../errors.ts";
import { type ContractOptions, parseOptions } from "../options.ts";
import { type Answer, readJson, toAnswer } from "./answer.ts";
import { type Caller, createCaller } from "./caller.ts";
import type { Read } from "./exchange.ts";
import type { DataOf, InitOf, PathWith } from "./operation-types.ts";
import { type CallInit, toOperation } from "./request.ts";
import { openRecording, toStream } from "./stream.ts";

/**
 * The fifteen operations, by method and path template, typed from the contract.
 *
 * Recording streams need `parseAs: "stream"`. After sending `If-None-Match`, check `response.status`: a 304 has an empty
 * stream (D16).
 *
 * @throws CallMediaError in one of its classes.
 */
export interface ContractCalls {
  /** Reads a path of the contract, such as `/chat/by-call-id/{call_id}`. */
  GET<P extends PathWith<"get">>(
    path: P,
    ...init: InitOf<"get", P>
  ): Promise<Answer<DataOf<"get", P>>>;
  /** Searches calls, at `/metadata/search` or `/metadata/by-custom-fields`, or requests a token. */
  POST<P extends PathWith<"post">>(
    path: P,
    ...init: InitOf<"post", P>
  ): Promise<Answer<DataOf<"post", P>>>;
}

/**
 * Creates the fifteen calls without searches and recordings, for smaller bundles.
 *
 * @throws TypeError naming the option that is missing or wrong.
 * @example
 * ```ts
 * const { GET } = createContractCalls({ baseUrl: "https://archive.example.com", apiKey });
 * const { data } = await GET("/chat/by-call-id/{call_id}", { params: { path: { call_id } } });
 * ```
 */
export function createContractCalls(options: ContractOptions): ContractCalls {
  return toContractCalls(createCaller(parseOptions(options)));
}

export function toContractCalls({ call }: Caller): ContractCalls {
  const readStream: Read<Answer<unknown>> = async (exchange) =>
    toAnswer(exchange, toStream(await openRecording(exchange)));
  const callBy =
    (method: Operation["method"]) =>
    async (path: string, init: CallInit & { readonly parseAs?: "stream" } = {}) =>
      call(toOperation(method, path), init, init.parseAs ? readStream : readJson);
  // The types of the contract allow less than the two functions can do.
  return { POST: callBy("POST"), GET: callBy("GET") } as ContractCalls;
}
