// Reads the standard environment variables of OpenTelemetry.

export interface TracingSettings {
  /** The share of requests to trace, from 0 to 1, if their callers did not decide. */
  readonly ratio: number;
  /** True if a caller that sends a traceparent decides for its request. */
  readonly isParentBased: boolean;
}

/** The environment requests something unsupported; the message says what is supported. */
export class TracingError extends Error {
  override readonly name = "TracingError";
}

type Environment = Readonly<Record<string, string | undefined>>;

const ENDPOINTS = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
const PROTOCOLS = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];
const SAMPLERS = ["always_on", "always_off", "traceidratio"];

/**
 * Undefined unless an OTLP endpoint is set, and if OTEL_SDK_DISABLED is true or OTEL_TRACES_EXPORTER is none. Throws
 * `TracingError` for an endpoint, a protocol or a sampler that cannot be used.
 */
export function parseTracing(environment: Environment): TracingSettings | undefined {
  const endpoint = ENDPOINTS.find((name) => environment[name]);
  const isDisabled = environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true";
  if (endpoint === undefined || isDisabled || environment["OTEL_TRACES_EXPORTER"] === "none")
    return undefined;
  if (!/^https?:$/.test(URL.parse(environment[endpoint] ?? "")?.protocol ?? ""))
    throw new TracingError(`${endpoint} must be a URL such as http://127.0.0.1:4318`);
  const protocol = PROTOCOLS.find((name) => environment[name]);
  if (protocol !== undefined && environment[protocol] === "grpc")
    throw new TracingError(`${protocol}: this program speaks OTLP over HTTP, not grpc`);
  return parseSampler(environment);
}

function parseSampler(environment: Environment): TracingSettings {
  const name = environment["OTEL_TRACES_SAMPLER"] || "parentbased_always_on";
  const root = name.replace(/^parentbased_/, "");
  if (!SAMPLERS.includes(root))
    throw new TracingError(
      `OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(", ")}, or that after parentbased_`,
    );
  const ratio = Number(environment["OTEL_TRACES_SAMPLER_ARG"] || 1);
  if (root === "traceidratio" && !(ratio >= 0 && ratio <= 1))
    throw new TracingError("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1");
  const ratios: Readonly<Record<string, number>> = { always_on: 1, always_off: 0 };
  return { ratio: ratios[root] ?? ratio, isParentBased: root !== name };
}
