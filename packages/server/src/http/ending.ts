// The shutdown of a listening server: responses in flight are finished, idle connections are closed.
import type { Server } from "node:http";
import type { Connections } from "./connections.ts";

export interface Ending {
  /** Accepts no more connections, and resolves when the responses in flight have been sent. */
  readonly close: () => Promise<void>;
  /** The same, but work of more than `timeoutMs` is cut off; `onCut` is called before. */
  readonly closeWithin: (timeoutMs: number, onCut: () => void) => Promise<void>;
}

export function createEnding(server: Server, connections: Connections): Ending {
  const close = () => closeServer(server, connections);
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

function closeServer(server: Server, connections: Connections): Promise<void> {
  // A connection whose response ends from now on is not kept for another request.
  server.keepAliveTimeout = 1;
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeIdleConnections();
    connections.closeSilent();
  });
}
