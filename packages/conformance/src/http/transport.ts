// One request and its complete response, in bounded time and memory. Redirects count as responses and are not followed.
import { createHash } from "node:crypto";

export interface RawRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, unless it exceeded the size limit for stored bodies. */
  readonly bytes: Uint8Array | undefined;
  readonly size: number;
  /** Digest of the complete body, in hexadecimal digits. */
  readonly sha256: string;
  /** True if the body exceeds the read limit. */
  readonly isCut: boolean;
}

export interface Bounds {
  /** Maximum time for the complete response. */
  readonly timeoutMs: number;
  /** Maximum size of a stored body. */
  readonly keptBytes: number;
  /** Maximum size of a body that is read and hashed. */
  readonly readBytes: number;
}

/** Throws the errors of `fetch`, also if the body is interrupted. Throws a `TimeoutError` if the response takes too long. */
export async function exchange(
  send: typeof fetch,
  { method, url, headers, body }: RawRequest,
  { bounds, signal }: { bounds: Bounds; signal: AbortSignal | undefined },
): Promise<RawAnswer> {
  const timeout = AbortSignal.timeout(bounds.timeoutMs);
  const ask = () =>
    send(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: "manual",
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
  const response = await askAgain(ask);
  const { status } = response;
  return { status, headers: response.headers, ...(await readBody(response, bounds)) };
}

/** More than the number of pooled connections: each of them may have been closed meanwhile. */
const MAX_ASKED = 6;

async function askAgain(ask: () => Promise<Response>): Promise<Response> {
  for (let asked = 1; ; asked += 1)
    try {
      return await ask();
    } catch (error) {
      if (asked === MAX_ASKED || !isClosedIdle(error)) throw error;
    }
}

/**
 * True if the service closed an idle connection, which may happen as the next request is sent over it. That request is sent again (RFC
 * 9112, 9.3.1). At worst a check that may write creates something twice on a test system. A failure on a new connection is a fault of the
 * service.
 */
function isClosedIdle(error: unknown): boolean {
  const { code, socket } = Object(error instanceof Error ? error.cause : undefined) as SocketFault;
  return code === "ECONNRESET" || (code === "UND_ERR_SOCKET" && (socket?.bytesRead ?? 0) > 0);
}

/** The errors of built-in `fetch`. A reused connection has already read bytes. */
interface SocketFault {
  readonly code?: unknown;
  readonly socket?: { readonly bytesRead?: number };
}

async function readBody({ body }: Response, { keptBytes, readBytes }: Bounds) {
  const hash = createHash("sha256");
  const kept: Uint8Array[] = [];
  let size = 0;
  let isCut = false;
  // Leaving the loop cancels the rest of the body.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    hash.update(chunk);
    if (size <= keptBytes) kept.push(chunk);
    isCut = size > readBytes;
    if (isCut) break;
  }
  const bytes = size <= keptBytes ? Buffer.concat(kept) : undefined;
  return { bytes, size, sha256: hash.digest("hex"), isCut };
}
