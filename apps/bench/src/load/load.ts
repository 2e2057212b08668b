// Puts load on a server. Each client keeps its connection and sends its next request after the complete response to the one before.
import { Agent, request as open } from "node:http";

export interface Asked {
  readonly path: string;
  /** JSON; a request with a body is a POST. */
  readonly body?: string;
}

export interface Target {
  readonly port: number;
  /** The value of the Authorization header. */
  readonly authorization: string;
}

export interface Load extends Target {
  /** Sent in order, repeatedly. */
  readonly asked: readonly Asked[];
  readonly clients: number;
  /** True to send no further request; called with the number of requests so far and the elapsed time. */
  readonly isOver: (sent: number, elapsedMs: number) => boolean;
}

export interface LoadResult {
  readonly answers: number;
  readonly elapsedMs: number;
}

/** Throws on any status other than 200. */
export async function sendLoad(load: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.clients });
  const startMs = performance.now();
  const elapsedMs = () => performance.now() - startMs;
  let sent = 0;
  const beOneClient = async () => {
    while (!load.isOver(sent, elapsedMs()))
      await ask(agent, load, load.asked[sent++ % load.asked.length] ?? { path: "/" });
  };
  try {
    await Promise.all(Array.from({ length: load.clients }, beOneClient));
    return { answers: sent, elapsedMs: elapsedMs() };
  } finally {
    agent.destroy();
  }
}

/** Resolves at the end of the response. Throws on another status. */
function ask(agent: Agent, target: Target, { path, body }: Asked): Promise<void> {
  const { port, authorization } = target;
  return new Promise((resolve, reject) => {
    const request = open({
      agent,
      host: "127.0.0.1",
      port,
      path,
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
    });
    request.on("response", (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
      response.resume();
      response.on("end", resolve);
    });
    request.on("error", reject);
    request.end(body);
  });
}
