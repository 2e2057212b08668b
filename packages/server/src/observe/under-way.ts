// The requests in progress: their number, and how they learn that the service is stopping.
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Listener } from "../http/unreadable.ts";

export interface UnderWay {
  /** A listener that counts requests and passes them on to the given one. */
  readonly watch: (listener: Listener) => Listener;
  /** Called when one of the requests has ended. */
  readonly onEnd: () => void;
  /** The number of responses that are not completely sent. */
  readonly count: () => number;
  /** From now on responses tell their clients that the connection ends with them. */
  readonly stop: () => void;
  /** Resolves when the work for every request is done, even if its client has disconnected, or after `timeoutMs`. */
  readonly settle: (timeoutMs: number) => Promise<void>;
}

const LOOK_EVERY_MS = 10;

export function createUnderWay(): UnderWay {
  const responses = new Set<ServerResponse>();
  let unsettled = 0;
  let isStopping = false;
  return {
    watch: (listener) => {
      const watched = (request: IncomingMessage, response: ServerResponse) => {
        unsettled += 1;
        responses.add(response);
        response.once("close", () => responses.delete(response));
        if (isStopping) response.shouldKeepAlive = false;
        listener(request, response);
      };
      // Keeps the properties of the listener.
      return Object.assign(watched, listener);
    },
    onEnd: () => {
      unsettled -= 1;
    },
    count: () => responses.size,
    stop: () => {
      isStopping = true;
      // Otherwise node:http promises to keep the connection, and a client may send its next request into the closing one.
      for (const response of responses) if (!response.headersSent) response.shouldKeepAlive = false;
    },
    settle: async (timeoutMs) => {
      const endMs = performance.now() + timeoutMs;
      const isSettled = () => unsettled === 0;
      while (!isSettled() && performance.now() < endMs) await wait(LOOK_EVERY_MS);
    },
  };
}
