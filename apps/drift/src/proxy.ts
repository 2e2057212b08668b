// A proxy before the real service that responds as the service would after a drift.
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as sendRequest,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type OperationId, routes } from "@call-media/api";
import { type Answer, isSameAnswer, type Mutate, type ProxyRequest } from "./exchange.ts";

/** The requests that a mutation applies to; `every` includes those that belong to no operation. */
export type Scope = OperationId | readonly OperationId[] | "every";

export interface Drift {
  readonly operation: Scope;
  readonly mutate: Mutate;
}

export interface ProxyOptions extends Drift {
  /** Base URL of the real service. */
  readonly service: string;
  readonly adminKey: string;
  readonly expiredToken: string;
}

export interface Proxy extends AsyncDisposable {
  readonly baseUrl: string;
  /** The number of responses that differ from the service's own. */
  readonly changed: () => number;
  /** Errors of a mutation; the check did not see that drift. */
  readonly faults: readonly unknown[];
}

// They apply to one connection, and the proxy has two (RFC 9110, section 7.6.1).
const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "host"]);

const TEMPLATES = routes.map(({ operationId, method, path }) => ({
  operationId,
  method: method as string,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

/** Starts the proxy on a free port of this machine. */
export async function startProxy({ operation, mutate, ...options }: ProxyOptions): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  const faults: unknown[] = [];
  let changed = 0;
  const upstream = {
    ...options,
    ask: (request: ProxyRequest) => forward(agent, options.service, request),
  };
  const answer = async (request: ProxyRequest): Promise<Answer> => {
    const plain = await upstream.ask(request);
    if (!isInScope(operation, request.operation)) return plain;
    const drifted = await mutate(plain, request, upstream);
    if (!isSameAnswer(plain, drifted)) changed += 1;
    return drifted;
  };
  const server = createServer((incoming, response) => {
    void toProxyRequest(incoming)
      .then(answer)
      .then((found) => send(response, found))
      .catch((error: unknown) => {
        // A caller that disconnected is not a fault.
        if (!incoming.destroyed || incoming.complete) faults.push(error);
        response.destroy();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    changed: () => changed,
    faults,
    [Symbol.asyncDispose]: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function isInScope(scope: Scope, operation: OperationId | undefined): boolean {
  if (scope === "every") return true;
  if (typeof scope === "string") return scope === operation;
  return operation !== undefined && scope.includes(operation);
}

async function toProxyRequest(incoming: IncomingMessage): Promise<ProxyRequest> {
  const [pathname = "", ...query] = (incoming.url ?? "").split("?");
  const method = incoming.method ?? "";
  const isFor = method === "HEAD" ? "GET" : method;
  return {
    operation: TEMPLATES.find((route) => route.method === isFor && route.pattern.test(pathname))
      ?.operationId,
    method,
    pathname,
    query: query.join("?"),
    headers: toHeaders(incoming),
    body: await buffer(incoming),
  };
}

function forward(agent: Agent, service: string, request: ProxyRequest): Promise<Answer> {
  const { method, headers, body } = request;
  const url = service + request.pathname + (request.query === "" ? "" : `?${request.query}`);
  return new Promise((resolve, reject) => {
    const length = body.length === 0 ? {} : { "content-length": body.length };
    const outgoing = sendRequest(url, { agent, method, headers: { ...headers, ...length } });
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      buffer(incoming).then(
        (bytes) =>
          resolve({ status: incoming.statusCode ?? 0, headers: toHeaders(incoming), body: bytes }),
        reject,
      );
    });
    outgoing.end(body);
  });
}

function toHeaders({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** Interrupts the connection if the body is shorter than its Content-Length. */
function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.sendDate = false;
  response.writeHead(status, headers);
  const isCut =
    response.req.method !== "HEAD" && Number(headers["content-length"] ?? 0) > body.length;
  if (isCut) response.write(body, () => response.destroy());
  else response.end(response.req.method === "HEAD" ? undefined : body);
}
