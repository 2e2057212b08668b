// From a path template and its values to the request that is sent.
import { operationIds } from "@call-media/api/operation-ids";

import { InvalidRequestError, type Operation } from "../errors.ts";
import type { CallOptions, Credentials } from "../options.ts";
import { isText } from "../values.ts";
import { hasDotSegment } from "./dot-segments.ts";

/** Second argument of any call. The types of the contract narrow it for each. */
export interface CallInit extends CallOptions {
  readonly params?:
    | {
        readonly path?: Values<string> | undefined;
        readonly query?: Values<string | number> | undefined;
        readonly header?: Values<string> | undefined;
      }
    | undefined;
  /** An object, sent as JSON. */
  readonly body?: Partial<Credentials> | undefined;
}

/** A request that can be sent any number of times. */
export interface PreparedRequest {
  readonly url: string;
  /** Each attempt sets its own `Authorization`. */
  readonly headers: Headers;
  /** JSON; null if there is none. */
  readonly body: string | null;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** The secret in the body, which no error may contain; empty if there is none. */
  readonly secret: string;
}

export const TOKEN_PATH = "/Token";

/** @throws TypeError if the contract has no such operation. */
export function toOperation(method: Operation["method"], path: string): Operation {
  const ids: Partial<Record<string, Operation["operationId"]>> = operationIds;
  const operationId = ids[`${method} ${path}`];
  if (!operationId) throw new TypeError(`The contract has no ${method} ${path}`);
  return { operationId, method, path };
}

/** The path template of the contract that matches `path`; undefined if there is none. */
export function findTemplate(path: string): string | undefined {
  // A parameter is the last segment of its template.
  const paths = new Set([path, path.replace(/[^/]+$/, "{}")]);
  return Object.keys(operationIds)
    .map((name) => name.slice(name.indexOf("/")))
    .find((one) => paths.has(one.replace(/\{.*/, "{}")));
}

/** @throws InvalidRequestError naming the value that would make it the request of another path. */
export function prepareRequest(
  baseUrl: string,
  operation: Operation,
  { params, body, headers: given, signal }: CallInit,
): PreparedRequest {
  const headers = new Headers(given);
  for (const [name, value] of definedOf(params?.header)) headers.set(name, value);
  if (body) headers.set("Content-Type", "application/json");
  return {
    url: toUrl(baseUrl, operation, params),
    headers,
    body: body ? JSON.stringify(body) : null,
    signal,
    secret: body?.secretKey ?? "",
  };
}

/** @throws InvalidRequestError naming the value that would make it the address of another path. */
export function toUrl(baseUrl: string, operation: Operation, params: CallInit["params"]): string {
  const encode = (name: string, value: string | number | undefined) => {
    try {
      // A lone surrogate cannot be encoded as UTF-8. A missing value is replaced by one, so that both are rejected.
      return encodeURIComponent(value ?? "\ud800");
    } catch {
      const about = { ...operation, attempts: 0, url: baseUrl };
      throw new InvalidRequestError(`${name} must be a string, not empty, . or ..`, about);
    }
  };
  // No template has more than one parameter, or anything after it.
  const [start = "", parameter] = operation.path.split("{");
  const query = definedOf(params?.query).map(([name, value]) => `${name}=${encode(name, value)}`);
  let url = baseUrl + start;
  if (parameter !== undefined) {
    const name = parameter.slice(0, -1);
    url += encode(name, toSegment(params?.path?.[name]));
  }
  return query.length > 0 ? `${url}?${query.join("&")}` : url;
}

/** Undefined if the value would lead to another path, like one or two dots. Some proxies decode slashes before they resolve dots. */
export function toSegment(value: unknown): string | undefined {
  return isText(value) && !hasDotSegment(value) ? value : undefined;
}

export type Values<Value> = Readonly<Record<string, Value | undefined>>;

/** The entries that have a value. */
export function definedOf<Value>(values: Values<Value> = {}): [string, Value][] {
  return Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined);
}
