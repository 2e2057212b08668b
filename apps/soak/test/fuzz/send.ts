// Sending a probe over a connection that is kept, as HTTP clients do, and what came back.
import { Agent, request } from "node:http";
import { headerOf, type Probe } from "./probe.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export interface Sender extends Disposable {
  /** @throws if the response is missing or is not HTTP. */
  send(probe: Probe): Promise<Answer>;
}

// Far beyond any answer of a machine that is merely busy.
const HANG_MS = 30_000;

/** One connection at a time, so that what a request leaves behind meets the next one. */
export function createSender(baseUrl: string): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port, host } = new URL(baseUrl);
  return {
    send: (probe) =>
      new Promise((resolve, reject) => {
        const { method, target: path, body } = probe;
        const headers = toHeaders(probe, host);
        const sent = request({ hostname, port, agent, method, path, headers, timeout: HANG_MS });
        sent.on("timeout", () => sent.destroy(new Error(`no answer within ${HANG_MS} ms`)));
        sent.on("error", reject);
        sent.on("response", (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: toReceived(response.rawHeaders),
              body: Buffer.concat(chunks),
            }),
          );
        });
        sent.end(body);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

function toHeaders(probe: Probe, host: string): string[] {
  const own = headerOf(probe, "Host") === undefined ? ["Host", host] : [];
  const length = probe.body === undefined ? [] : ["Content-Length", String(probe.body.length)];
  return [...own, ...length, ...probe.headers.flat()];
}

function toReceived(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  return headers;
}
