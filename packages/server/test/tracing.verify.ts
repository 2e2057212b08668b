// Traces, as a collector receives them from a running service over OTLP/HTTP.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Program, startProgram } from "./support/program.ts";
import { ALLOWED_ALL, startTestService, toCall } from "./support/service.ts";

const CANARY = "canary7f3a";

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number;
  readonly arrayValue?: { readonly values: readonly Value[] };
}
type Attributes = readonly { readonly key: string; readonly value: Value }[];

interface Span {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
  readonly status: { readonly code: number };
}

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What of ExportTraceServiceRequest is looked at. */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

async function startCollector() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    received.push({ path: request.url ?? "", headers: request.headers, text });
    response.setHeader("Content-Type", "application/json");
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // an IP socket
  const exports = () => received.map(({ text }): Export => JSON.parse(text));
  const resources = () => exports().flatMap(({ resourceSpans }) => resourceSpans);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    received,
    resource: () => toObject(resources()[0]?.resource.attributes ?? []),
    spans: () => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  };
}

function toObject(attributes: Attributes): Record<string, unknown> {
  const toPlain = ({ stringValue, intValue, arrayValue }: Value): unknown =>
    stringValue ?? intValue ?? arrayValue?.values.map(toPlain);
  return Object.fromEntries(attributes.map(({ key, value }) => [key, toPlain(value)]));
}

async function startFilled(env: NodeJS.ProcessEnv) {
  const archive = await startTestService();
  onTestFinished(() => archive[Symbol.asyncDispose]());
  const { key } = await archive.addUser(ALLOWED_ALL);
  await archive.add(toCall({ call_id: `id-${CANARY}`, datetime: "2026-01-05T10:00:00Z" }));
  const program = await startProgram(archive.directory, [], env);
  return { program, key };
}

const get = (
  { baseUrl }: Program,
  path: string,
  { key = "", ...headers }: Record<string, string> = {},
) => fetch(`${baseUrl}${path}`, { headers: { Authorization: `Bearer ${key}`, ...headers } });

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

test("a request is a span of its caller's trace, with the route of the document and nothing of what was asked for", async () => {
  const collector = await startCollector();
  const { program, key } = await startFilled({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=north",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  });
  const traceparent = `00-${TRACE}-${PARENT}-01`;
  const beforeMs = Date.now();
  await get(program, `/metadata/by-call-id/id-${CANARY}?x=${CANARY}`, { traceparent });
  const found = await get(program, `/metadata/by-call-id/id-${CANARY}`, { key, traceparent });
  await get(program, `/${CANARY}?words=${CANARY}`, { traceparent: `00-${CANARY}` });
  const bytes = (await found.arrayBuffer()).byteLength;
  const days = "pageIndex=0&startDate=2026-01-01&endDate=2026-01-31";
  const sought = await fetch(
    `${program.baseUrl}/metadata/by-custom-fields?${days}&words=${CANARY}`,
    {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: "{}",
    },
  );
  expect(sought.status).toBe(200);
  expect(await program.stop()).toBe(0);

  expect(collector.received[0]).toMatchObject({
    path: "/v1/traces",
    headers: { "content-type": "application/json", "x-tenant": "north" },
  });
  expect(collector.resource()).toMatchObject({
    "service.name": "call-media-server",
    "deployment.environment.name": "test",
  });
  const [refused, span, unknown, search] = collector.spans();
  expect(span).toMatchObject({
    traceId: TRACE,
    parentSpanId: PARENT,
    name: "GET /metadata/by-call-id/{call_id}",
    kind: 2, // SPAN_KIND_SERVER
    status: { code: 0 },
  });
  expect(toObject(span?.attributes ?? [])).toEqual({
    "http.request.method": "GET",
    "http.route": "/metadata/by-call-id/{call_id}",
    "http.response.status_code": 200,
    "http.response.body.size": bytes,
    "http.response.header.x-request-id": [found.headers.get("X-Request-Id")],
    "client.address": "127.0.0.1",
  });
  const startMs = Number(span?.startTimeUnixNano) / 1e6;
  const endMs = Number(span?.endTimeUnixNano) / 1e6;
  expect(startMs).toBeGreaterThanOrEqual(beforeMs - 2); // two clocks, in whole milliseconds
  expect(endMs).toBeGreaterThanOrEqual(startMs);
  expect(endMs).toBeLessThanOrEqual(Date.now());
  expect(toObject(refused?.attributes ?? [])["http.response.status_code"]).toBe(401);
  expect(refused?.traceId).not.toBe(TRACE);
  expect(search?.name).toBe("POST /metadata/by-custom-fields");
  expect(unknown).toMatchObject({ name: "GET", status: { code: 0 } });
  expect(unknown?.parentSpanId ?? "").toBe("");
  expect(unknown?.traceId).not.toBe(TRACE);
  expect(collector.received.map(({ text }) => text).join("")).not.toContain(CANARY);
});

test.each<[env: NodeJS.ProcessEnv, flags: string, traced: number]>([
  [{}, "01", 1],
  [{}, "00", 0],
  [{ OTEL_TRACES_SAMPLER: "always_off" }, "01", 0],
  [{ OTEL_TRACES_SAMPLER: "always_on" }, "00", 1],
  [{ OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" }, "01", 1],
  [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" }, "01", 0],
])("with %j a caller's flag %s makes %i spans", async (env, flags, traced) => {
  const collector = await startCollector();
  const { program, key } = await startFilled({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    ...env,
  });
  await get(program, "/flags/public", { key, traceparent: `00-${TRACE}-${PARENT}-${flags}` });
  expect(await program.stop()).toBe(0);
  expect(collector.spans()).toHaveLength(traced);
});

test.each<[env: NodeJS.ProcessEnv, flags: string, traced: number]>([
  [{}, "00", 1],
  [{ OTEL_TRACES_SAMPLER: "parentbased_always_off" }, "01", 0],
])(
  "with %j a stranger's flag %s changes nothing: there are %i spans",
  async (env, flags, traced) => {
    const collector = await startCollector();
    const { program } = await startFilled({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      ...env,
    });
    await get(program, "/flags/public", { traceparent: `00-${TRACE}-${PARENT}-${flags}` });
    expect(await program.stop()).toBe(0);
    expect(collector.spans()).toHaveLength(traced);
  },
);

test("a collector that is not there is in the log, and holds up neither answers nor the end", async () => {
  const { program, key } = await startFilled({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:9/v1/traces",
    OTEL_EXPORTER_OTLP_TIMEOUT: "1000",
  });
  expect((await get(program, "/flags/public", { key })).status).toBe(200);
  const startedMs = performance.now();
  expect(await program.stop()).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(8_000);
  expect(program.log().find(({ msg }) => msg === "tracing")).toMatchObject({
    level: "warn",
    reason: expect.stringContaining("ECONNREFUSED"),
  });
});

describe("the environment", () => {
  const ENDPOINT = "http://127.0.0.1:4318";

  test.each<[NodeJS.ProcessEnv, string]>([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" },
      "OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://127.0.0.1:4318",
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      "OTEL_EXPORTER_OTLP_PROTOCOL: this program speaks OTLP over HTTP, not grpc",
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_SAMPLER: "sometimes" },
      "OTEL_TRACES_SAMPLER must be one of always_on, always_off, traceidratio, or that after parentbased_",
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT,
        OTEL_TRACES_SAMPLER: "traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "2",
      },
      "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1",
    ],
  ])("%j is refused in one line", async (env, message) => {
    await using archive = await startTestService();
    await expect(startProgram(archive.directory, [], env)).rejects.toThrow(
      `ended, having said call-media-server: ${message}\n`,
    );
  });

  test.each<[NodeJS.ProcessEnv, boolean]>([
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: "true" }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: "none" }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }, true],
  ])("%j loads the libraries of tracing: %j", async (env, isLoaded) => {
    const hook = await writeHook("(console.log('load', name), next(name, context))");
    const { program } = await startFilled({ ...env, NODE_OPTIONS: `--import ${hook}` });
    program.signal("SIGKILL");
    await program.ended;
    const { stdout } = program.output();
    expect(stdout).toContain("load pino");
    expect(stdout.includes("load @opentelemetry/")).toBe(isLoaded);
    expect(stdout).not.toContain("load prom-client");
  });

  test("asking for tracing without its libraries says what to do", async () => {
    const hook = await writeHook(
      "next(name.startsWith('@opentelemetry/') ? './not-installed.js' : name, context)",
    );
    await using archive = await startTestService();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, NODE_OPTIONS: `--import ${hook}` };
    await expect(startProgram(archive.directory, [], env)).rejects.toThrow(
      /^ended, having said call-media-server: the environment asks for tracing, .*optional dependencies\n$/,
    );
  });
});

/** A module that has a say in what every import of the program is resolved to. */
async function writeHook(resolve: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-tracing-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const hook = join(folder, "hook.mjs");
  await writeFile(
    hook,
    `import { registerHooks } from "node:module";
     registerHooks({ resolve: (name, context, next) => ${resolve} });`,
  );
  return hook;
}
