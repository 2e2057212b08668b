// The demo behind a proxy that renames a field of the private flags, as a release may do by mistake.
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface DriftingService extends AsyncDisposable {
  readonly baseUrl: string;
}

export async function startDriftingService(origin: string): Promise<DriftingService> {
  const server = createServer((asked, answer) =>
    forward(new URL(asked.url ?? "/", origin), asked, answer),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // not a pipe
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function forward(to: URL, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, headers } = asked;
  const isRenamed = to.pathname === "/flags/private" && method === "GET";
  const onward = request(to, { method, headers }, (came) =>
    isRenamed ? rename(came, answer) : pass(came, answer),
  );
  asked.pipe(onward);
}

function pass(came: IncomingMessage, answer: ServerResponse): void {
  answer.writeHead(came.statusCode ?? 502, came.rawHeaders);
  came.pipe(answer);
}

async function rename(came: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { "content-length": _length, etag: _etag, ...kept } = came.headers;
  const body = await text(came);
  answer.writeHead(came.statusCode ?? 502, kept);
  answer.end(body.replaceAll('"DateCreated"', '"dateCreated"'));
}
