// Spans of what a client does: which there are, what stands in them, and what must not.
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  TracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace";
import { expect, onTestFinished, test } from "vitest";

import { createClient } from "../src/index.ts";
import { createTracing, type TracingOptions } from "../src/opentelemetry/index.ts";
import { createFakeService } from "@call-media/testing";
import { failureOf } from "./service.ts";

const PATH = "/metadata/by-call-id/{call_id}";
const wanted = { params: { path: { call_id: "+31205550171" } } };

function createTraced(options: TracingOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const tracer = provider.getTracer("test");
  const service = createFakeService({ baseUrl: "https://archive.example.com:8443/api" });
  const onEvent = createTracing({ tracer, ...options });
  const client = createClient({ ...service.clientOptions, onEvent, random: () => 0 });
  return { tracer, service, client, spans: () => exporter.getFinishedSpans() };
}

test("a call is a span of its operation, and each request a client span within it", async () => {
  const { service, client, spans } = createTraced();
  service.inject({ kind: "status", status: 503 });
  await client.GET(PATH, wanted);
  const call = spans().find(({ name }) => name === "getMetadataByCallId");
  const requests = spans().filter(({ name }) => name === `GET ${PATH}`);
  expect(call).toMatchObject({ kind: SpanKind.INTERNAL, status: { code: SpanStatusCode.UNSET } });
  expect(call?.events).toMatchObject([
    { name: "retry", attributes: { "call_media.wait_ms": 0, "error.type": "ServiceError" } },
  ]);
  expect(requests.map(({ attributes }) => attributes["http.response.status_code"])).toEqual([
    503, 200,
  ]);
  expect(requests.map(({ status }) => status.code)).toEqual([
    SpanStatusCode.ERROR,
    SpanStatusCode.UNSET,
  ]);
  expect(requests[1]).toMatchObject({
    kind: SpanKind.CLIENT,
    parentSpanContext: { spanId: call?.spanContext().spanId },
    attributes: {
      "http.request.method": "GET",
      "server.address": "archive.example.com",
      "server.port": 8443,
      "url.template": PATH,
      "http.request.resend_count": 1,
    },
  });
  expect(spans().map(({ name }) => name)).toContain("createToken");
});

test("a failure has the class of its error, and neither identifiers nor secrets are anywhere", async () => {
  const { service, client, spans } = createTraced();
  service.inject({ kind: "unreachable", times: Infinity });
  await failureOf(client.GET(PATH, wanted));
  const call = spans().find(({ name }) => name === "getMetadataByCallId");
  expect(call?.attributes).toEqual({ "error.type": "ConnectionError" });
  expect(call?.status).toEqual({ code: SpanStatusCode.ERROR });
  const told = JSON.stringify(
    spans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );
  expect(told).not.toMatch(/5550171|secret-key|application-1|Bearer/);
});

test("`withUrl` tells the whole address", async () => {
  const { client, spans } = createTraced({ withUrl: true });
  await client.GET(PATH, wanted);
  const urls = spans().map(({ attributes }) => attributes["url.full"]);
  expect(urls).toContain("https://archive.example.com:8443/api/metadata/by-call-id/%2B31205550171");
});

test("a span that is active where the call is made is its parent", async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => context.disable());
  const { tracer, client, spans } = createTraced();
  const outer = tracer.startSpan("export");
  await context.with(trace.setSpan(context.active(), outer), () => client.GET(PATH, wanted));
  const { traceId, spanId } = outer.spanContext();
  const call = spans().find(({ name }) => name === "getMetadataByCallId");
  expect(call?.parentSpanContext?.spanId).toBe(spanId);
  expect(new Set(spans().map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]));
});

test("the span of a request is active while it is sent, and not after", async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => context.disable());
  const { service, spans, tracer } = createTraced();
  const active: (string | undefined)[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    await Promise.resolve();
    active.push(trace.getActiveSpan()?.spanContext().spanId);
    return service.fetch(url, init);
  };
  const client = createClient({
    ...service.clientOptions,
    fetch,
    onEvent: createTracing({ tracer }),
  });
  await client.GET(PATH, wanted);
  const requests = spans().filter(({ kind }) => kind === SpanKind.CLIENT);
  expect(active).toEqual(requests.map((span) => span.spanContext().spanId));
  expect(active).toHaveLength(2);
  expect(trace.getActiveSpan()).toBeUndefined();
});
