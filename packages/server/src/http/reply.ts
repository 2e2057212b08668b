// Answers and how they go out: JSON in the envelope, recordings as bytes or as base64, nothing buffered that can be large.
import type { OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import type { OpenMedia } from "@call-media/store";
import type { AccessRecord } from "../access/access-record.ts";
import type { ServiceError } from "./errors.ts";
import type { Exchange } from "./exchange.ts";

/** A body that is written piece by piece. Its length is known beforehand, so that a cut is never taken for the end. */
export interface StreamedBody {
  readonly bytes: number;
  /** Opens, writes and closes; a failure before the first byte is still answered as an error. */
  readonly open: () => Promise<OpenMedia>;
  readonly write: (media: OpenMedia, write: Write) => Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer | StreamedBody | undefined;
}

/** Resolves when the bytes have left this process, so that their buffer can be used again. */
export type Write = (chunk: Uint8Array) => Promise<void>;

const JSON_TYPE = "application/json; charset=utf-8";

/** What the archive holds is nobody's cache's business, and no browser's guess what it may be. */
const PRIVATE: OutgoingHttpHeaders = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

// A year, for this host alone: others of the domain are not this service's business.
const TLS_ONLY: OutgoingHttpHeaders = { "Strict-Transport-Security": "max-age=31536000" };
const NONE: OutgoingHttpHeaders = {};

/** Over TLS: that browsers are to come over TLS alone (RFC 6797). A proxy that terminates TLS says it itself. */
export const toTransportHeaders = (socket: Duplex): OutgoingHttpHeaders =>
  "encrypted" in socket ? TLS_ONLY : NONE;

export function toJsonReply(body: unknown, headers: OutgoingHttpHeaders = {}): Reply {
  return {
    status: 200,
    headers: { ...PRIVATE, ...headers, "Content-Type": JSON_TYPE },
    body: JSON.stringify(body),
  };
}

export function toStreamReply(
  status: number,
  headers: OutgoingHttpHeaders,
  body: StreamedBody | undefined,
): Reply {
  return { status, headers: { ...PRIVATE, ...headers }, body };
}

/** RFC 9110, section 9.3.7; it tells nobody anything that 405 would not, so that it needs no credentials. */
export function toOptionsReply(methods: readonly string[]): Reply & { readonly body: undefined } {
  return { status: 204, headers: { Allow: methods.join(", ") }, body: undefined };
}

/** The error envelope of D13. */
export function toErrorReply(error: ServiceError): Reply & { readonly body: string } {
  const { status, code, message } = error;
  const body = JSON.stringify({ isError: true, errorMessage: message, data: [] });
  const own = { "X-Error-Code": code, "Content-Type": JSON_TYPE };
  return { status, headers: { ...PRIVATE, ...error.headers, ...own }, body };
}

/** Its own headers win; both count of Vary. Not setHeader: node:http then takes the other headers one by one as well. */
export function withHeaders(reply: Reply, headers: OutgoingHttpHeaders | undefined): Reply {
  if (headers === undefined) return reply;
  const both = { ...headers, ...reply.headers };
  const [vary, own] = [headers["Vary"], reply.headers["Vary"]];
  if (vary !== undefined && own !== undefined) both["Vary"] = `${String(vary)}, ${String(own)}`;
  return { ...reply, headers: both };
}

/**
 * Writes the reply; to a HEAD request the same headers and no body (RFC 9110, section 9.3.2). The head waits for the row of the
 * access log: without it nothing is sent, and it throws 503.
 */
export async function send(
  exchange: Exchange,
  { status, headers, body }: Reply,
  record: AccessRecord,
): Promise<void> {
  const { request, response } = exchange;
  const isHead = request.method === "HEAD";
  if (body === undefined || typeof body === "string" || Buffer.isBuffer(body)) {
    const bytes = body === undefined ? 0 : Buffer.byteLength(body);
    const length = body === undefined ? {} : { "Content-Length": bytes };
    await record.begin(exchange, status);
    response.writeHead(status, { ...headers, ...length });
    response.end(isHead ? undefined : body);
    if (!isHead) exchange.bytesSent = bytes;
    return;
  }
  const media = await body.open();
  try {
    // A body of another length than announced would leave the client waiting for the rest: it is cut instead.
    response.strictContentLength = true;
    await record.begin(exchange, status);
    response.writeHead(status, { ...headers, "Content-Length": body.bytes });
    if (!isHead) await body.write(media, createWrite(exchange));
    response.end();
  } finally {
    await media.close();
  }
}

// A recording takes long to send: whoever lost the right to it meanwhile gets no more of it (D35).
const RECHECK_MS = 5_000;

// When the connection ends between two pieces, node keeps the next one and never calls back: "close" tells in any case.
function createWrite(exchange: Exchange): Write {
  const { response, caller } = exchange;
  let ended: Error | undefined;
  let giveUp = (_error: Error) => {};
  const end = (reason: string) => {
    ended ??= new Error(reason);
    giveUp(ended);
  };
  // A store that cannot be asked just now says nothing of the credential.
  const recheck = setInterval(() => {
    caller?.isStillValid().then(
      (isValid) => isValid || end("the credential ended while the answer was sent"),
      () => {},
    );
  }, RECHECK_MS);
  response.once("close", () => {
    clearInterval(recheck);
    end("the client has gone");
  });
  return (chunk) =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(ended);
      giveUp = reject;
      response.write(chunk, (error) => {
        exchange.movedMs = performance.now();
        if (error) reject(error);
        else resolve();
      });
      exchange.bytesSent += chunk.length;
    });
}
