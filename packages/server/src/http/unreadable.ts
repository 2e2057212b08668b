// Responses to requests that node:http rejects before the service sees them. They use the envelope (D13), and never end up
// in the middle of another response.
import { randomUUID } from "node:crypto";
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  allMethods,
  type ErrorCode,
  methodNotAllowed,
  pathUnknown,
  type ServiceError,
  toErrorReply,
} from "@call-media/service";
import type { Connections } from "./connections.ts";
import { headersTooLarge, requestTimedOut, requestUnreadable, urlTooLong } from "./errors.ts";
import { toOriginForm } from "./head.ts";
import { MAX_HEAD_BYTES, MAX_URL_BYTES } from "./limits.ts";
import { toPlainAddress } from "./proxy.ts";
import { toTransportHeaders } from "./send.ts";

// Time for the client to read the response: closing immediately, with its bytes unread, would discard the response.
const LINGER_MS = 2_000;

/** A response without the listener: the request could not be read, or did not arrive in time. */
export interface Unreadable {
  readonly requestId: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** The address of the connection: behind a proxy, the caller's is unknown. */
  readonly address: string;
}

/** A listener, and the data for responses that node:http does not pass to it. */
export interface Listener extends RequestListener {
  /** Empty for an unknown path. */
  readonly methodsOf?: (pathname: string) => readonly string[];
}

/** An error of node:http's parser, at a position in the last packet. */
interface ClientError extends NodeJS.ErrnoException {
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

export interface Serving {
  readonly listener: Listener;
  readonly connections: Connections;
  /** Called on each rejection. */
  readonly onUnreadable: (refusal: Unreadable) => void;
}

/** Passes readable requests to the listener, and rejects the others itself. */
export function serveRequests(
  server: Server,
  { listener, connections, onUnreadable }: Serving,
): void {
  const refuse = createRefuse(onUnreadable);
  const isOver = new WeakSet<Duplex>();
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (!isOver.has(request.socket)) listener(request, response);
  };
  server.on("request", serve);
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", serve);
  server.on("connect", (_request, socket: Socket) =>
    refuse(socket, methodNotAllowed(allMethods()), {}),
  );
  server.on("clientError", (error: ClientError, socket: Socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      if (!isOver.has(socket)) socket.destroy();
      return;
    }
    // Everything after the first error is discarded.
    if (isOver.has(socket)) return;
    isOver.add(socket);
    const { line, isHead } = toBroken(error);
    const latest = connections.latest(socket);
    refuse(socket, toRefusal(error, line, listener), { latest, isHead });
  });
}

// Looks only at the last packet, as Latin-1 text: the faulty line, and whether its request is a HEAD. The start of a
// request in several packets is unknown: tracking all packets would cost every request 5% more.
function toBroken({ rawPacket, bytesParsed = 0 }: ClientError): { line: string; isHead: boolean } {
  const text = rawPacket?.toString("latin1") ?? "";
  const last = bytesParsed - 1;
  // Text before the error that does not follow a blank line started the request.
  const blank = text.lastIndexOf("\r\n\r\n", last);
  return {
    line: text.slice(text.lastIndexOf("\n", last) + 1),
    isHead: text.startsWith("HEAD ", blank === -1 ? 0 : blank + 4),
  };
}

interface Broken {
  /** The response to the last request on the connection. */
  readonly latest?: ServerResponse | undefined;
  readonly isHead?: boolean;
}

// Reports the fault only if it cannot be mistaken for something else: neither inside a response, nor in the place of
// one.
function createRefuse(onUnreadable: (refusal: Unreadable) => void) {
  return (socket: Socket, error: ServiceError, { latest, isHead: isHeadOnly }: Broken): void => {
    const say = () => {
      const requestId = randomUUID();
      const address = toPlainAddress(socket.remoteAddress ?? "");
      linger(socket, toAnswer(error, { requestId, socket, isHeadOnly }));
      onUnreadable({ requestId, status: error.status, code: error.code, address });
    };
    if (latest === undefined) return say();
    const { req: request, headersSent, writableFinished } = latest;
    if (request.complete && writableFinished) say();
    else if (request.complete) latest.once("close", () => linger(socket));
    else if (!headersSent && latest.socket !== null) say();
    else socket.destroy();
  };
}

function toRefusal({ code }: ClientError, line: string, listener: Listener): ServiceError {
  if (code === "HPE_HEADER_OVERFLOW")
    return isLongTarget(line) ? urlTooLong(MAX_URL_BYTES) : headersTooLarge(MAX_HEAD_BYTES);
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return requestTimedOut();
  const target = code === "HPE_INVALID_METHOD" ? REQUEST_LINE.exec(line)?.[1] : undefined;
  return target === undefined ? requestUnreadable() : toMethodRefusal(target, listener);
}

const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ (\S+) HTTP\/1\.[01]\r\n/;

// The path may be unknown.
function toMethodRefusal(target: string, { methodsOf = allMethods }: Listener): ServiceError {
  const [pathname = ""] = toOriginForm(target).split("?");
  const methods = methodsOf(pathname);
  return methods.length > 0 ? methodNotAllowed(methods) : pathUnknown();
}

function isLongTarget(line: string): boolean {
  const [, target = ""] = /^[A-Z]+ (\S*)/.exec(line) ?? [];
  return target.length > MAX_URL_BYTES;
}

interface Unasked {
  readonly requestId: string;
  readonly socket: Duplex;
  readonly isHeadOnly: boolean | undefined;
}

// Written by hand: node:http makes no ServerResponse without a request.
function toAnswer(error: ServiceError, { requestId, socket, isHeadOnly = false }: Unasked): string {
  const { status, headers, body } = toErrorReply(error);
  const lines = Object.entries({
    ...toTransportHeaders(socket),
    ...headers,
    "Content-Length": Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    "X-Request-Id": requestId,
    Connection: "close",
  }).map(([name, value]) => `${name}: ${String(value)}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", ""].join("\r\n");
  return isHeadOnly ? head : `${head}${body}`;
}

function linger(socket: Duplex, last = ""): void {
  socket.on("error", () => socket.destroy());
  socket.end(last);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
