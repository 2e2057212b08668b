// A proxy in front of the service: it adds headers to what is asked, and may change what is answered.
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ProxyOptions {
  /** Sent in place of the browser's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Changes the JSON of an answer. */
  readonly change?: (body: string, path: string) => string;
}

export async function openProxy(target: string, options: ProxyOptions) {
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
  const { "content-length": _length, ...rest } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, rest).end(body);
}
