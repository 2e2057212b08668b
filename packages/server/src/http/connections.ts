// The connections of a server. Nobody is limited while there is room. When there is none, a new connection takes the
// place of an idle one. The address with most connections gives way first, and of its connections the one that is idle
// for longest (D23).
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { toPerson } from "./proxy.ts";

export interface ConnectionOptions {
  readonly maxConnections: number;
  /** True if proxies open the connections: then their addresses say nothing about callers, and none is judged. */
  readonly isBehindProxy: boolean;
  /** A connection was closed to make room. */
  readonly onDropped: () => void;
}

export interface Connections {
  /** The answer to the last request over this connection. */
  readonly latest: (socket: Socket) => ServerResponse | undefined;
  /** Closes those that have sent no request so far, as browsers open them in advance: node:http does not count these as idle. */
  readonly closeSilent: () => void;
}

interface Connection {
  readonly name: string;
  readonly socket: Socket;
  /** As limits count it. Undefined: not judged. */
  readonly address: string | undefined;
  latest?: ServerResponse;
}

/** To be called before the first connection. */
export function trackConnections(server: Server, options: ConnectionOptions): Connections {
  const { maxConnections, isBehindProxy, onDropped } = options;
  // The one that was used least recently first.
  const open = new Map<string, Connection>();
  const isOpen = (connection: Connection) => open.get(connection.name) === connection;
  const putLast = (connection: Connection) => {
    open.delete(connection.name);
    open.set(connection.name, connection);
  };

  const drop = ({ name, socket }: Connection) => {
    open.delete(name);
    socket.destroy();
    onDropped();
  };

  server.on("connection", (socket: Socket) => {
    const name = nameOf(socket);
    const address = isBehindProxy ? undefined : toPerson(socket.remoteAddress ?? "");
    const connection: Connection = { name, socket, address };
    putLast(connection);
    socket.once("close", () => isOpen(connection) && open.delete(name));
    if (open.size <= maxConnections) return;
    drop(findFirstToGo([...open.values()], connection));
  });
  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(nameOf(socket));
    if (connection === undefined) return;
    connection.latest = response;
    putLast(connection);
    response.once("close", () => isOpen(connection) && putLast(connection));
  };
  server.on("request", onRequest);
  server.on("checkExpectation", onRequest);
  return {
    latest: (socket) => open.get(nameOf(socket))?.latest,
    closeSilent: () => {
      for (const { socket, latest } of open.values()) if (latest === undefined) socket.destroy();
    },
  };
}

// Over TLS requests come from another socket than the one that was accepted; both have these.
const nameOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;

// There is an idle one, since fewer answers than connections may be in flight; else the newest has to go.
function findFirstToGo(open: readonly Connection[], newest: Connection): Connection {
  const counts = new Map<string, number>();
  for (const { address } of open)
    if (address !== undefined) counts.set(address, (counts.get(address) ?? 0) + 1);
  const countOf = ({ address = "" }: Connection) => counts.get(address) ?? 0;
  const idle = open.filter((connection) => connection !== newest && isIdle(connection));
  return idle.reduce(
    (first, next) => (countOf(next) > countOf(first) ? next : first),
    idle[0] ?? newest,
  );
}

// An error response is short: a client that does not read it holds the connection for nothing.
function isIdle({ latest }: Connection): boolean {
  return latest === undefined || latest.closed || latest.statusCode >= 400;
}
