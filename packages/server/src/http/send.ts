// Sends a response over node:http: in one go, or in chunks as fast as the client reads it.
import type { OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import {
  type Answer,
  isStreamed,
  type ResponseHeaders,
  type StreamedBody,
  toServiceError,
} from "@call-media/service";
import type { Exchange } from "./exchange.ts";

// A year, only for this host: other hosts of the domain are not this service's business.
const TLS_ONLY: ResponseHeaders = { "Strict-Transport-Security": "max-age=31536000" };
const NONE: ResponseHeaders = {};

/** Over TLS: tells browsers to use only TLS from now on (RFC 6797). A proxy that terminates TLS sends its own header. */
export const toTransportHeaders = (socket: Duplex): ResponseHeaders =>
  "encrypted" in socket ? TLS_ONLY : NONE;

/**
 * The response's own headers win; both values of Vary count. Does not use setHeader: node:http would then process all headers one by one.
 */
function mergeHeaders(headers: ResponseHeaders, own: ResponseHeaders): OutgoingHttpHeaders {
  const both: Record<string, string | number> = { ...headers, ...own };
  const { Vary: vary } = headers;
  if (vary !== undefined && own["Vary"] !== undefined) both["Vary"] = `${vary}, ${own["Vary"]}`;
  return both;
}

/** Sends the response with these additional headers. Returns the reason why it was cut off, if the operator should know it. */
export async function send(
  exchange: Exchange,
  { status, headers: own, body, facts }: Answer,
  headers: ResponseHeaders,
): Promise<unknown> {
  const { response, progress } = exchange;
  const all = mergeHeaders(headers, own);
  if (isStreamed(body)) return sendPieces(exchange, { status, headers: all }, body);
  if (facts.code !== undefined && response.destroyed) return undefined;
  response.writeHead(status, all);
  response.end(body);
  if (body !== undefined) progress.bytesSent = Number(own["Content-Length"]);
  return undefined;
}

interface Head {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
}

async function sendPieces(
  exchange: Exchange,
  { status, headers }: Head,
  body: StreamedBody,
): Promise<unknown> {
  const { response, progress } = exchange;
  const cut = await writePieces(exchange, { status, headers }, body).then(
    () => undefined,
    (error: unknown) => toServiceError(error),
  );
  await body.close({ bytes: progress.bytesSent, isWhole: cut === undefined });
  if (cut === undefined || response.destroyed) return undefined;
  // Closing the connection is the only way left to signal that the body is incomplete.
  response.destroy();
  return cut.cause ?? cut;
}

async function writePieces(
  exchange: Exchange,
  { status, headers }: Head,
  body: StreamedBody,
): Promise<void> {
  const { response } = exchange;
  // A body of another length than announced would leave the client waiting for the rest, so it is cut off instead.
  response.strictContentLength = true;
  response.writeHead(status, headers);
  const write = createWrite(exchange, body);
  for await (const piece of body.pieces) await write(piece);
  response.end();
}

// Sending a recording takes long. If its caller loses the right to it meanwhile, the rest is not sent (D35).
const RECHECK_MS = 5_000;

/** Resolves when the bytes have left this process, so that their buffer can be used again. */
type Write = (chunk: Uint8Array) => Promise<void>;

// If the connection ends between two chunks, node keeps the next one and never calls back; "close" is emitted in any case.
function createWrite({ response, progress }: Exchange, { isStillValid }: StreamedBody): Write {
  let ended: Error | undefined;
  let giveUp = (_error: Error) => {};
  const end = (reason: string) => {
    ended ??= new Error(reason);
    giveUp(ended);
  };
  // A store that cannot be reached now says nothing about the credential.
  const recheck = setInterval(() => {
    isStillValid().then(
      (isValid) => isValid || end("the credential ended while the answer was sent"),
      () => {},
    );
  }, RECHECK_MS);
  const leave = () => {
    clearInterval(recheck);
    end("the client has gone");
  };
  // If the connection ended while the recording was being opened, "close" was emitted before.
  if (response.destroyed) leave();
  else response.once("close", leave);
  return (chunk) =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(ended);
      giveUp = reject;
      response.write(chunk, (error) => {
        progress.movedMs = performance.now();
        if (error) reject(error);
        else resolve();
      });
      progress.bytesSent += chunk.length;
    });
}
