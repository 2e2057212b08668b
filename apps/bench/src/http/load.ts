// Load on a server: clients that each send their next request when they have the whole answer to the one before, over
// connections that are kept.
import { Agent, get } from "node:http";

const CLIENTS = 32;

export interface Load {
  readonly port: number;
  /** Asked for in turn, from the first on. */
  readonly paths: readonly string[];
  readonly authorization: string;
  readonly requests: number;
}

export interface LoadResult {
  readonly answers: number;
  readonly elapsedMs: number;
}

// Ends a round early on a machine that is slow.
const MAX_ROUND_MS = 10_000;

/** Throws when an answer is not 200. */
export async function sendLoad(load: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const startMs = performance.now();
  const elapsedMs = () => performance.now() - startMs;
  let answers = 0;
  const beOneClient = async () => {
    while (answers < load.requests && elapsedMs() < MAX_ROUND_MS)
      await ask(agent, load, load.paths[answers++ % load.paths.length] ?? "/");
  };
  try {
    await Promise.all(Array.from({ length: CLIENTS }, beOneClient));
    return { answers, elapsedMs: elapsedMs() };
  } finally {
    agent.destroy();
  }
}

function ask(agent: Agent, { port, authorization }: Load, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { agent, host: "127.0.0.1", port, path, headers: { authorization } };
    const request = get(options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
      response.resume();
      response.on("end", resolve);
    });
    request.on("error", reject);
  });
}
