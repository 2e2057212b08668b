// Observes the running service: log, health, metrics and tracing, all from the report of each request.
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
  /** The place of /metrics, /healthz and /readyz; undefined: no metrics. */
  readonly metrics: OperatorPlace | undefined;
  readonly certificateEndMs?: MetricSources["certificateEndMs"];
}

export interface Observer extends AsyncDisposable {
  /** For the service's own port. */
  readonly pages: ReadonlyMap<string, Page>;
  readonly watch: (listener: Listener) => Listener;
  readonly onEnd: (account: Account) => void;
  readonly connections: ConnectionWatch;
  /** The URL of the metrics; undefined without metrics. */
  readonly metricsUrl: string | undefined;
  readonly countUnderWay: () => number;
  /** From now on the service is not ready, and connections are not kept alive. */
  readonly stop: () => void;
}

// A request whose connection is lost has at most a row of the access log left to write.
const SETTLE_MS = 3_000;

/** Loads only the observers in use. Throws `ListenError` and `TracingError`. */
export async function openObserver(options: ObserverOptions): Promise<Observer> {
  const { store, log, metrics: place, certificateEndMs } = options;
  const health = createHealth(store, log.events);
  const underWay = createUnderWay();
  const tracing = await openTracing(log);
  const { hasRecordings } = health;
  const sources = { store, countUnderWay: underWay.count, hasRecordings, certificateEndMs };
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
