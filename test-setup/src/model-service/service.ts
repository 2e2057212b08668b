// A service as a function from request to reply: routes, problems, and its place behind node:http.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Request {
  /** A HEAD request comes as GET with `isHead`; its body is made and not sent. */
  readonly method: string;
  readonly isHead: boolean;
  /** As sent, percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  /** Names in lower case. Content-Length is added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export type Service = (request: Request) => Reply;

export interface Running extends AsyncDisposable {
  readonly baseUrl: string;
}

/** The fault of a request; it becomes an error response. */
export class Problem extends Error {
  readonly status: number;
  readonly headers: Reply["headers"];

  constructor(status: number, title: string, headers: Reply["headers"] = {}) {
    super(title);
    this.status = status;
    this.headers = headers;
  }
}

export function json(status: number, value: unknown, headers: Reply["headers"] = {}): Reply {
  const body = JSON.stringify(value);
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}

/** The values of the path's parameters, decoded, by name. */
export type Parameters = Readonly<Record<string, string>>;

export interface ServiceOptions<Caller> {
  /** By method and path template, for example `GET /tickets/{ticketId}/qr`. */
  readonly routes: Readonly<
    Record<string, (request: Request, parameters: Parameters, caller: Caller) => Reply>
  >;
  /** @throws {Problem} 401 if the request is nobody's; `route` is its key in `routes` */
  readonly authenticate: (request: Request, route: string) => Caller;
  readonly toErrorBody: (problem: Problem) => unknown;
}

/** Matches, then authenticates, then calls the route's function. */
export function createService<Caller>(options: ServiceOptions<Caller>): Service {
  const { routes, authenticate, toErrorBody } = options;
  const table = Object.entries(routes).map(([route, handle]) => ({ route, handle }));
  return (request) => {
    try {
      const onPath = table.filter(({ route }) =>
        matchRoute(route.replace(/^\w+/, request.method), request),
      );
      if (onPath.length === 0) throw new Problem(404, "There is no such path.");
      const found = onPath.find(({ route }) => route.startsWith(`${request.method} `));
      const allow = onPath
        .map(({ route }) => route.replace(/ .*/, "").replace("GET", "GET, HEAD"))
        .join(", ");
      if (found === undefined) throw new Problem(405, "Method not allowed.", { allow });
      const caller = authenticate(request, found.route);
      return found.handle(request, decode(matchRoute(found.route, request) ?? {}), caller);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const headers = { "content-type": "application/problem+json", ...error.headers };
      return { status: error.status, headers, body: JSON.stringify(toErrorBody(error)) };
    }
  };
}

/** The values of the path's parameters as sent; undefined if the request is not for this route. */
export function matchRoute(
  route: string,
  { method, path }: Pick<Request, "method" | "path">,
): Record<string, string> | undefined {
  const [ofMethod = "", template = ""] = route.split(" ");
  if (ofMethod !== method) return undefined;
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  const match = pattern.exec(path);
  return match === null ? undefined : { ...match.groups };
}

function decode(parameters: Parameters): Parameters {
  try {
    const decoded = Object.entries(parameters).map(([name, value]) => [
      name,
      decodeURIComponent(value),
    ]);
    return Object.fromEntries(decoded);
  } catch {
    throw new Problem(400, "The path is not valid percent-encoding.");
  }
}

/** @throws {Problem} 400 if the body is not a JSON object */
export function parseBody({ body, headers }: Request): Record<string, unknown> {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!/^application\/(?:.+\+)?json$/.test(type)) throw new Problem(400, "The body must be JSON.");
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // The message below is for both: no JSON, and JSON of another type.
  }
  throw new Problem(400, "The body must be a JSON object.");
}

/** The one value of a query parameter; undefined if it is absent. */
export function queryValue({ query }: Request, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw new Problem(400, `${name} is given ${values.length} times.`);
  return values[0];
}

/** @throws {Problem} 400 outside of `least` to `most` */
export function queryInteger(
  request: Request,
  name: string,
  range: { readonly default: number; readonly least: number; readonly most: number },
): number {
  const value = queryValue(request, name);
  if (value === undefined) return range.default;
  const number = Number(value);
  if (!/^-?\d+$/.test(value) || number < range.least || number > range.most)
    throw new Problem(400, `${name} must be an integer from ${range.least} to ${range.most}.`);
  return number;
}

/** @throws {Problem} 400 if it is not a day of the calendar, YYYY-MM-DD */
export function parseDate(value: unknown, name: string): string {
  const isDate =
    typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && addDays(value, 0) === value;
  if (!isDate) throw new Problem(400, `${name} must be a date, YYYY-MM-DD.`);
  return value;
}

/** An empty text if `date` is not a day of the calendar; 9999-12-31 at the latest. */
export function addDays(date: string, days: number): string {
  const instant = new Date(`${date}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  if (Number.isNaN(instant.getTime())) return "";
  return instant.getUTCFullYear() > 9999 ? "9999-12-31" : instant.toISOString().slice(0, 10);
}

/** True if a reply has a JSON body, of any media type with JSON syntax. */
export function isJson({ headers, body }: Reply): boolean {
  return body.length > 0 && /[/+]json\b/i.test(headers["content-type"] ?? "");
}

/** Serves on 127.0.0.1. @param port 0, the default, takes a free one */
export async function listen(service: Service, port = 0): Promise<Running> {
  const server = createServer((incoming, response) => {
    void toRequest(incoming).then(
      (request) => answer(service, request, response),
      () => response.destroy(), // the caller went away
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const address = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const [path = "", ...query] = (incoming.url ?? "").split("?");
  const isHead = incoming.method === "HEAD";
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: isHead ? "GET" : (incoming.method ?? ""),
    isHead,
    path,
    query: new URLSearchParams(query.join("?")),
    headers: Object.fromEntries(headers) as Record<string, string>, // pairs of texts
    body: await text(incoming),
  };
}

/** An error of the service ends the connection, so that nobody waits, and then the process. */
function answer(service: Service, request: Request, response: ServerResponse): void {
  try {
    const reply = service(request);
    const hasLength = reply.status !== 204 && reply.status !== 304;
    const length = { "content-length": String(Buffer.byteLength(reply.body)) };
    response.writeHead(reply.status, { ...(hasLength && length), ...reply.headers });
    response.end(request.isHead ? undefined : reply.body);
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
