// Reading a JSON request body within bounds.
import type { IncomingMessage } from "node:http";
import { badRequest, bodyTooLarge, unsupportedMediaType } from "./errors.ts";

/** The largest body the contract can ask for, every filter field filled generously, is far below. */
export const MAX_BODY_BYTES = 65_536;

/** Throws 413, 415, or 400 for text that is not UTF-8 or not JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
  if (!/^application\/json *(;|$)/i.test(type))
    throw unsupportedMediaType("Content-Type must be application/json");
  if (!/^[^;]*(; *charset="?utf-8"? *)?$/i.test(type))
    throw unsupportedMediaType("Content-Type must have no charset but utf-8");
  if (encoding.toLowerCase() !== "identity")
    throw unsupportedMediaType("Content-Encoding must be absent");
  const bytes = await readBytes(request);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw badRequest(
      bytes.length === 0 ? "The body must be a JSON object" : "The body is not JSON in UTF-8",
    );
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES)
    throw bodyTooLarge(MAX_BODY_BYTES);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw bodyTooLarge(MAX_BODY_BYTES);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
