// Logs and counts connections and data that never became a request.
import type { Logger } from "pino";
import type { ConnectionWatch } from "../listen.ts";
import type { Metrics } from "./metrics.ts";

export interface WatchedConnections extends ConnectionWatch {
  /** Logs what is still to be logged. */
  readonly close: () => void;
}

// A flood of connections must not become a flood of lines.
const SAID_EVERY_MS = 1_000;

/** Each rejection has its own line; dropped connections are counted in one line, at most once a second. */
export function createConnectionWatch(
  events: Logger,
  metrics: Metrics | undefined,
): WatchedConnections {
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const say = () => {
    clearTimeout(timer);
    timer = undefined;
    if (dropped > 0) events.warn({ dropped }, "too many connections");
    dropped = 0;
  };
  return {
    onUnreadable: (refusal) => {
      events.info(refusal, "unreadable request");
      metrics?.onUnreadable(refusal);
    },
    onDropped: () => {
      dropped += 1;
      timer ??= setTimeout(say, SAID_EVERY_MS);
      metrics?.onDropped();
    },
    close: say,
  };
}
