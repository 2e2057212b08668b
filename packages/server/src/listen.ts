// A service on a socket: TLS or loopback (D24), limits on what a connection may take, an end that lets answers finish.
import { randomUUID } from "node:crypto";
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  STATUS_CODES,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { requestUnreadable } from "./http/errors.ts";
import { toErrorReply } from "./http/reply.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** PEM texts; without them the service speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Whether a proxy that terminates TLS stands in front. */
  readonly isBehindProxy?: boolean;
}

export interface Listening {
  readonly baseUrl: string;
  /** Takes no more requests and resolves when those under way have been answered. */
  readonly close: () => Promise<void>;
}

/** The service cannot listen as asked; the message says what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** A client must have sent its headers, and its whole request, within these. */
const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  maxHeaderSize: 16_384,
  keepAliveTimeout: 65_000,
};

/** Throws `ListenError` for a port that is taken and for plain HTTP that others could read. */
export async function listen(
  listener: RequestListener,
  options: ListenOptions,
): Promise<Listening> {
  const { host, port, tls, isBehindProxy = false } = options;
  if (tls === undefined && !isBehindProxy && !isLoopback(host)) {
    throw new ListenError(
      `${host} can be reached from other machines, and without TLS secrets and records could be read on the way: ` +
        "give --tls-cert and --tls-key, or --behind-proxy when a proxy terminates TLS, or listen on 127.0.0.1",
    );
  }
  const server = tls === undefined ? createServer(LIMITS, listener) : createSecure(tls, listener);
  server.on("clientError", refuse);
  const { port: actual } = await bind(server, host, port);
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return {
    baseUrl: `${tls === undefined ? "http" : "https"}://${name}:${actual}`,
    close: () => close(server),
  };
}

function createSecure(tls: NonNullable<ListenOptions["tls"]>, listener: RequestListener): Server {
  try {
    return createTlsServer({ ...LIMITS, ...tls }, listener);
  } catch (error) {
    throw new ListenError("the certificate and the key are not a PEM pair that belongs together", {
      cause: error,
    });
  }
}

// The one answer that no ServerResponse can give: what came was no request (D13).
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, headers, body } = toErrorReply(requestUnreadable(error.code));
  const lines = Object.entries({
    ...headers,
    "X-Request-Id": randomUUID(),
    Connection: "close",
  }).map(([name, value]) => `${name}: ${String(value)}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
}

function bind(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(toListenError(error, host, port)),
    );
    server.listen(port, host, () => resolve(server.address() as AddressInfo)); // an IP socket, not a pipe
  });
}

function toListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} of ${host} is taken by another program: stop it, or choose another port`,
    EACCES: `port ${port} of ${host} may only be opened by an administrator: choose one from 1024 up`,
    EADDRNOTAVAIL: `${host} is no address of this machine`,
    ENOTFOUND: `${host} is no name that this machine can resolve`,
  };
  return new ListenError(reasons[error.code ?? ""] ?? error.message, { cause: error });
}

function close(server: Server): Promise<void> {
  // A connection whose answer ends from now on is not kept for another request.
  server.keepAliveTimeout = 1;
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeIdleConnections();
  });
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
