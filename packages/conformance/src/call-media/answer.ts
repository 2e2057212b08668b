// A request of the kit and its response, in the forms that checks read and reports show.
import { type OperationId, type Route, routes } from "@call-media/api";
import { hideAll, type ReceivedAnswer, type SentRequest, showBody } from "../http/exchanges.ts";
import { hideTokens, type Secrets } from "../http/secrets.ts";
import { JSON_BOUNDS, STREAM_BOUNDS } from "../http/sender.ts";
import type { Bounds, RawAnswer, RawRequest } from "../http/transport.ts";

/** A request. Fields that are left out default to what a well-behaved client sends. */
export interface Ask {
  readonly operation: OperationId;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** A value to be written as JSON. */
  readonly body?: unknown;
  /** A raw body, sent unchanged instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The Authorization header; null for none. Default: the header of the first caller. */
  readonly authorization?: string | null;
  readonly method?: string;
  /** Replaces the operation's path; percent-encoded. */
  readonly rawPath?: string;
}

export interface Answer {
  readonly ask: Ask;
  readonly status: number;
  readonly headers: Headers;
  readonly size: number;
  readonly sha256: string;
  /** The body, unless it exceeded the size limit for stored bodies. */
  readonly bytes: Uint8Array | undefined;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
  /** By this program's clock, ms since 1970. */
  readonly receivedMs: number;
  readonly sent: SentRequest;
  readonly came: ReceivedAnswer;
}

export type JsonObject = Readonly<Record<string, unknown>>;

const byId = new Map(routes.map((route) => [route.operationId, route]));

export function routeOf(operation: OperationId): Route {
  const route = byId.get(operation);
  if (route === undefined) throw new Error(`${operation} is no operation of the contract`);
  return route;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The records of a response; empty if it has no `data` with records. */
export function recordsOf({ json }: Pick<Answer, "json">): readonly JsonObject[] {
  const data = isObject(json) ? json["data"] : undefined;
  return Array.isArray(data) ? data.filter(isObject) : [];
}

export function isSuccess(answer: Pick<Answer, "status" | "json">): boolean {
  return isPassed(answer) && !refusesInBody(answer);
}

/** True for a 2xx status. The body may still refuse the request. */
export function isPassed({ status }: Pick<Answer, "status">): boolean {
  return status >= 200 && status < 300;
}

/** True for an envelope that contains only an error: the interface specifies neither error statuses nor error bodies. */
export function refusesInBody({ json }: Pick<Answer, "json">): boolean {
  if (!isObject(json) || json["isError"] !== true) return false;
  const { errorMessage: message, data } = json;
  return (
    typeof message === "string" &&
    message !== "" &&
    recordsOf({ json }).length === 0 &&
    !isObject(data)
  );
}

/** Describes how the response refuses the request. Undefined if it does not. */
export function findRefusal(answer: Pick<Answer, "status" | "json">): string | undefined {
  if (isSuccess(answer)) return undefined;
  return `the answer is ${answer.status}${isPassed(answer) ? " with isError true" : ""}`;
}

/** True if the response refuses the request, for any reason. */
export function isRefusal({ status }: Pick<Answer, "status">): boolean {
  return status >= 400 && status < 500;
}

export function toRawRequest(baseUrl: string, ask: Ask, authorization: string | null): RawRequest {
  const route = routeOf(ask.operation);
  const path = ask.rawPath ?? fillPath(route.path, ask.path ?? {});
  const query = new URLSearchParams(ask.query).toString();
  const body = ask.text ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
  return {
    method: ask.method ?? route.method,
    url: `${baseUrl}${path}${query === "" ? "" : `?${query}`}`,
    headers: {
      ...(authorization !== null && { Authorization: authorization }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...ask.headers,
    },
    body,
  };
}

function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
}

export const toBounds = ({ operation }: Ask): Bounds =>
  operation.startsWith("stream") ? STREAM_BOUNDS : JSON_BOUNDS;

export function toAnswer(ask: Ask, raw: RawAnswer, shown: { sent: SentRequest; secrets: Secrets }) {
  learnToken(ask, raw, shown.secrets);
  const { status, headers, size, sha256, bytes } = raw;
  const isText = /json|text|xml/.test(headers.get("Content-Type") ?? "") || status >= 400;
  const isStream = ask.operation.startsWith("stream");
  const text = bytes === undefined || (isStream && !isText) ? "" : new TextDecoder().decode(bytes);
  const answer: Answer = {
    ask,
    status,
    headers,
    size,
    sha256,
    bytes,
    text,
    json: parseJson(text),
    receivedMs: Date.now(),
    sent: shown.sent,
    came: {
      status,
      headers: hideAll([...headers], shown.secrets),
      body:
        text === "" && size > 0
          ? `${size} bytes, SHA-256 ${sha256}`
          : showText(ask, text, shown.secrets),
      bodyBytes: size,
    },
  };
  return answer;
}

function showText({ operation }: Ask, text: string, secrets: Secrets): string {
  const known = showBody(text, secrets);
  return operation === "createToken" ? hideTokens(known) : known;
}

// Runs before any part of the response is shown: a check may fail on the response before the token is used.
function learnToken({ operation, body }: Ask, { bytes }: RawAnswer, secrets: Secrets): void {
  if (operation !== "createToken" || bytes === undefined) return;
  const [, token] = /"access_token"\s*:\s*"([^"]+)"/.exec(new TextDecoder().decode(bytes)) ?? [];
  const isRestricted = secrets.hide(JSON.stringify(body) ?? "").includes("$RESTRICTED_");
  if (token !== undefined) secrets.add(token, isRestricted ? "$RESTRICTED_TOKEN" : "$TOKEN");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: the checks of the body say so
  }
}
