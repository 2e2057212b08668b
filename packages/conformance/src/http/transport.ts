// One request and all of its answer, in bounded time and memory. Redirects are answers here: none is followed.
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
  /** The body, unless it was larger than what is kept. */
  readonly bytes: Uint8Array | undefined;
  readonly size: number;
  /** Of the whole body, in hexadecimal digits. */
  readonly sha256: string;
  /** Whether the body went on beyond what is read. */
  readonly isCut: boolean;
}

export interface Bounds {
  /** How long all of the answer may take. */
  readonly timeoutMs: number;
  /** How much of a body is kept. */
  readonly keptBytes: number;
  /** How much of a body is read and hashed. */
  readonly readBytes: number;
}

/** Throws what `fetch` throws, also when the body breaks off; a `TimeoutError` when it takes too long. */
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

/** More connections than are kept: each of them may have been closed meanwhile. */
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
 * Whether the service closed a connection that had been kept, which it may do as the next request is sent over it: that one is
 * sent again (RFC 9112, 9.3.1): at worst a check that may write creates something twice on a system for tests. What fails on a new one is a fault of the service.
 */
function isClosedIdle(error: unknown): boolean {
  const { code, socket } = Object(error instanceof Error ? error.cause : undefined) as SocketFault;
  return code === "ECONNRESET" || (code === "UND_ERR_SOCKET" && (socket?.bytesRead ?? 0) > 0);
}

/** As built-in `fetch` has it; a connection that was kept has had answers. */
interface SocketFault {
  readonly code?: unknown;
  readonly socket?: { readonly bytesRead?: number };
}

async function readBody({ body }: Response, { keptBytes, readBytes }: Bounds) {
  const hash = createHash("sha256");
  const kept: Uint8Array[] = [];
  let size = 0;
  let isCut = false;
  // Leaving the loop cancels what still comes.
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
