// From a path template and its values to the request that is sent.
import { operationIds } from "@call-media/api/operation-ids";

import { type ErrorSubject, InvalidRequestError, type Operation } from "./errors.ts";

/** What any of the calls may be given; the types of the contract say which takes what. */
export interface CallInit {
  readonly params?: {
    readonly path?: Readonly<Record<string, string | undefined>>;
    readonly query?: Readonly<Record<string, string | number | undefined>>;
    readonly header?: Readonly<Record<string, string | undefined>>;
  };
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A request as it is sent, any number of times, but for whom it is made. */
export interface Written {
  readonly url: string;
  readonly headers: Headers;
  /** JSON; undefined where there is none. */
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** @throws TypeError where the contract has no such operation. */
export function toOperation(method: Operation["method"], path: string): Operation {
  const operationId = (operationIds as Partial<Record<string, Operation["operationId"]>>)[
    `${method} ${path}`
  ];
  if (operationId === undefined) throw new TypeError(`The contract has no ${method} ${path}`);
  return { operationId, method, path };
}

/** @throws InvalidRequestError naming the value that would make it the request of another path. */
export function toWritten(baseUrl: string, operation: Operation, init: CallInit): Written {
  const { params, body, signal } = init;
  return {
    url: toUrl(baseUrl, operation, params),
    headers: toHeaders(init),
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  };
}

/** @throws InvalidRequestError as `toWritten`. */
export function toUrl(baseUrl: string, operation: Operation, params: CallInit["params"]): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    toSegment(name, params?.path?.[name], { ...operation, url: baseUrl, attempts: 0 }),
  );
  const query = Object.entries(params?.query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  );
  return baseUrl + path + (query.length > 0 ? `?${query.join("&")}` : "");
}

function toSegment(name: string, value: unknown, about: ErrorSubject): string {
  if (typeof value === "string" && !/^\.{0,2}$/.test(value) && value.isWellFormed())
    return encodeURIComponent(value);
  const fault = `${name} must be a string, not empty, . or ..`;
  throw new InvalidRequestError(fault, about);
}

function toHeaders({ params, headers, body }: CallInit): Headers {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(params?.header ?? {}))
    if (value !== undefined) all.set(name, value);
  if (body !== undefined) all.set("Content-Type", "application/json");
  return all;
}
