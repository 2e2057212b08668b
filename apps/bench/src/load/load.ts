// Load on a server: clients that each send their next request after the complete response to the one before, over kept
// connections.
import { Agent, type OutgoingHttpHeaders, request as open } from "node:http";

export interface Asked {
  readonly path: string;
  /** JSON; makes it a POST. */
  readonly body?: string;
  readonly headers?: OutgoingHttpHeaders;
}

export interface Target {
  readonly port: number;
  /** The value of the Authorization header. */
  readonly authorization?: string;
  /** The expected statuses; default: only 200. */
  readonly statuses?: readonly number[];
}

export interface Load extends Target {
  /** Sent in turn, from the first on. */
  readonly asked: readonly Asked[];
  readonly clients: number;
  /** True if no further request is sent; called with the number of requests so far, and the time. */
  readonly isOver: (sent: number, elapsedMs: number) => boolean;
}

export interface LoadResult {
  readonly answers: number;
  readonly elapsedMs: number;
  /** How long each answer took, shortest first. */
  readonly timesMs: Float64Array;
}

/** Throws for an answer of another status. */
export async function sendLoad(load: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.clients });
  const startMs = performance.now();
  const elapsedMs = () => performance.now() - startMs;
  const timesMs: number[] = [];
  let sent = 0;
  const beOneClient = async () => {
    while (!load.isOver(sent, elapsedMs())) {
      const sentMs = performance.now();
      await ask(agent, load, load.asked[sent++ % load.asked.length] ?? { path: "/" });
      timesMs.push(performance.now() - sentMs);
    }
  };
  try {
    await Promise.all(Array.from({ length: load.clients }, beOneClient));
    const took = elapsedMs();
    return {
      answers: timesMs.length,
      elapsedMs: took,
      timesMs: Float64Array.from(timesMs).toSorted(),
    };
  } finally {
    agent.destroy();
  }
}

/** Resolves with the end of the answer. Throws for one of another status. */
export function ask(agent: Agent, target: Target, { path, body, headers }: Asked): Promise<void> {
  const { port, authorization, statuses = [200] } = target;
  return new Promise((resolve, reject) => {
    const request = open({
      agent,
      host: "127.0.0.1",
      port,
      path,
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
    });
    request.on("response", (response) => {
      if (!statuses.includes(response.statusCode ?? 0))
        reject(new Error(`${path}: ${response.statusCode}`));
      response.resume();
      response.on("end", resolve);
    });
    request.on("error", reject);
    request.end(body);
  });
}
