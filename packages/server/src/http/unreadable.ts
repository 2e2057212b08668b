// What node:http refuses before the service has seen it, answered in the envelope all the same (D13), and never into the
// middle of another answer.
import { randomUUID } from "node:crypto";
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import {
  headersTooLarge,
  methodNotAllowed,
  requestTimedOut,
  requestUnreadable,
  type ServiceError,
  urlTooLong,
} from "./errors.ts";
import { MAX_HEAD_BYTES, MAX_URL_BYTES } from "./limits.ts";
import { toErrorReply } from "./reply.ts";
import { allMethods } from "./routes.ts";

/** An error of node:http's parser; `rawPacket` is what had come last. */
interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

// Time for the client to read the refusal: closing at once, with bytes of its unread, would take the answer away from it.
const LINGER_MS = 2_000;

/** Lets the listener answer what the server can read, and refuses the rest itself. */
export function serveRequests(server: Server, listener: RequestListener): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, response);
    listener(request, response);
  };
  const refuse = (socket: Duplex, error: ServiceError) => {
    refused.add(socket);
    sendRefusal(socket, error);
  };
  server.on("request", serve);
  // An expectation that nobody knows may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", serve);
  server.on("connect", (_request, socket: Duplex) =>
    refuse(socket, methodNotAllowed(allMethods())),
  );
  server.on("clientError", (error: ClientError, socket: Duplex) => {
    // What comes while a refusal is being read is dropped.
    if (refused.has(socket) && error.code !== "ECONNRESET") return;
    const canAnswer = socket.writable && error.code !== "ECONNRESET" && isFree(latest.get(socket));
    if (canAnswer) refuse(socket, toRefusal(error));
    else socket.destroy();
  });
}

// Whether bytes written now would stand by themselves, and not inside an answer or behind the one they belong to.
function isFree(response: ServerResponse | undefined): boolean {
  if (response === undefined) return true;
  if (response.writableFinished) return response.req.complete;
  const isQueued = response.socket === null;
  return !isQueued && !response.headersSent;
}

function toRefusal({ code, rawPacket }: ClientError): ServiceError {
  const packet = rawPacket?.toString("latin1") ?? "";
  if (code === "HPE_HEADER_OVERFLOW")
    return isLongTarget(packet) ? urlTooLong(MAX_URL_BYTES) : headersTooLarge(MAX_HEAD_BYTES);
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return requestTimedOut();
  const isUnknownMethod = code === "HPE_INVALID_METHOD" && REQUEST_LINE.test(packet);
  return isUnknownMethod ? methodNotAllowed(allMethods()) : requestUnreadable();
}

const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r\n/;

function isLongTarget(packet: string): boolean {
  const [, target = ""] = /^[A-Z]+ (\S*)/.exec(packet) ?? [];
  return target.length > MAX_URL_BYTES;
}

// By hand: there is no ServerResponse for what was no request.
function sendRefusal(socket: Duplex, error: ServiceError): void {
  const { status, headers, body } = toErrorReply(error);
  const lines = Object.entries({
    ...headers,
    "Content-Length": Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    "X-Request-Id": randomUUID(),
    Connection: "close",
  }).map(([name, value]) => `${name}: ${String(value)}`);
  socket.on("error", () => socket.destroy());
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
