// A service with one fault: it passes the real service's responses on, and changes a name in one kind of response.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { RunningService } from "./demo-service.ts";

export interface FaultyService extends RunningService {
  /** Every token that was issued. */
  readonly tokens: ReadonlySet<string>;
}

export interface Fault {
  /** The start of the path whose responses are changed. */
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** Passes requests on to `baseUrl`, and replaces `from` by `to` in the responses of one path. */
export async function startFaultyService(baseUrl: string, fault: Fault): Promise<FaultyService> {
  const tokens = new Set<string>();
  const server = createServer((request, response) => {
    pass(request, { baseUrl, fault, tokens }).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error: unknown) => response.destroy(error as Error), // any failure ends the response
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    tokens,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Passed {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

async function pass(
  request: IncomingMessage,
  { baseUrl, fault, tokens }: { baseUrl: string; fault: Fault; tokens: Set<string> },
): Promise<Passed> {
  const { method = "GET", url = "/" } = request;
  const sent = await buffer(request);
  const response = await fetch(`${baseUrl}${url}`, {
    method,
    headers: toHeaders(request),
    ...(sent.length > 0 && { body: new Uint8Array(sent) }),
  });
  const came = Buffer.from(await response.arrayBuffer());
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !HOP_BY_HOP.has(name)),
  );
  if (url === "/Token") learnToken(came, tokens);
  if (!url.startsWith(fault.path) || !came.includes(fault.from))
    return { status: response.status, headers, body: came };
  const body = Buffer.from(came.toString().replaceAll(fault.from, fault.to));
  return {
    status: response.status,
    headers: { ...headers, "content-length": String(body.length) },
    body,
  };
}

// Headers of one connection do not apply to the next (RFC 9110, 7.6.1).
const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding"]);
const OF_ITS_OWN = new Set([...HOP_BY_HOP, "host", "content-length"]);

function toHeaders({ headersDistinct }: IncomingMessage): [string, string][] {
  return Object.entries(headersDistinct)
    .filter(([name]) => !OF_ITS_OWN.has(name))
    .flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]));
}

function learnToken(body: Buffer, tokens: Set<string>): void {
  const [, token] = /"access_token":"([^"]+)"/.exec(body.toString()) ?? [];
  if (token !== undefined) tokens.add(token);
}
