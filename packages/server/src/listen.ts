// A service on a socket, with TLS or on loopback (D24), and with limits for connections.
import { createServer, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { type AddressInfo, isIP } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { trackConnections } from "./http/connections.ts";
import { createEnding, type Ending } from "./http/ending.ts";
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  MAX_HEAD_BYTES,
  MAX_HEADERS,
} from "./http/limits.ts";
import { type Listener, serveRequests, type Unreadable } from "./http/unreadable.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Without it the service speaks plain HTTP. */
  readonly tls?: Certificate | undefined;
  /** True if a proxy in front terminates TLS. */
  readonly isBehindProxy?: boolean;
  /** Overrides of `CONNECTION_LIMITS`. */
  readonly limits?: Partial<ConnectionLimits>;
  readonly watch?: ConnectionWatch;
}

/** Called for requests and connections that never reach the listener. */
export interface ConnectionWatch {
  readonly onUnreadable: (refusal: Unreadable) => void;
  /** Called when a connection was closed to make room for another. */
  readonly onDropped: () => void;
}

const UNWATCHED: ConnectionWatch = { onUnreadable: () => {}, onDropped: () => {} };

/** PEM texts: a certificate with its chain, and its private key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Listening extends Ending {
  readonly baseUrl: string;
  /** For later connections. Throws `ListenError` for a pair that does not match; the previous pair then stays. */
  readonly useCertificate: (pair: Certificate) => void;
}

/** The service cannot listen as requested; the message says what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

// The suites that RFC 9325, section 4.2 recommends: a separate key for each connection, and authenticated encryption. Set here
// so that no flag of the runtime can weaken it.
const TLS: SecureContextOptions = {
  minVersion: "TLSv1.2",
  ciphers: [
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_GCM_SHA256",
    "ECDHE+AESGCM",
    "ECDHE+CHACHA20",
  ].join(":"),
};

/** Throws `ListenError` for a port that is in use, and for plain HTTP that others could read. */
export async function listen(listener: Listener, options: ListenOptions): Promise<Listening> {
  const { host, port, tls, isBehindProxy = false, watch = UNWATCHED } = options;
  if (tls === undefined && !isBehindProxy && !isLoopback(host)) {
    throw new ListenError(
      `${host} can be reached from other machines, and without TLS secrets and records could be read on the way: ` +
        "give --tls-cert and --tls-key, or --behind-proxy when a proxy terminates TLS, or listen on 127.0.0.1",
    );
  }
  const limits = { ...CONNECTION_LIMITS, ...options.limits };
  const server = tls === undefined ? createServer(toOptions(limits)) : createSecure(tls, limits);
  server.maxHeadersCount = MAX_HEADERS;
  server.timeout = limits.stallTimeoutMs;
  const { maxConnections } = limits;
  const { onDropped, onUnreadable } = watch;
  const connections = trackConnections(server, { maxConnections, isBehindProxy, onDropped });
  const ending = createEnding(server, connections);
  serveRequests(server, { listener, connections, onUnreadable });
  const { port: actual } = await bind(server, host, port);
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return {
    baseUrl: `${tls === undefined ? "http" : "https"}://${name}:${actual}`,
    ...ending,
    useCertificate: (pair) => useCertificate(server, pair),
  };
}

function toOptions(limits: ConnectionLimits): ServerOptions {
  return {
    headersTimeout: limits.headerTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    maxHeaderSize: MAX_HEAD_BYTES,
    // How late a time-out may be detected; node:http checks every 30 s by default.
    connectionsCheckingInterval: Math.min(1_000, limits.headerTimeoutMs),
    // node:http would respond without the envelope.
    requireHostHeader: false,
  };
}

function createSecure(pair: Certificate, limits: ConnectionLimits): TlsServer {
  return orBadPair(pair, () =>
    createTlsServer({
      ...toOptions(limits),
      ...pair,
      ...TLS,
      handshakeTimeout: limits.headerTimeoutMs,
    }),
  );
}

// Open connections keep their certificate.
function useCertificate(server: Server | TlsServer, pair: Certificate): void {
  if (!("setSecureContext" in server)) throw new ListenError("the service speaks plain HTTP");
  orBadPair(pair, () => server.setSecureContext({ ...pair, ...TLS }));
}

function orBadPair<T>({ cert, key }: Certificate, use: () => T): T {
  try {
    // node:tls accepts an empty text as no certificate: then every handshake fails.
    if (cert === "" || key === "")
      throw new Error(`the ${cert === "" ? "certificate" : "key"} is empty`);
    return use();
  } catch (error) {
    throw new ListenError("the certificate and the key are not a PEM pair that belongs together", {
      cause: error,
    });
  }
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
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
    ENOTFOUND: `this machine cannot resolve the name ${host}`,
  };
  return new ListenError(reasons[error.code ?? ""] ?? error.message, { cause: error });
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
