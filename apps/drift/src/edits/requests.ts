// Services that misread a request: they return the real response to another request.
import type { Mutate, ProxyRequest, Upstream } from "../exchange.ts";
import { withHeaders } from "./answers.ts";
import { type Json, isObject, type JsonObject } from "./json.ts";

/** Returns the response to the edited request. */
export function asIf(edit: (request: ProxyRequest, upstream: Upstream) => ProxyRequest): Mutate {
  return (answer, request, upstream) => {
    const other = edit(request, upstream);
    return other === request ? answer : upstream.ask(other);
  };
}

export function withQuery(
  request: ProxyRequest,
  changes: Readonly<Record<string, string | undefined>>,
): ProxyRequest {
  const query = new URLSearchParams(request.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return { ...request, query: query.toString() };
}

/** Returns the response to the request with other parameters. */
export function asIfQuery(changes: Readonly<Record<string, string | undefined>>): Mutate {
  return asIf((request) => withQuery(request, changes));
}

/** Returns the response to the request with other headers, if it has one of them. */
export function asIfHeaders(changes: Readonly<Record<string, string | undefined>>): Mutate {
  return asIf((request) =>
    Object.keys(changes).some((name) => name in request.headers)
      ? withHeaders(request, changes)
      : request,
  );
}

export function queryOf({ query }: ProxyRequest, name: string): string {
  return new URLSearchParams(query).get(name) ?? "";
}

/** The parsed body; undefined if it is not a JSON object. */
export function filterOf({ body }: ProxyRequest): JsonObject | undefined {
  try {
    const parsed = JSON.parse(body.toString()) as Json; // the possible results of JSON.parse
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined; // a checker sends invalid JSON on purpose
  }
}

export function withFilter(request: ProxyRequest, filter: JsonObject): ProxyRequest {
  return { ...request, body: Buffer.from(JSON.stringify(filter)) };
}

/** Searches another field for the value of a filter. */
export function lookedUpAs(from: string, to: string): Mutate {
  return asIf((request) => {
    const { [from]: wanted, ...others } = filterOf(request) ?? {};
    return wanted === undefined ? request : withFilter(request, { ...others, [to]: wanted });
  });
}

export function withAuthorization(request: ProxyRequest, value: string | undefined): ProxyRequest {
  return withHeaders(request, { authorization: value });
}

/** The last part of the path, which contains the identifier. */
export function identifierOf({ pathname }: ProxyRequest): string {
  return decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
}

export function withIdentifier(request: ProxyRequest, identifier: string): ProxyRequest {
  const { pathname } = request;
  const start = pathname.slice(0, pathname.lastIndexOf("/") + 1);
  return { ...request, pathname: start + encodeURIComponent(identifier) };
}

/** Every accepted caller sees what the administrator sees. */
export const seesAll: Mutate = (answer, request, { ask, adminKey }) =>
  answer.status === 401 ? answer : ask(withAuthorization(request, `Bearer ${adminKey}`));

/** Accepts callers that should get 401 if their Authorization header matches. */
export function letsIn(fits: (header: string | undefined, upstream: Upstream) => boolean): Mutate {
  return (answer, request, upstream) =>
    answer.status === 401 && fits(request.headers.authorization, upstream)
      ? upstream.ask(withAuthorization(request, `Bearer ${upstream.adminKey}`))
      : answer;
}
