// Services that do what a test has them do: without a network, which is quicker by far, or over real HTTP.
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

/** An empty archive, for as many requests as it holds out. */
export function holdingOut(requests: number, then: RequestListener): RequestListener {
  let count = 0;
  return signingIn((request, response) => {
    count += 1;
    if (count > requests) return then(request, response);
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end('{"isError":false,"errorMessage":null,"data":[]}');
  });
}

/** What a request asks for. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

/** With success, and of JSON if it has a body, unless it says otherwise. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Answering = (asked: Asked) => Reply | Promise<Reply>;

/** As the target of a check has it. */
export interface LocalService {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly requests: () => number;
}

export function createService(answer: Answering): LocalService {
  let requests = 0;
  return {
    baseUrl: "http://127.0.0.1:9",
    requests: () => requests,
    fetch: async (input, { method = "GET", headers, body, signal } = {}) => {
      signal?.throwIfAborted();
      requests += 1;
      const url = new URL(input instanceof Request ? input.url : input);
      // The kit sends texts alone.
      const asked = { method, url, headers: new Headers(headers), body: (body ?? "") as string };
      const { status = 200, headers: own, body: text = "" } = await answer(asked);
      const sent = new Headers(own);
      if (text !== "" && !sent.has("Content-Type")) sent.set("Content-Type", "application/json");
      const isEmpty = method === "HEAD" || status === 204 || status === 304;
      return new Response(isEmpty ? null : text, { status, headers: sent });
    },
  };
}

/** Signs everybody in, and leaves the rest to `others`. */
export const signedIn =
  (others: Answering): Answering =>
  (asked) => {
    if (asked.url.pathname !== "/Token") return others(asked);
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    return { body: JSON.stringify({ access_token: TOKEN, type: "Bearer", expires }) };
  };

export const toEnvelope = (data: unknown): string =>
  JSON.stringify({ isError: false, errorMessage: null, data });
