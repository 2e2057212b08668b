// The connections of a server. Nobody is limited while there is room. Otherwise a new connection replaces an idle one: the one that
// has been idle for the longest time, of the address with the most connections (D23).
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { toPerson } from "./proxy.ts";

export interface ConnectionOptions {
  readonly maxConnections: number;
  /** True if proxies open the connections. Their addresses then say nothing about callers, and are not judged. */
  readonly isBehindProxy: boolean;
  /** Called when a connection was closed to make room. */
  readonly onDropped: () => void;
}

export interface Connections {
  /** The response to the last request on this connection. */
  readonly latest: (socket: Socket) => ServerResponse | undefined;
  /** Closes connections that have not sent a request, as browsers open in advance: node:http does not count these as idle. */
  readonly closeSilent: () => void;
}

interface Connection {
  readonly name: string;
  readonly socket: Socket;
  /** The address as limits count it; undefined if it is not judged. */
  readonly address: string | undefined;
  latest?: ServerResponse;
}

/** Must be called before the first connection. */
export function trackConnections(server: Server, options: ConnectionOptions): Connections {
  const { maxConnections, isBehindProxy, onDropped } = options;
  // Least recently used first.
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

// Over TLS, requests come from another socket than the accepted one; both have these properties.
const nameOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;

// Usually one is idle, because fewer responses than connections may be in flight. Otherwise the newest has to go.
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
