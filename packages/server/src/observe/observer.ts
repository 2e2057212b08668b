// Observes the service while it runs: log, health, metrics and tracing, all from the account of each request.
import type { CallStore } from "@call-media/store";
import type { Account } from "../http/exchange.ts";
import type { Listener } from "../http/unreadable.ts";
import type { ConnectionWatch } from "../listen.ts";
import type { Page } from "../pages.ts";
import { createConnectionWatch } from "./connection-watch.ts";
import { createHealth } from "./health.ts";
import type { Log } from "./log.ts";
import type { MetricSources } from "./metrics.ts";
import { openOperatorPort, type OperatorPlace } from "./operator-port.ts";
import { parseTracing, TracingError } from "./tracing-environment.ts";
import { createUnderWay } from "./under-way.ts";

export interface ObserverOptions {
  readonly store: CallStore;
  readonly log: Log;
  /** Where /metrics, /healthz and /readyz are; undefined: nothing is counted. */
  readonly metrics: OperatorPlace | undefined;
}

export interface Observer extends AsyncDisposable {
  /** For the service's own port. */
  readonly pages: ReadonlyMap<string, Page>;
  readonly watch: (listener: Listener) => Listener;
  readonly onEnd: (account: Account) => void;
  readonly connections: ConnectionWatch;
  /** Where the metrics are; undefined when nothing is counted. */
  readonly metricsUrl: string | undefined;
  readonly countUnderWay: () => number;
  /** The service is not ready from now on, and no connection is kept. */
  readonly stop: () => void;
}

// A request of which the connection is gone has a row of the access log to write, at most.
const SETTLE_MS = 3_000;

/** Only the observers in use are loaded. Throws `ListenError` and `TracingError`. */
export async function openObserver(options: ObserverOptions): Promise<Observer> {
  const { store, log, metrics: place } = options;
  const health = createHealth(store, log.events);
  const underWay = createUnderWay();
  const tracing = await openTracing(log);
  const { hasRecordings } = health;
  const sources = { store, countUnderWay: underWay.count, hasRecordings };
  const metrics = place && (await loadMetrics(sources));
  const port =
    metrics &&
    (await openOperatorPort(place, new Map([["/metrics", metrics.page], ...health.pages])));
  const connections = createConnectionWatch(log.events, metrics);
  return {
    pages: health.pages,
    watch: underWay.watch,
    onEnd: (account) => {
      underWay.onEnd();
      log.onEnd(account);
      metrics?.onEnd(account);
      tracing?.onEnd(account);
    },
    connections,
    metricsUrl: port && `${port.baseUrl}/metrics`,
    countUnderWay: underWay.count,
    stop: () => {
      health.stop();
      underWay.stop();
    },
    [Symbol.asyncDispose]: async () => {
      await underWay.settle(SETTLE_MS);
      connections.close();
      await tracing?.close();
      await port?.close();
    },
  };
}

async function loadMetrics(sources: MetricSources) {
  const { createMetrics } = await import("./metrics.ts");
  return createMetrics(sources);
}

async function openTracing({ events }: Log) {
  const settings = parseTracing(process.env);
  if (settings === undefined) return undefined;
  const { openTracing: open } = await import("./tracing.ts").catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw new TracingError(
      "the environment asks for tracing, but its libraries are not there: install this program with its optional dependencies",
      { cause: error },
    );
  });
  return open(settings, events);
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}
