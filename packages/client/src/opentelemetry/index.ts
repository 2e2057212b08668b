// The entry point `@call-media/client/opentelemetry`: reports the calls of a client as spans.
import {
  type Attributes,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";

import type { ClientEvent } from "../events.ts";

/** Destination and content of spans. */
export interface TracingOptions {
  /** Default: the tracer `@call-media/client` of the global provider. */
  readonly tracer?: Tracer | undefined;
  /**
   * True adds `url.full`, whose identifiers and days may be personal data. Default: false, which leaves `url.template`.
   */
  readonly withUrl?: boolean | undefined;
}

/** A call in progress, and its request in flight. */
interface Trace {
  readonly call: Span;
  request?: Span | undefined;
}

/**
 * Creates an `onEvent` that makes a span of each call, named by its operation. Each request in it is a client span with
 * the attributes of the HTTP semantic conventions, active while it is sent. No span contains headers, bodies, secrets or text of the service.
 * Each client needs its own: calls are distinguished by their number within the client.
 *
 * @example
 * ```ts
 * const client = createClient({ baseUrl, credentials, onEvent: createTracing() });
 * ```
 */
export function createTracing(options: TracingOptions = {}): (event: ClientEvent) => void {
  const { tracer = trace.getTracer("@call-media/client"), withUrl = false } = options;
  const traces = new Map<number, Trace>();

  return (event) => {
    if (event.type === "start")
      traces.set(event.call, { call: tracer.startSpan(event.operationId) });
    const current = traces.get(event.call);
    if (current === undefined) return;
    if (event.type === "request") {
      const request = startRequest(event, current.call);
      current.request = request;
      // The work of `fetch` happens within the span, and its headers contain the span.
      event.wrap((send) => context.with(trace.setSpan(context.active(), request), send));
    }
    if (event.type === "response") endHead(event, current.request);
    if (event.type === "retry") {
      endSpan(current.request, event.error);
      const attributes = { "call_media.wait_ms": event.waitMs, ...toErrorType(event.error) };
      current.call.addEvent("retry", attributes);
    }
    if (event.type === "end") {
      endSpan(current.request, event.error);
      endSpan(current.call, event.error);
      traces.delete(event.call);
    }
  };

  function startRequest(event: ClientEvent & { readonly type: "request" }, call: Span): Span {
    const attributes = { ...toAttributes(event), ...(withUrl && { "url.full": event.url }) };
    const name = `${event.method} ${event.path}`;
    const parent = trace.setSpan(context.active(), call);
    return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
  }
}

function toAttributes(event: ClientEvent & { readonly type: "request" }): Attributes {
  const { protocol, hostname, port } = new URL(event.url);
  return {
    "http.request.method": event.method,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    "url.template": event.path,
    ...(event.attempt > 1 && { "http.request.resend_count": event.attempt - 1 }),
  };
}

function endHead(event: ClientEvent & { readonly type: "response" }, request?: Span): void {
  request?.setAttribute("http.response.status_code", event.status);
  if (event.requestId !== undefined)
    request?.setAttribute("http.response.header.x-request-id", [event.requestId]);
}

/** OpenTelemetry ignores changes of a span that has ended. */
function endSpan(span: Span | undefined, error: unknown): void {
  if (error !== undefined)
    span?.setAttributes(toErrorType(error)).setStatus({ code: SpanStatusCode.ERROR });
  span?.end();
}

/** Only the class: a message may quote identifiers. */
function toErrorType(error: unknown): Attributes {
  return { "error.type": error instanceof Error ? error.name : "unknown" };
}
