// A proxy in front of a service: it adds headers to requests, and may change the JSON of responses.
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ProxyOptions {
  /** They replace headers of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Changes the JSON of a response. `path` has the query. */
  readonly change?: (body: string, path: string) => string;
}

export interface Proxy extends AsyncDisposable {
  readonly baseUrl: string;
}

export async function openProxy(target: string, options: ProxyOptions): Promise<Proxy> {
  const server = createServer((asked, response) => void pass({ asked, response, target }, options));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // of an IP socket
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface Passed {
  readonly asked: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: string;
}

async function pass({ asked, response, target }: Passed, options: ProxyOptions): Promise<void> {
  const { method, url = "/" } = asked;
  const headers = { ...asked.headers, ...options.headers };
  const onward = request(target + url, { method, headers });
  asked.pipe(onward);
  onward.on("error", () => response.destroy());
  const [answer] = (await once(onward, "response")) as [IncomingMessage];
  const isJson = answer.headers["content-type"]?.includes("json") === true;
  if (options.change === undefined || !isJson) {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    return;
  }
  const body = options.change(await text(answer), url);
  // They are those of the unchanged body.
  const { "content-length": _length, etag: _etag, ...rest } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, rest).end(body);
}
