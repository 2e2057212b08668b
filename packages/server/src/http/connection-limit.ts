// How many connections there may be. The first ones beyond are answered 503, so that their clients know why and when to come
// again; the rest is closed as it comes, which costs next to nothing however many there are.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionLimits } from "./limits.ts";

/** Limits the connections of `server`, and gives whether a socket that has sent a request is still one too many. */
export function limitConnections(
  server: Server,
  { maxConnections, maxTurnedAway }: ConnectionLimits,
  isTls: boolean,
): (socket: Socket) => boolean {
  const surplus = new WeakSet<Socket>();
  let open = 0;
  server.maxConnections = maxConnections + maxTurnedAway;
  server.on("drop", () => server.closeIdleConnections());
  server.on("connection", (socket: Socket) => {
    open += 1;
    socket.once("close", () => (open -= 1));
    if (open > maxConnections) server.closeIdleConnections();
  });
  // Over TLS requests come from another socket than the one that was accepted.
  server.on(isTls ? "secureConnection" : "connection", (socket: Socket) => {
    if (open > maxConnections) surplus.add(socket);
  });
  return (socket) => {
    // Others have gone since, idle ones above all.
    if (open <= maxConnections) surplus.delete(socket);
    return surplus.has(socket);
  };
}
