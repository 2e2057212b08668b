// Services over real HTTP that do what a test has them do.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface TestService extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: () => number;
}

export async function startService(listener: RequestListener): Promise<TestService> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const TOKEN = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";

/** Signs everybody in, and leaves the rest to `others`. */
export function signingIn(others: RequestListener): RequestListener {
  return (request, response) => {
    if (request.url !== "/Token") return others(request, response);
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const body = JSON.stringify({ access_token: TOKEN, type: "Bearer", expires });
    response.writeHead(200, { "Content-Type": "application/json" }).end(body);
  };
}
