// A proxy before the service that sees what is asked for, and does to it what networks and operators do.
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** How a token was used: in how many requests, and how long after the first of them. */
export interface Use {
  readonly requests: number;
  readonly ms: number;
}

export interface Faults {
  readonly random: () => number;
  /** Share of recordings of which the connection is cut. */
  readonly cut: number;
  /** Share of requests that are answered 503. */
  readonly unavailable: number;
  /** When a token is unknown from. */
  readonly revokedAfter: Use;
  /** The call whose recording has the digest of another. */
  readonly wrongDigest: string | undefined;
}

export const NO_FAULTS: Faults = {
  random: () => 1,
  cut: 0,
  unavailable: 0,
  revokedAfter: { requests: Infinity, ms: Infinity },
  wrongDigest: undefined,
};

export interface Proxy {
  readonly baseUrl: string;
  /** Recordings whose bytes were asked for since, as `<call_id>` or `<call_id>-<part>`. */
  readonly asked: string[];
  /** How often each fault befell a request. */
  readonly befallen: Record<"cut" | "unavailable" | "revoked" | "wrongDigest", number>;
}

/** Ends with the test. */
export async function startProxy(target: string, faults: Faults = NO_FAULTS): Promise<Proxy> {
  const asked: string[] = [];
  const befallen = { cut: 0, unavailable: 0, revoked: 0, wrongDigest: 0 };
  const isRevoked = createRevoking(faults.revokedAfter);
  const isUnavailable = createLots(faults.unavailable, faults.random);
  const isCut = createLots(faults.cut, faults.random);
  const server = createServer((incoming, response) => {
    response.on("error", () => {});
    const recording = toRecordingName(incoming.url ?? "");
    // A HEAD asks whose recording it is.
    if (recording !== undefined && incoming.method === "GET") asked.push(recording);
    if (isRevoked(incoming.headers.authorization)) {
      befallen.revoked++;
      return refuse(incoming, response, 401);
    }
    if (isUnavailable()) {
      befallen.unavailable++;
      return refuse(incoming, response, 503);
    }
    forward({ target, faults, isCut, befallen, recording }, incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  return { baseUrl: `http://127.0.0.1:${port}`, asked, befallen };
}

/** Draws that many of the times, one of each so many that follow each other: in short runs as well, it befalls some. */
function createLots(share: number, random: () => number): () => boolean {
  let [left, drawn] = [0, 0];
  return () => {
    if (share === 0) return false;
    if (left === 0) {
      left = Math.round(1 / share);
      drawn = Math.floor(random() * left);
    }
    return --left === drawn;
  };
}

/** Returns a function that is true for requests after the end of their token. It identifies tokens by the Authorization header. */
function createRevoking(after: Use): (bearer: string | undefined) => boolean {
  const uses = new Map<string, { requests: number; readonly sinceMs: number }>();
  return (bearer) => {
    if (bearer === undefined) return false;
    const use = uses.get(bearer) ?? { requests: 0, sinceMs: performance.now() };
    uses.set(bearer, use);
    use.requests++;
    return use.requests > after.requests || performance.now() - use.sinceMs > after.ms;
  };
}

function toRecordingName(url: string): string | undefined {
  const [, id, part] = /^\/recording\/stream-by-call-id\/([^?]+)(?:\?part=(\d+))?/.exec(url) ?? [];
  return id === undefined || part === undefined || part === "1" ? id : `${id}-${part}`;
}

function refuse(incoming: IncomingMessage, response: ServerResponse, status: number): void {
  incoming.resume();
  const headers = status === 401 ? { "WWW-Authenticate": 'Bearer error="invalid_token"' } : {};
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify({ isError: true, errorMessage: `A fault of ${status}`, data: [] }));
}

interface Way extends Pick<Proxy, "befallen"> {
  readonly target: string;
  readonly faults: Faults;
  readonly isCut: () => boolean;
  readonly recording: string | undefined;
}

function forward(way: Way, incoming: IncomingMessage, response: ServerResponse): void {
  const { target, faults, isCut, befallen, recording } = way;
  const { method, headers, url = "/" } = incoming;
  const onward = request(`${target}${url}`, { method, headers }, (answer) => {
    const answered = { ...answer.headers };
    if (recording !== undefined && recording === faults.wrongDigest) {
      befallen.wrongDigest++;
      answered["repr-digest"] = `sha-256=:${Buffer.alloc(32).toString("base64")}:`;
    }
    response.writeHead(answer.statusCode ?? 502, answered);
    if (recording !== undefined && isCut()) {
      befallen.cut++;
      cutOff(answer, response, faults.random());
    } else answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  incoming.pipe(onward);
}

/** After that share of the bytes. */
function cutOff(answer: IncomingMessage, response: ServerResponse, share: number): void {
  let left = Math.floor(Number(answer.headers["content-length"] ?? 0) * share);
  answer.on("data", (chunk: Buffer) => {
    response.write(chunk.subarray(0, Math.max(0, left)));
    left -= chunk.length;
    // What was written goes out first.
    if (left <= 0) setImmediate(() => response.destroy());
  });
}
