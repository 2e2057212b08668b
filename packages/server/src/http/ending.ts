// The end of a server that listens: answers under way are finished, connections that wait for nothing are closed.
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

export interface Ending {
  /** Takes no more connections and resolves when the answers under way have been sent. */
  readonly close: () => Promise<void>;
  /** The same, but what takes longer than `timeoutMs` is cut; `onCut` is told before. */
  readonly closeWithin: (timeoutMs: number, onCut: () => void) => Promise<void>;
}

/** To be called before the first connection. */
export function createEnding(server: Server, isTls: boolean): Ending {
  const silent = trackSilent(server, isTls);
  const close = () => closeServer(server, silent);
  return {
    close,
    closeWithin: async (timeoutMs, onCut) => {
      const timer = setTimeout(() => {
        onCut();
        server.closeAllConnections();
      }, timeoutMs);
      await close();
      clearTimeout(timer);
    },
  };
}

// Connections without a request so far, as browsers open them in advance: node:http does not count these as idle.
function trackSilent(server: Server, isTls: boolean): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on(isTls ? "secureConnection" : "connection", (socket: Socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  const onRequest = ({ socket }: IncomingMessage) => void silent.delete(socket);
  server.on("request", onRequest);
  server.on("checkExpectation", onRequest);
  return silent;
}

function closeServer(server: Server, silent: ReadonlySet<Socket>): Promise<void> {
  // A connection whose answer ends from now on is not kept for another request.
  server.keepAliveTimeout = 1;
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  });
}
