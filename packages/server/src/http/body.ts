// Reading a JSON request body within bounds.
import type { IncomingMessage } from "node:http";
import { bodyTooLarge, unsupportedMediaType } from "./errors.ts";
import { parseJson } from "./json.ts";
import { MAX_BODY_BYTES } from "./limits.ts";

/** Throws 413, 415, or 400 for what is not JSON in UTF-8. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
  if (!/^application\/json[ \t]*(;|$)/i.test(type))
    throw unsupportedMediaType("Content-Type must be application/json");
  // JSON has no parameters: others than this say nothing (RFC 8259, section 11).
  if (/;[ \t]*charset=(?!"?utf-8"?[ \t]*(;|$))/i.test(type))
    throw unsupportedMediaType("Content-Type must have no charset but utf-8");
  if (encoding.toLowerCase() !== "identity")
    throw unsupportedMediaType("Content-Encoding must be absent");
  return parseJson(await readBytes(request));
}

// A body that is too large is refused at once; what still comes of it is dropped, until the time limit of a request, so
// that the connection can carry the next one.
function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES)
      reject(bodyTooLarge(MAX_BODY_BYTES));
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else reject(bodyTooLarge(MAX_BODY_BYTES));
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
  });
}
