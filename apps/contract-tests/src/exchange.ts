// Sends requests in the form of the contract without any client, and reads their responses.
import type { Route } from "@call-media/api";
import type { Input } from "./input.ts";

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** The request of an operation; every value is sent as text. */
export function toRequest(baseUrl: string, route: Route, input: Input): Request {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.path[name])),
  );
  const query = new URLSearchParams(toTexts(input.query)).toString();
  const headers = new Headers(toTexts(input.header));
  const url = `${baseUrl}${path}${query === "" ? "" : `?${query}`}`;
  if (route.body === undefined) return new Request(url, { method: route.method, headers });
  headers.set("Content-Type", "application/json");
  return new Request(url, { method: route.method, headers, body: JSON.stringify(input.body) });
}

/** The same request with this header; undefined removes the header. */
export function withHeader(request: Request, name: string, value: string | undefined): Request {
  const changed = new Request(request);
  if (value === undefined) changed.headers.delete(name);
  else changed.headers.set(name, value);
  return changed;
}

export function withBearer(request: Request, bearer: string | undefined): Request {
  return withHeader(request, "Authorization", bearer && `Bearer ${bearer}`);
}

export async function send(request: Request): Promise<ReceivedAnswer> {
  const response = await fetch(request);
  const { status, headers } = response;
  return { status, headers, body: await response.bytes() };
}

export function toJson(answer: ReceivedAnswer): unknown {
  return JSON.parse(new TextDecoder().decode(answer.body));
}

function toTexts(values: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(values).map(([name, value]) => [name, String(value)]);
}
