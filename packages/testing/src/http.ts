// The entry point `@call-media/testing/http`: a fake over real HTTP, for programs that cannot be given a `fetch`.
// For programs whose own settings have neither this library nor the types of Node.js.
/// <reference lib="esnext.disposable" preserve="true" />
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import type { FakeService } from "./fake-service.ts";

/** A fake that listens on a port. */
export interface ServedFake extends AsyncDisposable {
  /** `http://127.0.0.1:` and a free port. */
  readonly baseUrl: string;
  /** Stops it and aborts responses in progress. */
  readonly close: () => Promise<void>;
}

/**
 * Serves a fake on a free port of this machine. Truncated bodies and the fault `unreachable` break the connection.
 *
 * @example
 * ```ts
 * await using served = await serveFake(createFakeService());
 * await promisify(execFile)("my-export", ["--base-url", served.baseUrl]);
 * ```
 */
export async function serveFake(service: FakeService): Promise<ServedFake> {
  const server = createServer((request, response) => {
    answer(service, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // A TCP server has no other kind of address.
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return { baseUrl: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}

async function answer(
  service: FakeService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const { method = "GET", url = "/" } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const answered = await service.fetch(`${service.baseUrl}${url}`, {
    method,
    headers,
    signal: gone.signal,
    ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: "half" }),
  });
  // The body failed because the client left, and nothing would catch the error.
  if (gone.signal.aborted) return;
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body === null) response.end();
  else await pipeline(Readable.fromWeb(answered.body as never), response);
}
