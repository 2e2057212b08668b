// A request of the kit and its response, in the forms that laws read.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { isJson, type Operation } from "./document/document.ts";
import { moveBase } from "./document/servers.ts";
import { bodyTypeOf, encodeBody } from "./http/body.ts";
import {
  hideAll,
  type ReceivedAnswer,
  type Recorded,
  type SentRequest,
  showBody,
} from "./http/exchanges.ts";
import type { Secrets } from "./http/secrets.ts";
import type { RawAnswer, RawRequest } from "./http/transport.ts";
import { toText } from "./values/places.ts";

/** The headers and query parameters that identify a caller. */
export interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** A request. Fields that are left out default to what a well-behaved client sends. */
export interface Ask {
  /** Id of the operation. */
  readonly operation: string;
  readonly path?: JsonObject;
  /** Undefined values are left out; arrays are repeated names. `body/agent` stands for a field of the body. */
  readonly query?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value to be written as JSON. */
  readonly body?: unknown;
  /** A raw body, sent unchanged instead of `body`. */
  readonly text?: string;
  /** Default: the first caller. Null: no credentials. */
  readonly caller?: Caller | null;
  readonly method?: string;
  /** Rewrites the percent-encoded path and query. */
  readonly rewrite?: (target: string) => string;
}

export interface Answer {
  readonly ask: Ask;
  readonly operation: Operation;
  /** The method that was sent. */
  readonly method: string;
  readonly status: number;
  readonly headers: Headers;
  readonly size: number;
  readonly sha256: string;
  /** The body, unless it exceeded the size limit for stored bodies. */
  readonly bytes: Uint8Array | undefined;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
  readonly isSuccess: boolean;
  /** By this program's clock, ms since 1970. */
  readonly receivedMs: number;
  readonly sent: SentRequest;
  readonly came: ReceivedAnswer;
  /** Where it stands in a recording. Undefined for a response that the kit itself received. */
  readonly recorded?: Recorded;
  /** Parts that a recording does not have. */
  readonly lacks?: { readonly body: boolean; readonly headers: boolean };
}

export const SAFE_METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "OPTIONS",
  "QUERY",
  "PROPFIND",
]);

export interface Address {
  readonly baseUrl: string;
  readonly operation: Operation;
  readonly caller: Caller | null;
  /** Fields of its body whose value is the content of a file. */
  readonly files: ReadonlySet<string>;
}

const BODY = "body/";

/** Moves the query parameters that name body fields into the body. */
export function placeFields(ask: Ask): Ask {
  const entries = Object.entries(ask.query ?? {});
  const isField = ([name]: readonly [string, unknown]) => name.startsWith(BODY);
  if (!entries.some(isField)) return ask;
  const fields = entries
    .filter(isField)
    .map(([name, value]) => [name.slice(BODY.length), value] as const);
  return {
    ...ask,
    query: Object.fromEntries(entries.filter((entry) => !isField(entry))),
    body: { ...(isObject(ask.body) && ask.body), ...Object.fromEntries(fields) },
  };
}

/** Moves parameters that the operation defines as headers into the headers. Rules name all parameters the same way. */
function placeHeaders(ask: Ask, { parameters }: Operation): Ask {
  const isHeader = ([name]: readonly [string, unknown]) =>
    parameters.some((one) => one.in === "header" && one.name === name) &&
    !parameters.some((one) => one.in === "query" && one.name === name);
  const entries = Object.entries(ask.query ?? {});
  if (!entries.some(isHeader)) return ask;
  const headers = entries
    .filter(isHeader)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, toText(value)] as const);
  return {
    ...ask,
    query: Object.fromEntries(entries.filter((entry) => !isHeader(entry))),
    headers: { ...Object.fromEntries(headers), ...ask.headers },
  };
}

export function toRawRequest(
  given: Ask,
  { baseUrl, operation, caller, files }: Address,
): RawRequest {
  const ask = placeHeaders(placeFields(given), operation);
  const filled = fillPath(operation.path, ask.path);
  const query = toQuery({ ...ask.query, ...caller?.query }, operation);
  const mediaType = bodyTypeOf(operation) ?? "application/json";
  const encoded = ask.body === undefined ? undefined : encodeBody(mediaType, ask.body, files);
  const body = ask.text ?? encoded?.text;
  const method = ask.method ?? operation.method;
  const target = `${filled}${query === "" ? "" : `?${query}`}`;
  return {
    method,
    url: `${moveBase(baseUrl, operation.moved)}${ask.rewrite?.(target) ?? target}`,
    headers: {
      Accept: toAccept(operation),
      ...caller?.headers,
      ...(body !== undefined && { "Content-Type": encoded?.type ?? mediaType }),
      ...ask.headers,
    },
    ...(body !== undefined && method !== "GET" && method !== "HEAD" && { body }),
  };
}

/** Fills in a path of the document. A parameter without a value becomes "unknown". */
export const fillPath = (template: string, values: JsonObject = {}): string =>
  template.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(toText(values[name] ?? "unknown")),
  );

/** Bytes of any type: a service may have a more precise one. */
const BYTES = "application/octet-stream";

/** Every type that the operation documents. Errors may have any other type, so the rest is accepted with a low priority. */
function toAccept({ responses }: Operation): string {
  const types = responses
    .filter(({ status }) => status.startsWith("2"))
    .flatMap(({ media }) => media.map(({ type }) => type));
  return types.includes(BYTES) ? "*/*" : [...new Set(types), "*/*;q=0.1"].join(", ");
}

/** RFC 3986: every server decodes %20 as a space, but not every server decodes `+`. */
function toQuery(query: JsonObject, { parameters }: Operation): string {
  const encode = (value: unknown): string => encodeURIComponent(toText(value));
  return Object.entries(query)
    .flatMap(([name, value]) => {
      const { separator } = parameters.find((one) => one.in === "query" && one.name === name) ?? {};
      const texts = [value].flat().filter((one) => one !== undefined);
      const written =
        separator === undefined ? texts.map(encode) : [texts.map(encode).join(separator)];
      return texts.length === 0 ? [] : written.map((one) => `${encodeURIComponent(name)}=${one}`);
    })
    .join("&");
}

export interface Came {
  readonly raw: RawAnswer;
  readonly sent: SentRequest;
  readonly operation: Operation;
  /** True if the body is a text, whatever its Content-Type says. */
  readonly isRead: boolean;
}

export function toAnswer(
  ask: Ask,
  { raw, sent, operation, isRead }: Came,
  secrets: Pick<Secrets, "hide">,
): Answer {
  const { status, headers, size, sha256, bytes } = raw;
  const type = headers.get("Content-Type") ?? "";
  const isText = isRead || /json|text|xml|html/i.test(type);
  const text = bytes !== undefined && isText ? new TextDecoder().decode(bytes) : "";
  const body =
    text === "" && size > 0 ? `${size} bytes, SHA-256 ${sha256}` : showBody(text, secrets);
  return {
    ask,
    operation,
    method: sent.method,
    status,
    headers,
    size,
    sha256,
    bytes,
    text,
    json: isJson(type) ? parseJson(text) : undefined,
    isSuccess: isPassed(raw),
    receivedMs: Date.now(),
    sent,
    came: { status, headers: hideAll([...headers], secrets), body, bodyBytes: size },
  };
}

/** True for a 2xx status. The body may still refuse the request. */
export const isPassed = ({ status }: { readonly status: number }): boolean =>
  status >= 200 && status < 300;

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: the rules of the document say so
  }
}
