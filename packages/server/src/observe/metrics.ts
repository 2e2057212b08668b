// Metrics for a Prometheus server: counts and durations by operation, and figures of the process. Labels never depend on
// callers' input: the numbers of operations, pages and classes of status are fixed, however many callers there are.
import type { CallStore, ReadBack, Vitals } from "@call-media/store";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Account } from "../http/exchange.ts";
import type { Unreadable } from "../http/unreadable.ts";
import type { Page } from "../pages.ts";

export interface Metrics {
  readonly onEnd: (account: Account) => void;
  readonly onUnreadable: (refusal: Unreadable) => void;
  readonly onDropped: () => void;
  /** All metrics in the text format of Prometheus. */
  readonly page: Page;
}

// A lookup takes half a millisecond, a wide count some hundred, a recording over a slow line minutes.
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Figures that other parts can provide at any time. */
export interface MetricSources {
  readonly store: Pick<CallStore, "importedRows" | "replica" | "readBack" | "vitals">;
  /** When the certificate in use ends, in ms since 1970; undefined without one. */
  readonly certificateEndMs?: (() => number | undefined) | undefined;
  /** The number of requests in progress. */
  readonly countUnderWay: () => number;
  readonly hasRecordings: () => Promise<boolean>;
}

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addSources(registry, sources);
  return {
    onEnd: createRequestMetrics(registry),
    ...createConnectionMetrics(registry),
    page: async () => ({
      status: 200,
      headers: { "Content-Type": registry.contentType, "Cache-Control": "no-store" },
      body: await registry.metrics(),
    }),
  };
}

// Figures owned by other parts, which are read on each scrape.
function addSources(registry: Registry, sources: MetricSources): void {
  const { store, countUnderWay, hasRecordings } = sources;
  const underWay = new Gauge({
    name: "call_media_requests_under_way",
    help: "Requests that have begun and not ended",
    registers: [],
    collect() {
      this.set(countUnderWay());
    },
  });
  const importRows = new Counter({
    name: "call_media_import_rows_total",
    help: "Rows that were read for this archive since it was made, by what became of them",
    labelNames: ["outcome"],
    registers: [],
    async collect() {
      // An unreadable archive must not make the other figures fail.
      const totals = await store.importedRows().catch(() => ({}));
      this.reset();
      for (const [outcome, rows] of Object.entries(totals)) this.inc({ outcome }, rows);
    },
  });
  const recordings = new Gauge({
    name: "call_media_recordings_ready",
    help: "1 while the place of the recordings can be reached, 0 while it cannot",
    registers: [],
    async collect() {
      this.set((await hasRecordings()) ? 1 : 0);
    },
  });
  if (store.readBack !== undefined) addReadBack(registry, store.readBack);
  addVitals(registry, store);
  addCertificate(registry, sources.certificateEndMs ?? (() => undefined));
  const { replica } = store;
  const lag =
    replica &&
    new Gauge({
      name: "call_media_replica_lag_seconds",
      help: "How far the replica of the records is behind at most; infinite while it cannot be reached",
      registers: [],
      collect() {
        this.set(replica.lagMs() / 1_000);
      },
    });
  if (lag !== undefined) registry.registerMetric(lag);
  registry.registerMetric(underWay);
  registry.registerMetric(recordings);
  registry.registerMetric(importRows);
}

/** A figure that is not known is absent: 0 free bytes would be an alert. */
function addVitals(registry: Registry, store: Pick<CallStore, "vitals">): void {
  // An unreadable archive must not make the other figures fail.
  const read = () => store.vitals().catch(() => undefined);
  const add = (name: string, help: string, find: (vitals: Vitals) => number | undefined) =>
    addGauge(registry, { name, help }, async () => {
      const vitals = await read();
      return vitals && find(vitals);
    });
  add("free_bytes", "Free bytes on the disk of the records", ({ freeBytes }) => freeBytes);
  add("owed_calls", "What purges have named while holds kept it", ({ owed }) => owed);
  add(
    "verify_damaged_files",
    "Damaged recordings that the last verify found",
    ({ noted }) => noted.verify?.count,
  );
  add(
    "due_records",
    "Records that were due after the last retention plan or apply",
    ({ noted }) => noted.retention?.count,
  );
  const done = new Gauge({
    name: "call_media_last_done_timestamp_seconds",
    help: "When a command last ended; backup: one that lacks nothing; retention: apply or plan",
    labelNames: ["command"],
    registers: [],
    async collect() {
      const { noted = {} } = (await read()) ?? {};
      this.reset();
      for (const [command, { atMs }] of Object.entries(noted)) this.set({ command }, atMs / 1_000);
    },
  });
  registry.registerMetric(done);
}

function addCertificate(registry: Registry, endMs: () => number | undefined): void {
  const name = "certificate_end_timestamp_seconds";
  addGauge(registry, { name, help: "When the certificate in use ends" }, async () => {
    const end = endMs();
    return end && end / 1_000;
  });
}

interface Figure {
  readonly name: string;
  readonly help: string;
}

function addGauge(
  registry: Registry,
  { name, help }: Figure,
  read: () => Promise<number | undefined>,
): void {
  const gauge = new Gauge({
    name: `call_media_${name}`,
    help,
    registers: [],
    async collect() {
      const value = await read();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
  registry.registerMetric(gauge);
}

function addReadBack(registry: Registry, readBack: ReadBack): void {
  // An unreadable archive must not make the other figures fail.
  const read = () => readBack.status().catch(() => undefined);
  const oldest = new Gauge({
    name: "call_media_oldest_unread_seconds",
    help: "How long ago the record or recording was read back that has waited longest for it, at most",
    registers: [],
    async collect() {
      const { oldestMs } = (await read()) ?? {};
      this.reset();
      if (oldestMs !== undefined) this.set(Math.max(0, (Date.now() - oldestMs) / 1_000));
    },
  });
  const damaged = new Gauge({
    name: "call_media_damaged_items",
    help: "Records and recordings that were not what was imported when they were read back",
    registers: [],
    async collect() {
      const status = await read();
      this.reset();
      if (status !== undefined) this.set(status.damaged);
    },
  });
  registry.registerMetric(oldest);
  registry.registerMetric(damaged);
}

function createConnectionMetrics(registry: Registry): Pick<Metrics, "onUnreadable" | "onDropped"> {
  const registers = [registry];
  const unreadable = new Counter({
    name: "call_media_unreadable_requests_total",
    help: "What was refused unread: no request, or not in time, by status",
    labelNames: ["status"],
    registers,
  });
  const dropped = new Counter({
    name: "call_media_connections_dropped_total",
    help: "Idle connections that were closed to make room for new ones",
    registers,
  });
  return {
    onUnreadable: ({ status }) => unreadable.inc({ status }),
    onDropped: () => dropped.inc(),
  };
}

function createRequestMetrics(registry: Registry): Metrics["onEnd"] {
  const registers = [registry];
  const requests = new Counter({
    name: "call_media_requests_total",
    help: "Requests by operation and class of status; none: the caller had gone before there was an answer",
    labelNames: ["operation", "status"],
    registers,
  });
  const errors = new Counter({
    name: "call_media_errors_total",
    help: "Error responses by X-Error-Code",
    labelNames: ["code"],
    registers,
  });
  const seconds = new Histogram({
    name: "call_media_request_duration_seconds",
    help: "From the request's headers to the end of its answer",
    labelNames: ["operation"],
    buckets: SECONDS,
    registers,
  });
  const bytes = new Counter({
    name: "call_media_response_bytes_total",
    help: "Bytes of bodies that were handed to the connection",
    labelNames: ["operation"],
    registers,
  });
  const cut = new Counter({
    name: "call_media_answers_cut_total",
    help: "Answers that began and did not go out whole",
    labelNames: ["operation"],
    registers,
  });
  const signInFailures = new Counter({
    name: "call_media_sign_in_failures_total",
    help: "Sign-ins that were refused; delayed: too soon after others that failed",
    labelNames: ["reason"],
    registers,
  });

  return ({ operationId, page, status, code, bytesSent, durationMs, isWhole }) => {
    const operation = operationId ?? page ?? "none";
    requests.inc({ operation, status: toClass(status) });
    if (code !== undefined) errors.inc({ code });
    seconds.observe({ operation }, durationMs / 1_000);
    bytes.inc({ operation }, bytesSent);
    if (status !== undefined && !isWhole) cut.inc({ operation });
    if (operationId === "createToken" && status === 401) signInFailures.inc({ reason: "refused" });
    if (operationId === "createToken" && status === 429) signInFailures.inc({ reason: "delayed" });
  };
}

function toClass(status: number | undefined): string {
  return status === undefined ? "none" : `${Math.floor(status / 100)}xx`;
}
