// Converts responses of the service to `Response` objects for the program: for openapi-fetch, and for a proxy.
import type { Schema } from "@call-media/api";

import type { Operation } from "../errors.ts";
import { parseSuccess, readText } from "./answer.ts";
import type { Read } from "./exchange.ts";
import { openRecording, toStream } from "./stream.ts";

export const isStream = ({ operationId }: Operation) => operationId.startsWith("stream");

/** A copy of a response whose JSON is a success. `clone` takes ten times as long, because it splits the stream. */
export const readCopy: Read<Response> = async (exchange) => {
  const { response } = exchange;
  const text = await readText(exchange);
  parseSuccess(text, exchange);
  const copy = new Response(text, response);
  return Object.defineProperty(copy, "url", { value: response.url });
};

export const readStream: Read<Response> = async (exchange) => {
  const { response } = exchange;
  const body = toStream(await openRecording(exchange));
  // `Response` accepts no body with a 304.
  return response.status === 304 ? response : new Response(body, response);
};

/** Removes the headers that describe the body. */
export function toHeadersWithoutBody(given: Headers | undefined): Headers {
  const headers = new Headers(given);
  for (const name of ["Content-Length", "Content-Encoding", "Content-Type"]) headers.delete(name);
  return headers;
}

/** The contract's error envelope. */
export function toErrorEnvelope(errorMessage: string, init: ResponseInit): Response {
  const body: Schema<"ErrorEnvelope"> = { isError: true, errorMessage, data: [] };
  return Response.json(body, init);
}
