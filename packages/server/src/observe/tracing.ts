// OpenTelemetry: a span for each request, sent over OTLP/HTTP as JSON. Loaded only if the environment requests it. No
// other module imports its libraries, which are optional dependencies.
import { type OperationId, routes } from "@call-media/api";
import {
  type Attributes,
  type Context,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { Account } from "../http/exchange.ts";
import type { TracingSettings } from "./tracing-environment.ts";

export interface Tracing {
  readonly onEnd: (account: Account) => void;
  /** Resolves when the recorded spans have been sent, or could not be. */
  readonly close: () => Promise<void>;
}

const NAME = "call-media-server";

const ROUTES = new Map<OperationId, string>(
  routes.map(({ operationId, path }) => [operationId, path]),
);

/** The exporter reads its target from OTEL_EXPORTER_OTLP_*; faults in these are logged. */
export function openTracing(settings: TracingSettings, events: Logger): Tracing {
  const report = (reason: string) => events.warn({ reason }, "tracing");
  diag.setLogger(
    { error: report, warn: report, info: report, debug: report, verbose: report },
    DiagLogLevel.WARN,
  );
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": NAME }))
      .merge(
        detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
      ),
    sampler: toSampler(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer(NAME);
  return {
    onEnd: (account) => {
      const endTime = Date.now();
      const startTime = endTime - account.durationMs;
      const options = { kind: SpanKind.SERVER, startTime, attributes: toAttributes(account) };
      const span = tracer.startSpan(toName(account), options, toContext(account));
      if (toErrorType(account) !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endTime);
    },
    // An unreachable collector must not make the shutdown fail.
    close: () => provider.shutdown().catch((error: unknown) => report(String(error))),
  };
}

function toSampler({ ratio, isParentBased }: TracingSettings): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

// W3C Trace Context: the span belongs to the caller's trace. A malformed header is ignored. So is the header of an unauthenticated
// caller, whose flag could hide a request from the traces or flood the collector.
function toContext({ traceparent, userId }: Account): Context {
  const isOfStranger = traceparent === undefined || userId === undefined;
  const parent = isOfStranger ? null : parseTraceParent(traceparent);
  return parent === null
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

function toName(account: Account): string {
  const route = toRoute(account);
  return route === undefined ? account.method : `${account.method} ${route}`;
}

function toRoute({ operationId, page }: Account): string | undefined {
  return operationId === undefined ? page : ROUTES.get(operationId);
}

// Semantic conventions for HTTP server spans, except url.path and url.query, which contain identifiers and dates of calls.
function toAttributes(account: Account): Attributes {
  const { requestId, method, status, bytesSent, address } = account;
  return {
    "http.request.method": method,
    "http.route": toRoute(account),
    "http.response.status_code": status,
    "http.response.body.size": bytesSent,
    "http.response.header.x-request-id": [requestId],
    "client.address": address,
    "error.type": toErrorType(account),
  };
}

// By the conventions, 4xx is not an error of a server span: the caller caused it.
function toErrorType({ status, failure, isWhole }: Account): string | undefined {
  if (status === undefined || status >= 500 || failure !== undefined)
    return failure instanceof Error ? failure.name : String(status ?? "gone");
  return isWhole ? undefined : "cut";
}
