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

// A body that is too large is refused at once; what still comes of it is dropped, until the time limit of a request, so
// that the connection can carry the next one.
function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else reject(bodyTooLarge(MAX_BODY_BYTES));
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
  });
}
