// Reading a JSON request body within bounds.
import { bodyTooLarge, unsupportedMediaType } from "./errors.ts";
import { parseJson } from "./json.ts";
import type { ServiceRequest } from "./request.ts";

/** A longer body is 413. The largest body that the contract allows, with every filter field filled generously, is far smaller. */
export const MAX_BODY_BYTES = 65_536;

/** Throws 413, 415, or 400 for what is not JSON in UTF-8. */
export async function readJson({
  headers,
  readBody,
}: Pick<ServiceRequest, "headers" | "readBody">): Promise<unknown> {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = headers;
  if (!/^application\/json[ \t]*(;|$)/i.test(type.toString()))
    throw unsupportedMediaType("Content-Type must be application/json");
  // JSON has no parameters, so any except this one have no meaning (RFC 8259, section 11).
  if (/;[ \t]*charset=(?!"?utf-8"?[ \t]*(;|$))/i.test(type.toString()))
    throw unsupportedMediaType("Content-Type must have no charset but utf-8");
  if (encoding.toString().toLowerCase() !== "identity")
    throw unsupportedMediaType("Content-Encoding must be absent");
  const bytes = await readBody(MAX_BODY_BYTES);
  if (bytes === undefined) throw bodyTooLarge(MAX_BODY_BYTES);
  return parseJson(bytes);
}
