// A server over real HTTP whose answers a test writes.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Asked {
  readonly method: string;
  /** Path and query as they came over the wire. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Server {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}

type Handle = (asked: Asked, response: ServerResponse) => unknown;

export async function openServer(handle: Handle): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    await handle({ method, url, headers, body: await text(request) }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // A TCP server has no other kind of address.
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
